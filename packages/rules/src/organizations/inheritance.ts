/**
 * Inheritance: the provider, then the organization, then the label, each overriding by field (§1). `null` takes away what
 * is inherited. What comes out is unfinished until a schema has found that nothing is missing.
 */
import type {
  LabelFile,
  Organization,
  OrganizationFile,
} from '@portico/contracts/organization-file'

type Company = Organization['companyInfo']

/** An organization of which fields may be missing still. */
export type UnfinishedOrganization = Partial<
  Omit<Organization, 'companyInfo' | 'behaviors' | 'wallet'>
> & {
  readonly companyInfo: Partial<Company>
  readonly behaviors: Partial<Organization['behaviors']>
  readonly wallet: Partial<Organization['wallet']>
}

/**
 * Fields that belong together: who gives the first has none of the others from elsewhere. A lender's logo must not turn
 * into another's in the dark, nor its legal name stand beside another's license.
 */
const TOGETHER = {
  brandColor: ['darkBrandColor'],
  products: ['pricing'],
} as const
const TOGETHER_IN_COMPANY = {
  legalName: ['nmlsNumber', 'badge'],
  nmlsNumber: ['legalName', 'badge'],
  logoPath: ['darkLogoPath', 'faviconPath'],
} as const

/**
 * An organization's file over the organization it extends. Codes, hosts and base address are its own alone. Its
 * credit-score partner is a contract of its own: only a variant, whose file names what it extends, inherits one.
 */
export function organizationOver(
  inherited: UnfinishedOrganization,
  file: OrganizationFile,
): UnfinishedOrganization {
  const { orgCode, canonicalOrgCode = orgCode, extends: _extends, hosts = [], ...changes } = file
  const { baseUrl: _baseUrl, partner, ...kept } = inherited
  const inheritsPartner = file.extends !== undefined && partner !== undefined
  return {
    products: [],
    pricing: [],
    ...merged(inheritsPartner ? { ...kept, partner } : kept, changes),
    orgCode,
    canonicalOrgCode,
    hosts,
  }
}

/** A label over the organization it comes with: its color, its logo beside, and whatever else its file changes. */
export function labelOver(organization: Organization, file: LabelFile): UnfinishedOrganization {
  const { label: code, name, logoPath, darkLogoPath, ...changes } = file
  const pictures = darkLogoPath === undefined ? { logoPath } : { logoPath, darkLogoPath }
  const { companyInfo, ...labeled } = merged(organization, changes)
  return {
    ...labeled,
    companyInfo: { ...companyInfo, ...logoBesideOthers(companyInfo) },
    label: { code, name, ...pictures },
  }
}

/** Labels bring a dark color (§9) and a logo for it; a logo that was drawn for a pale one would not match. */
function logoBesideOthers({ darkLogoPath }: Partial<Company>): Partial<Company> {
  return darkLogoPath === undefined ? {} : { logoPath: darkLogoPath }
}

type Changes = Omit<OrganizationFile, 'orgCode' | 'companyInfo' | 'orgBrand'> &
  Pick<LabelFile, 'companyInfo'>

function merged(inherited: UnfinishedOrganization, changes: Changes): UnfinishedOrganization {
  return {
    ...overridden(inherited, changes, TOGETHER),
    companyInfo: overridden(inherited.companyInfo, changes.companyInfo ?? {}, TOGETHER_IN_COMPANY),
    behaviors: overridden(inherited.behaviors, changes.behaviors ?? {}, {}),
    wallet: overridden(inherited.wallet, changes.wallet ?? {}, {}),
  }
}

function overridden<Fields extends object>(
  inherited: Fields,
  changes: object,
  together: { readonly [Name in keyof Fields]?: readonly (keyof Fields)[] },
): Fields {
  const result: Fields = { ...inherited }
  // The schema of changes knows no other fields, and has parsed each, so that fields keep their types.
  const given = Object.entries(changes) as [keyof Fields, Fields[keyof Fields] | null][]
  for (const [name] of given) for (const other of together[name] ?? []) delete result[other]
  for (const [name, value] of given) {
    if (value === null) delete result[name]
    else result[name] = value
  }
  return result
}
