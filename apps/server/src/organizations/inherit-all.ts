import { Organization, type OrganizationFile } from '@portico/contracts/organization-file'
import { organizationOver, type PartialOrganization } from '@portico/rules/organization-inheritance'
import type * as z from 'zod/mini'
import { type ReadFile, schemaErrors } from '../data-files/data-files.ts'
import type { DeclaredNames } from './declared.ts'

/** The organization of visitors that name no other (§6). The others extend it. */
export const DEFAULT_ORG_CODE = 'FIGURE'

type File = ReadFile<OrganizationFile>

/** Merges every file with the one it extends. A required field that is still missing is an error. */
export function inheritAll(
  files: readonly File[],
  {
    supportPhone,
    codes,
  }: {
    readonly supportPhone: string
    /** The codes of all files, including invalid ones. */
    readonly codes: DeclaredNames
  },
  errors: string[],
): readonly Organization[] {
  // If two files share a code, the first one has it; the duplicate is reported elsewhere.
  const byCode = new Map(files.toReversed().map((each) => [each.content.orgCode, each]))
  if (!codes.has(DEFAULT_ORG_CODE)) {
    errors.push(`organizations: no file has the orgCode ${DEFAULT_ORG_CODE}, which others extend`)
  }
  /** Undefined if the parent is missing or invalid, which is reported once and not for every descendant. */
  const done = new Map<File, PartialOrganization | undefined>()

  /** The file that a file extends, 'none' for the default organization, or undefined if there is no valid one. */
  const parentOf = ({ name, content }: File): File | 'none' | undefined => {
    if (content.extends === undefined && content.orgCode === DEFAULT_ORG_CODE) return 'none'
    const parent = byCode.get(content.extends ?? DEFAULT_ORG_CODE)
    if (content.extends !== undefined && !codes.has(content.extends)) {
      errors.push(
        `${name}: extends ${content.extends}, but no file has that orgCode; check the spelling`,
      )
    }
    return parent
  }

  // Iterative, because a very long chain of files would overflow the stack.
  const inherit = (file: File): PartialOrganization | undefined => {
    const chain = new Set<File>()
    let next: ReturnType<typeof parentOf> = file
    let last = file
    while (next !== undefined && next !== 'none' && !done.has(next) && !chain.has(next)) {
      chain.add(next)
      last = next
      next = parentOf(next)
    }
    if (next !== undefined && next !== 'none' && chain.has(next)) {
      errors.push(
        `${last.name}: extends ${next.content.orgCode}, which makes a cycle; extend another organization`,
      )
    }
    let result = next === 'none' ? NOTHING : next && done.get(next)
    for (const each of [...chain].toReversed()) {
      result = result && organizationOver(result, each.content)
      done.set(each, result)
    }
    return result
  }

  return files.flatMap((file) => {
    const inherited = inherit(file)
    if (inherited === undefined) return []
    const parsed = validateOrganization(inherited, supportPhone)
    if (parsed.error) errors.push(...schemaErrors(file.name, parsed.error))
    else if (file.content.products ?? file.content.pricing) {
      errors.push(...priceErrors(parsed.data).map((error) => `${file.name}: ${error}`))
    }
    return parsed.success ? [parsed.data] : []
  })
}

const NOTHING: PartialOrganization = { companyInfo: {}, behaviors: {}, wallet: {} }

/** Validates a merged organization. Without a support phone of its own it gets that of the installation (§9). */
export function validateOrganization(
  { companyInfo, ...rest }: PartialOrganization,
  supportPhone: string,
): z.core.util.SafeParseResult<Organization> {
  return Organization.safeParse(
    { ...rest, companyInfo: { supportPhone, ...companyInfo } },
    { reportInput: true },
  )
}

function priceErrors({ products, pricing }: Organization): string[] {
  const codes = new Set(products.map(({ code }) => code))
  return [
    ...(codes.size < products.length ? ['products contains a duplicate code; remove one'] : []),
    ...pricing.flatMap(({ productCode }, index) =>
      codes.has(productCode)
        ? []
        : [`pricing.${index}.productCode ${productCode} is not the code of one of its products`],
    ),
  ]
}
