/** Merges each organization with the one it extends, and labels with organizations, and checks that nothing is missing. */
import { Label } from '@portico/contracts/organization'
import {
  type LabelFile,
  Organization,
  type OrganizationFile,
} from '@portico/contracts/organization-file'
import {
  inheritOrganization,
  mergeLabel,
  type PartialOrganization,
} from '@portico/rules/organization-inheritance'
import type * as z from 'zod/mini'
import { type FieldError, fieldErrors, parseData, type ReadFile } from '../data-files/data-files.ts'
import type { BrandError } from './organization-errors.ts'
import type { KnownNames } from './organization-files.ts'

/** The document that describes the fields of organizations and labels. */
const GUIDE = 'docs/white-label.md'

type File = ReadFile<OrganizationFile>

/** Merges every file with the one it extends. A required field that is still missing is an error. */
export function inheritOrganizations(
  files: readonly File[],
  {
    supportPhone,
    defaultOrgCode,
    orgCodes,
  }: {
    readonly supportPhone: string
    /** The organization that files without `extends` inherit from. */
    readonly defaultOrgCode: string
    readonly orgCodes: KnownNames
  },
  errors: BrandError[],
): readonly Organization[] {
  // If two files share a code, the first one has it; the duplicate is reported elsewhere.
  const byCode = new Map(files.toReversed().map((each) => [each.content.orgCode, each]))
  if (!orgCodes.has(defaultOrgCode)) {
    errors.push({
      source: 'organizations',
      field: '',
      message: `no file has the orgCode ${defaultOrgCode}, which others extend; set DEFAULT_ORGANIZATION to the code of yours`,
    })
  }
  /** Undefined if the parent is missing or invalid, which is reported once and not for every descendant. */
  const inherited = new Map<File, PartialOrganization | undefined>()

  /** The file that a file extends, 'none' for the default organization, or undefined if there is no valid one. */
  const parentOf = ({ name, content }: File): File | 'none' | undefined => {
    if (content.extends === undefined && content.orgCode === defaultOrgCode) return 'none'
    const parent = byCode.get(content.extends ?? defaultOrgCode)
    if (content.extends !== undefined && !orgCodes.has(content.extends)) {
      errors.push({
        source: name,
        orgCode: content.orgCode,
        field: 'extends',
        message: `${content.extends}, but no file has that orgCode; check the spelling`,
      })
    }
    return parent
  }

  // Iterative, because a very long chain of files would overflow the stack.
  const merge = (file: File): PartialOrganization | undefined => {
    const chain = new Set<File>()
    let next: ReturnType<typeof parentOf> = file
    let last = file
    while (next !== undefined && next !== 'none' && !inherited.has(next) && !chain.has(next)) {
      chain.add(next)
      last = next
      next = parentOf(next)
    }
    if (next !== undefined && next !== 'none' && chain.has(next)) {
      errors.push({
        source: last.name,
        orgCode: last.content.orgCode,
        field: 'extends',
        message: `${next.content.orgCode}, which makes a cycle; extend another organization`,
      })
    }
    let result = next === 'none' ? EMPTY : next && inherited.get(next)
    for (const each of [...chain].toReversed()) {
      result = result && inheritOrganization(result, each.content)
      inherited.set(each, result)
    }
    return result
  }

  return files.flatMap((file) => {
    const merged = merge(file)
    if (merged === undefined) return []
    const parsed = validateOrganization(merged, supportPhone)
    const found = { source: file.name, orgCode: file.content.orgCode }
    if (parsed.error) {
      errors.push(
        ...fieldErrors(parsed.error.issues, GUIDE).map((error) => ({ ...found, ...error })),
      )
    } else if (file.content.products ?? file.content.pricing) {
      errors.push(...priceErrors(parsed.data).map((error) => ({ ...found, ...error })))
    }
    return parsed.success ? [parsed.data] : []
  })
}

const EMPTY: PartialOrganization = { companyInfo: {}, behaviors: {}, wallet: {} }

/** Validates a merged organization. Without a support phone of its own it gets that of the installation (§9). */
function validateOrganization(
  { companyInfo, ...rest }: PartialOrganization,
  supportPhone: string,
): z.core.util.SafeParseResult<Organization> {
  return parseData(Organization, {
    ...rest,
    companyInfo: { supportPhone, ...companyInfo },
  })
}

function priceErrors({ products, pricing }: Organization): FieldError[] {
  const codes = new Set(products.map(({ code }) => code))
  return [
    ...(codes.size < products.length
      ? [{ field: 'products', message: 'contains a duplicate code; remove one' }]
      : []),
    ...pricing.flatMap(({ productCode }, index) =>
      codes.has(productCode)
        ? []
        : [
            {
              field: `pricing.${index}.productCode`,
              message: `${productCode} is not the code of one of its products`,
            },
          ],
    ),
  ]
}

/** Returns a function that merges a label into an organization. Each pair is merged once, on first use. */
export function openLabels(
  files: readonly ReadFile<LabelFile>[],
  {
    defaultOrganization,
    supportPhone,
    labelNames,
  }: {
    readonly defaultOrganization: Organization
    readonly supportPhone: string
    readonly labelNames: KnownNames
  },
  errors: BrandError[],
): (organization: Organization, label: Label) => Organization {
  const byLabel = new Map(files.map((file) => [file.content.label, file]))
  // A field that a label lacks for the default organization is missing for every organization.
  for (const label of Label.options) {
    const file = byLabel.get(label)
    const parsed =
      file && validateOrganization(mergeLabel(defaultOrganization, file.content), supportPhone)
    if (!labelNames.has(label)) {
      errors.push({ source: 'labels', field: '', message: `no file has the label ${label}` })
    } else if (file !== undefined && parsed?.error) {
      const { name: source } = file
      errors.push(...fieldErrors(parsed.error.issues, GUIDE).map((error) => ({ source, ...error })))
      byLabel.delete(label)
    }
  }
  const merged = new WeakMap<Organization, Map<Label, Organization>>()
  return (organization, label) => {
    const file = byLabel.get(label)
    if (!file) return organization
    const labeled = merged.get(organization) ?? new Map<Label, Organization>()
    merged.set(organization, labeled)
    const known = labeled.get(label)
    if (known) return known
    const { data, error } = validateOrganization(
      mergeLabel(organization, file.content),
      supportPhone,
    )
    if (!data) throw error
    labeled.set(label, data)
    return data
  }
}
