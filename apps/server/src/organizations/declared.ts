/**
 * Reads the codes, brands, hosts and labels that organization and label files declare, even from invalid files.
 * References between files are checked against these, so that an error in one file neither hides nor causes an error in
 * another.
 */
import { OrganizationFile } from '@portico/contracts/organization-file'
import * as z from 'zod/mini'
import { readTexts } from '../data-files/data-files.ts'

/** The names that an organization file declares; undefined if missing or unreadable. */
export interface DeclaredOrganization {
  readonly file: string
  readonly orgCode: string | undefined
  readonly orgBrand: string | undefined
  readonly canonicalOrgCode: string | undefined
  readonly hosts: readonly string[]
}

/** The codes or labels of a folder's files. If one file's name is unreadable, `has` returns true for every name. */
export interface DeclaredNames {
  readonly has: (name: string) => boolean
}

const withDefault = z.catch
const NOTHING = { hosts: [], canonicalOrgCode: undefined }
const text = withDefault(z.optional(z.string()), undefined)
const Declaration = withDefault(
  z.object({
    orgCode: text,
    orgBrand: text,
    canonicalOrgCode: z.optional(z.unknown()),
    label: text,
    hosts: withDefault(z.array(z.string()), []),
  }),
  NOTHING,
)

export function readDeclaredOrganizations(configDir: string): readonly DeclaredOrganization[] {
  return readTexts(configDir, 'organizations').map(({ name: file, content }) => {
    const {
      orgCode = fieldInText(content, 'orgCode'),
      hosts,
      ...declared
    } = parseDeclaration(content)
    const company = OrganizationFile.shape.canonicalOrgCode.safeParse(declared.canonicalOrgCode)
    return {
      file,
      orgCode,
      // With an invalid canonicalOrgCode it is unknown which company this is, and so whether it may share the brand.
      orgBrand: company.success ? declared.orgBrand?.trim() : undefined,
      canonicalOrgCode: company.data,
      hosts: hosts.map((host) => host.toLowerCase()),
    }
  })
}

export function declaredOrgCodes(files: readonly DeclaredOrganization[]): DeclaredNames {
  return namesOf(files.map(({ orgCode }) => orgCode))
}

export function readDeclaredLabels(configDir: string): DeclaredNames {
  return namesOf(
    readTexts(configDir, 'labels').map(
      ({ content }) => parseDeclaration(content).label ?? fieldInText(content, 'label'),
    ),
  )
}

function parseDeclaration(content: string): z.output<typeof Declaration> {
  try {
    return Declaration.parse(JSON.parse(content))
  } catch {
    return NOTHING // `readFiles` reports the error.
  }
}

/** The value of a field in text that is not valid JSON, such as a file with an extra comma. */
function fieldInText(content: string, field: string): string | undefined {
  return new RegExp(`"${field}"\\s*:\\s*"([^"\\\\]*)"`).exec(content)?.[1]
}

function namesOf(names: readonly (string | undefined)[]): DeclaredNames {
  return names.includes(undefined) ? { has: () => true } : new Set(names)
}
