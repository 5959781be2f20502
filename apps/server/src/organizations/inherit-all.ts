import { Organization, type OrganizationFile } from '@portico/contracts/organization-file'
import {
  organizationOver,
  type UnfinishedOrganization,
} from '@portico/rules/organization-inheritance'
import type * as z from 'zod/mini'
import { faultsOf, type ReadFile } from '../data-files/data-files.ts'

/** The organisation of whoever names no other (§6), and the provider that the others extend. */
export const DEFAULT_ORG_CODE = 'FIGURE'

/** Lays every file over the one it extends; what is still missing then is a fault. */
export function inheritAll(
  files: readonly ReadFile<OrganizationFile>[],
  supportPhone: string,
  faults: string[],
): readonly Organization[] {
  const byCode = new Map(files.map((each) => [each.content.orgCode, each]))
  if (!byCode.has(DEFAULT_ORG_CODE)) {
    faults.push(`organizations: no file has the orgCode ${DEFAULT_ORG_CODE}, which others extend`)
  }
  /** Undefined where there is nothing to extend: that is one fault, whatever it leaves open in others. */
  const done = new Map<ReadFile<OrganizationFile>, UnfinishedOrganization | undefined>()
  const onTheWay = new Set<ReadFile<OrganizationFile>>()

  const finish = (file: ReadFile<OrganizationFile>): UnfinishedOrganization | undefined => {
    if (done.has(file)) return done.get(file)
    onTheWay.add(file)
    const inherited = inheritedBy(file)
    onTheWay.delete(file)
    const result = inherited && organizationOver(inherited, file.content)
    done.set(file, result)
    return result
  }

  const inheritedBy = ({ name, content }: ReadFile<OrganizationFile>) => {
    const isProvider = content.orgCode === DEFAULT_ORG_CODE
    if (content.extends === undefined && isProvider) return NOTHING
    const code = content.extends ?? DEFAULT_ORG_CODE
    const parent = byCode.get(code)
    if (parent && !onTheWay.has(parent)) return finish(parent)
    if (parent) faults.push(`${name}: extends ${code} leads back to itself; extend another`)
    else if (content.extends !== undefined) {
      faults.push(`${name}: extends ${code}, which is no file's orgCode; check its spelling`)
    }
    return undefined
  }

  return files.flatMap((file) => {
    const unfinished = finish(file)
    if (unfinished === undefined) return []
    const parsed = finishedOrganization(unfinished, supportPhone)
    if (parsed.error) faults.push(...faultsOf(file.name, parsed.error))
    else if (file.content.products ?? file.content.pricing) {
      faults.push(...priceFaults(parsed.data).map((fault) => `${file.name}: ${fault}`))
    }
    return parsed.success ? [parsed.data] : []
  })
}

const NOTHING: UnfinishedOrganization = { companyInfo: {}, behaviors: {} }

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

function priceFaults({ products, pricing }: Organization): string[] {
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
