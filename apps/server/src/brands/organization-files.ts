/**
 * Reads what organization and label files contain even if they are invalid: the names that identify them, and the fields
 * that are valid. References between files are checked against these names, so that an error in one file neither hides
 * nor causes an error in another.
 */
import { OrganizationFile } from '@portico/contracts/organization-file'
import * as z from 'zod/mini'
import { readTexts } from '../data-files/data-files.ts'

/** The names in an organization file that other files refer to or must not repeat; undefined if missing or unreadable. */
export interface OrganizationNames {
  readonly file: string
  readonly orgCode: string | undefined
  readonly orgBrand: string | undefined
  readonly canonicalOrgCode: string | undefined
  readonly hosts: readonly string[]
}

/** The codes or labels of a folder's files. If one of them is unreadable, `has` returns true for every name. */
export interface KnownNames {
  readonly has: (name: string) => boolean
}

const withDefault = z.catch
const NO_NAMES = { hosts: [], canonicalOrgCode: undefined }
const text = withDefault(z.optional(z.string()), undefined)
const Names = withDefault(
  z.object({
    orgCode: text,
    orgBrand: text,
    canonicalOrgCode: z.optional(z.unknown()),
    label: text,
    hosts: withDefault(z.array(z.string()), []),
  }),
  NO_NAMES,
)

export function readOrganizationNames(configDir: string): readonly OrganizationNames[] {
  return readTexts(configDir, 'organizations').map(({ name: file, content }) => {
    const { orgCode = fieldInText(content, 'orgCode'), ...names } = parseNames(content)
    return organizationNames(file, { ...names, orgCode })
  })
}

/** The names in an organization file's content. */
export function organizationNames(file: string, content: unknown): OrganizationNames {
  const { orgCode, hosts, ...names } = Names.parse(content)
  const company = OrganizationFile.shape.canonicalOrgCode.safeParse(names.canonicalOrgCode)
  return {
    file,
    orgCode,
    // With an invalid canonicalOrgCode the company is unknown, and so is whether it may share the brand.
    orgBrand: company.success ? names.orgBrand?.trim() : undefined,
    canonicalOrgCode: company.data,
    hosts: hosts.map((host) => host.toLowerCase()),
  }
}

export function orgCodesOf(files: readonly OrganizationNames[]): KnownNames {
  return knownNames(files.map(({ orgCode }) => orgCode))
}

export function readLabelNames(configDir: string): KnownNames {
  return knownNames(
    readTexts(configDir, 'labels').map(
      ({ content }) => parseNames(content).label ?? fieldInText(content, 'label'),
    ),
  )
}

function parseNames(content: string): z.output<typeof Names> {
  try {
    return Names.parse(JSON.parse(content))
  } catch {
    return NO_NAMES // `readFiles` reports the error.
  }
}

/** The value of a field in text that is not valid JSON, such as a file with an extra comma. */
function fieldInText(content: string, field: string): string | undefined {
  return new RegExp(`"${field}"\\s*:\\s*"([^"\\\\]*)"`).exec(content)?.[1]
}

function knownNames(names: readonly (string | undefined)[]): KnownNames {
  return names.includes(undefined) ? { has: () => true } : new Set(names)
}

/** Fields that determine the appearance or meaning of the rest. */
const DETERMINING_FIELDS =
  /^(?:(?:orgCode|canonicalOrgCode|extends|orgBrand|brandColor|darkBrandColor|partner|styleSheetPath)(?:\.|$)|companyInfo(?:\.(?:name|logoPath|darkLogoPath))?$)/

/**
 * Removes the invalid fields from an organization file so that the remaining ones are still checked. Returns undefined
 * if an invalid field determines the meaning of the rest.
 */
export function removeInvalidFields(value: unknown, { issues }: z.core.$ZodError): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const rest = structuredClone(value) as Record<string, unknown>
  for (const issue of issues) {
    const [field = '', part] = issue.path.map(String)
    if (issue.code === 'unrecognized_keys' && issue.path.length < 2) {
      const holder = field === '' ? rest : (rest[field] as Record<string, unknown>)
      for (const key of issue.keys) delete holder[key]
    } else if (DETERMINING_FIELDS.test(issue.path.join('.'))) {
      return undefined
    } else if (field === 'companyInfo') {
      delete (rest[field] as Record<string, unknown>)[part ?? '']
    } else if (field === 'products' || field === 'pricing') {
      // Prices refer to products.
      delete rest['products']
      delete rest['pricing']
    } else {
      delete rest[field]
    }
  }
  return rest
}
