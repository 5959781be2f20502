import { Organization, type OrganizationFile } from '@portico/contracts/organization-file'
import {
  organizationOver,
  type UnfinishedOrganization,
} from '@portico/rules/organization-inheritance'
import type * as z from 'zod/mini'
import { faultsOf, type ReadFile } from '../data-files/data-files.ts'
import type { DeclaredNames } from './declared.ts'

/** The organization of whoever names no other (§6), and the provider that the others extend. */
export const DEFAULT_ORG_CODE = 'FIGURE'

type File = ReadFile<OrganizationFile>

/** Lays every file over the one it extends; what is still missing then is a fault. */
export function inheritAll(
  files: readonly File[],
  {
    supportPhone,
    codes,
  }: {
    readonly supportPhone: string
    /** Codes of all files, of those with an error too. */
    readonly codes: DeclaredNames
  },
  faults: string[],
): readonly Organization[] {
  // Of two with one code the first has it; that the other wants it too is a fault of its own.
  const byCode = new Map(files.toReversed().map((each) => [each.content.orgCode, each]))
  if (!codes.has(DEFAULT_ORG_CODE)) {
    faults.push(`organizations: no file has the orgCode ${DEFAULT_ORG_CODE}, which others extend`)
  }
  /** Undefined where there is nothing to extend: that is one fault, whatever it leaves open in others. */
  const done = new Map<File, UnfinishedOrganization | undefined>()

  /** Whom a file extends; nobody where it is the provider, and nothing where there is none of that code. */
  const parentOf = ({ name, content }: File): File | 'nobody' | undefined => {
    if (content.extends === undefined && content.orgCode === DEFAULT_ORG_CODE) return 'nobody'
    const parent = byCode.get(content.extends ?? DEFAULT_ORG_CODE)
    if (content.extends !== undefined && !codes.has(content.extends)) {
      faults.push(
        `${name}: extends ${content.extends}, which is no file's orgCode; check its spelling`,
      )
    }
    return parent
  }

  // In a loop, because a line of very many that extend one another is longer than calls can be deep.
  const finish = (file: File): UnfinishedOrganization | undefined => {
    const line = new Set<File>()
    let next: ReturnType<typeof parentOf> = file
    let last = file
    while (next !== undefined && next !== 'nobody' && !done.has(next) && !line.has(next)) {
      line.add(next)
      last = next
      next = parentOf(next)
    }
    if (next !== undefined && next !== 'nobody' && line.has(next)) {
      faults.push(
        `${last.name}: extends ${next.content.orgCode} leads back to itself; extend another`,
      )
    }
    let result = next === 'nobody' ? NOTHING : next && done.get(next)
    for (const each of [...line].toReversed()) {
      result = result && organizationOver(result, each.content)
      done.set(each, result)
    }
    return result
  }

  return files.flatMap((file) => {
    const unfinished = finish(file)
    if (unfinished === undefined) return []
    const parsed = finishedOrganization(unfinished, supportPhone)
    if (parsed.error) faults.push(...faultsOf(file.name, parsed.error))
    else if (file.content.products ?? file.content.pricing) {
      faults.push(...priceErrors(parsed.data).map((fault) => `${file.name}: ${fault}`))
    }
    return parsed.success ? [parsed.data] : []
  })
}

const NOTHING: UnfinishedOrganization = { companyInfo: {}, behaviors: {}, wallet: {} }

/** Finds whether everything is there; who has no support phone has the one of the installation (§9). */
export function finishedOrganization(
  { companyInfo, ...rest }: UnfinishedOrganization,
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
    ...(codes.size < products.length ? ['products has one code twice; remove one'] : []),
    ...pricing.flatMap(({ productCode }, index) =>
      codes.has(productCode)
        ? []
        : [`pricing.${index}.productCode ${productCode} is none of its products`],
    ),
  ]
}
