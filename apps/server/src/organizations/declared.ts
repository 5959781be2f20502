/**
 * What organization and label files say about themselves, whatever else is wrong with them. References between files are
 * checked against this, so that an error in one file neither hides an error in another nor causes one.
 */
import { OrganizationFile } from '@portico/contracts/organization-file'
import * as z from 'zod/mini'
import { readTexts } from '../data-files/data-files.ts'

/** What an organization file claims for itself; undefined where it does not say, or not legibly. */
export interface DeclaredOrganization {
  readonly file: string
  readonly orgCode: string | undefined
  readonly orgBrand: string | undefined
  readonly canonicalOrgCode: string | undefined
  readonly hosts: readonly string[]
}

/** Codes or labels of a folder's files; every one is known where a file is too broken to name its own. */
export interface DeclaredNames {
  readonly has: (name: string) => boolean
}

const orElse = z.catch
const NOTHING = { hosts: [], canonicalOrgCode: undefined }
const text = orElse(z.optional(z.string()), undefined)
const Declaration = orElse(
  z.object({
    orgCode: text,
    orgBrand: text,
    canonicalOrgCode: z.optional(z.unknown()),
    label: text,
    hosts: orElse(z.array(z.string()), []),
  }),
  NOTHING,
)

export function readDeclaredOrganizations(configDir: string): readonly DeclaredOrganization[] {
  return readTexts(configDir, 'organizations').map(({ name: file, content }) => {
    const { orgCode = namedIn(content, 'orgCode'), hosts, ...declared } = declarationIn(content)
    const company = OrganizationFile.shape.canonicalOrgCode.safeParse(declared.canonicalOrgCode)
    return {
      file,
      orgCode,
      // Whose variant it is cannot be told, and so not whether it may have the brand.
      orgBrand: company.success ? declared.orgBrand?.trim() : undefined,
      canonicalOrgCode: company.data,
      hosts: hosts.map((host) => host.toLowerCase()),
    }
  })
}

/** The codes of all files. */
export function declaredOrgCodes(files: readonly DeclaredOrganization[]): DeclaredNames {
  return namesOf(files.map(({ orgCode }) => orgCode))
}

/** The labels of all label files. */
export function readDeclaredLabels(configDir: string): DeclaredNames {
  return namesOf(
    readTexts(configDir, 'labels').map(
      ({ content }) => declarationIn(content).label ?? namedIn(content, 'label'),
    ),
  )
}

function declarationIn(content: string): z.output<typeof Declaration> {
  try {
    return Declaration.parse(JSON.parse(content))
  } catch {
    return NOTHING // The error is reported where the file is read.
  }
}

/** The value of a field in what is not JSON, such as a file with a comma too many. */
function namedIn(content: string, field: string): string | undefined {
  return new RegExp(`"${field}"\\s*:\\s*"([^"\\\\]*)"`).exec(content)?.[1]
}

function namesOf(names: readonly (string | undefined)[]): DeclaredNames {
  return names.includes(undefined) ? { has: () => true } : new Set(names)
}
