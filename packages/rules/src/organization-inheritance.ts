/**
 * Inheritance: the provider, then the organization, then the label, each overriding individual fields (§1). `null`
 * removes an inherited field. The result may lack required fields until a schema validates it.
 */
import type {
  LabelFile,
  Organization,
  OrganizationFile,
} from '@portico/contracts/organization-file'

type Company = Organization['companyInfo']

/** An organization that may still lack required fields. */
export type PartialOrganization = Partial<
  Omit<Organization, 'companyInfo' | 'behaviors' | 'wallet'>
> & {
  readonly companyInfo: Partial<Company>
  readonly behaviors: Partial<Organization['behaviors']>
  readonly wallet: Partial<Organization['wallet']>
}

/**
 * Fields that belong together: a file that sets the first one inherits none of the others. A lender's logo must not
 * become another lender's in dark mode, and its legal name must not appear next to another's license.
 */
const GROUPED_FIELDS = {
  brandColor: ['darkBrandColor'],
  products: ['pricing'],
} as const
const GROUPED_COMPANY_FIELDS = {
  legalName: ['nmlsNumber', 'badge'],
  nmlsNumber: ['legalName', 'badge'],
  logoPath: ['darkLogoPath', 'faviconPath'],
} as const

/**
 * Applies an organization's file to the organization it extends. Codes, hosts and base URL are never inherited. The
 * credit-score partner requires a contract: it is only inherited by variants, that is, files with `extends`.
 */
export function inheritOrganization(
  inherited: PartialOrganization,
  file: OrganizationFile,
): PartialOrganization {
  const { orgCode, canonicalOrgCode = orgCode, extends: _extends, hosts = [], ...changes } = file
  const { baseUrl: _baseUrl, partner, ...inheritedFields } = inherited
  const inheritsPartner = file.extends !== undefined && partner !== undefined
  return {
    products: [],
    pricing: [],
    ...merge(inheritsPartner ? { ...inheritedFields, partner } : inheritedFields, changes),
    orgCode,
    canonicalOrgCode,
    hosts,
  }
}

/** Applies a label's file to an organization: its color, its additional logo, and any other changes. */
export function mergeLabel(organization: Organization, file: LabelFile): PartialOrganization {
  const { label: code, name, logoPath, darkLogoPath, ...changes } = file
  const pictures = darkLogoPath === undefined ? { logoPath } : { logoPath, darkLogoPath }
  const { companyInfo, ...labeled } = merge(organization, changes)
  return {
    ...labeled,
    companyInfo: { ...companyInfo, ...logoNextToLabel(companyInfo) },
    label: { code, name, ...pictures },
  }
}

/** Labels have dark colors (§9), so the organization's logo for dark backgrounds is used next to theirs. */
function logoNextToLabel({ darkLogoPath }: Partial<Company>): Partial<Company> {
  return darkLogoPath === undefined ? {} : { logoPath: darkLogoPath }
}

type Changes = Omit<OrganizationFile, 'orgCode' | 'companyInfo' | 'orgBrand'> &
  Pick<LabelFile, 'companyInfo'>

function merge(inherited: PartialOrganization, changes: Changes): PartialOrganization {
  return {
    ...override(inherited, changes, GROUPED_FIELDS),
    companyInfo: override(inherited.companyInfo, changes.companyInfo ?? {}, GROUPED_COMPANY_FIELDS),
    behaviors: override(inherited.behaviors, changes.behaviors ?? {}, {}),
    wallet: override(inherited.wallet, changes.wallet ?? {}, {}),
  }
}

function override<Fields extends object>(
  inherited: Fields,
  changes: object,
  groups: { readonly [Name in keyof Fields]?: readonly (keyof Fields)[] },
): Fields {
  const result: Fields = { ...inherited }
  // The schema of the file has validated names and types of all fields.
  const entries = Object.entries(changes) as [keyof Fields, Fields[keyof Fields] | null][]
  for (const [name] of entries) for (const other of groups[name] ?? []) delete result[other]
  for (const [name, value] of entries) {
    if (value === null) delete result[name]
    else result[name] = value
  }
  return result
}
