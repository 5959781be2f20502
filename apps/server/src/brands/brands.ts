/**
 * Brands: the organizations and labels of the configuration folder, with their logos, colors and style sheets. All files are
 * read and checked when the server starts. An error stops the start and names the file and field. No other module depends on
 * particular lenders.
 */
import { MAX_ORGANIZATION_FLAGS } from '@portico/contracts/limits'
import { Label, type OrganizationInfo, type PageLabel } from '@portico/contracts/organization'
import {
  LabelFile,
  type Organization,
  OrganizationFile,
} from '@portico/contracts/organization-file'
import type { Config } from '../config.ts'
import { type ReadFile, readFiles } from '../data-files/data-files.ts'
import { type BrandAppearance, openAppearances, openThemes, type ThemeOf } from './appearance.ts'
import { type Pictures, readPictures, readStyleSheets, type StyleSheet } from './brand-files.ts'
import { inheritOrganizations, openLabels } from './inheritance.ts'
import { type BrandError, brandErrorText, organizationErrors } from './organization-errors.ts'
import {
  type KnownNames,
  type OrganizationNames,
  orgCodesOf,
  readLabelNames,
  readOrganizationNames,
  removeInvalidFields,
} from './organization-files.ts'

export type { BrandAppearance } from './appearance.ts'
export {
  type Picture,
  readPicture,
  readStyleSheet,
  type StyleSheet,
  serveBrandFiles,
  sheetAt,
  type UnlistedFiles,
} from './brand-files.ts'
export { type BrandError, brandErrorText } from './organization-errors.ts'
export { organizationNames, removeInvalidFields } from './organization-files.ts'
export { type Sender, senderOf } from './sender.ts'

export interface Organizations {
  readonly all: readonly Organization[]
  readonly withCode: (orgCode: string) => Organization | undefined
  /** The organization of visitors who name no other. */
  readonly defaultOrganization: Organization
  /**
   * The organization of a page, with the page's label applied. The first match wins: host name, requested code,
   * remembered code, default.
   */
  readonly resolve: (page: {
    readonly host: string
    readonly requested: string | undefined
    readonly remembered: string | undefined
    readonly label: Label | null
  }) => Organization
  /**
   * A flag for each organization, true for the page's own (§1). In very large installations a page receives only its
   * own flag; an absent flag reads as false.
   */
  readonly flags: (orgCode: string) => Readonly<Record<string, boolean>>
}

export interface Brands {
  readonly organizations: Organizations
  readonly appearanceOf: (organization: Organization) => BrandAppearance
  readonly pictures: Pictures
  readonly styleSheets: ReadonlyMap<string, StyleSheet>
}

type DataConfig = Pick<Config, 'configDir' | 'supportPhone' | 'defaultOrgCode'>

/**
 * Brands that can be replaced while the server runs. Modules read the current ones through `brands` and must not hold an
 * organization longer than one request.
 */
export function currentBrands(first: Brands): {
  readonly brands: Brands
  readonly replace: (brands: Brands) => void
} {
  let current = first
  const organizations: Organizations = {
    get all() {
      return current.organizations.all
    },
    get defaultOrganization() {
      return current.organizations.defaultOrganization
    },
    withCode: (orgCode) => current.organizations.withCode(orgCode),
    resolve: (page) => current.organizations.resolve(page),
    flags: (orgCode) => current.organizations.flags(orgCode),
  }
  return {
    brands: {
      organizations,
      appearanceOf: (organization) => current.appearanceOf(organization),
      get pictures() {
        return current.pictures
      },
      get styleSheets() {
        return current.styleSheets
      },
    },
    replace(brands) {
      current = brands
    },
  }
}

/** The organization and label files, without invalid fields, and the names they contain. */
export interface OrganizationFiles {
  readonly organizations: readonly ReadFile<OrganizationFile>[]
  readonly names: readonly OrganizationNames[]
  readonly labels: readonly ReadFile<LabelFile>[]
  readonly labelNames: KnownNames
}

/** What brands are built from. */
export interface BrandSource extends OrganizationFiles {
  readonly configDir: string
  readonly supportPhone: string
  readonly defaultOrgCode: string
  readonly pictures: Pictures
  /** By file name. */
  readonly styleSheets: ReadonlyMap<string, StyleSheet>
  readonly themeOf: ThemeOf
}

/**
 * Reads and checks all brands and adds their errors to `errors`. Without a valid default organization there are no
 * brands. `orgCodes` are the codes of all files, including invalid ones.
 */
export async function loadBrands(
  { configDir, supportPhone, defaultOrgCode }: DataConfig,
  errors: string[],
): Promise<{
  readonly brands: Brands | undefined
  readonly source: BrandSource
  readonly orgCodes: KnownNames
}> {
  const source = {
    configDir,
    supportPhone,
    defaultOrgCode,
    pictures: readPictures(configDir, errors),
    ...readOrganizationFiles(configDir, errors),
    styleSheets: await readStyleSheets(configDir, errors),
    themeOf: openThemes(),
  }
  const found: BrandError[] = []
  const brands = buildBrands(source, found)
  errors.push(...found.map(brandErrorText))
  return { brands, source, orgCodes: orgCodesOf(source.names) }
}

/** Checks and merges brands and adds their errors to `errors`. */
export function buildBrands(source: BrandSource, errors: BrandError[]): Brands | undefined {
  const { pictures, styleSheets } = source
  const organizations = openOrganizations(source, errors)
  if (organizations === undefined) return undefined
  const appearanceOf = openAppearances(everyBrand(organizations), source, errors)
  return { organizations, appearanceOf, pictures, styleSheets }
}

/** Reads the organization and label files and adds their errors to `errors`. */
export function readOrganizationFiles(configDir: string, errors: string[]): OrganizationFiles {
  return {
    organizations: readFiles(
      configDir,
      'organizations',
      OrganizationFile,
      errors,
      removeInvalidFields,
    ),
    labels: readFiles(configDir, 'labels', LabelFile, errors),
    names: readOrganizationNames(configDir),
    labelNames: readLabelNames(configDir),
  }
}

/** Merges organizations and adds their errors to `errors`. Invalid organizations are left out. */
export function openOrganizations(
  {
    organizations: files,
    labels,
    names,
    labelNames,
    pictures,
    supportPhone,
    defaultOrgCode,
  }: Omit<BrandSource, 'configDir' | 'styleSheets' | 'themeOf'>,
  errors: BrandError[],
): Organizations | undefined {
  const orgCodes = orgCodesOf(names)
  const all = inheritOrganizations(files, { supportPhone, defaultOrgCode, orgCodes }, errors)
  errors.push(...organizationErrors(files, { labels, pictures, names, orgCodes }))
  const byCode = new Map(all.map((each) => [each.orgCode, each]))
  const byHost = new Map(all.flatMap((each) => each.hosts.map((host) => [host, each])))
  const defaultOrganization = byCode.get(defaultOrgCode)
  if (defaultOrganization === undefined) return undefined
  const withLabel = openLabels(labels, { defaultOrganization, supportPhone, labelNames }, errors)
  const flagCodes = [...byCode.keys()]
  return {
    all,
    withCode: (orgCode) => byCode.get(orgCode),
    defaultOrganization,
    resolve: ({ host, requested, remembered, label }) => {
      const organization =
        byHost.get(normalizeHost(host)) ??
        byCode.get(requested?.toUpperCase() ?? '') ??
        byCode.get(remembered ?? '') ??
        defaultOrganization
      return label === null ? organization : withLabel(organization, label)
    },
    flags: (orgCode) =>
      flagCodes.length > MAX_ORGANIZATION_FLAGS
        ? { [orgCode]: true }
        : Object.fromEntries(flagCodes.map((code) => [code, code === orgCode])),
  }
}

/** Every organization, and the default organization with each label. */
function everyBrand({ all, resolve }: Organizations): readonly Organization[] {
  const labeled = Label.options.map((label) =>
    resolve({ host: '', requested: undefined, remembered: undefined, label }),
  )
  return [...all, ...labeled]
}

/** Normalizes a host name: lower case, without the trailing dot of the root. */
export function normalizeHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, '')
}

/** Organization info as pages receive it (§3). */
export function organizationInfo(organization: Organization, origin: string): OrganizationInfo {
  const { partner } = organization
  return {
    baseUrl: organization.baseUrl ?? origin,
    canonicalOrgCode: organization.canonicalOrgCode,
    orgBrand: organization.orgBrand,
    orgCode: organization.orgCode,
    orgMetaData: {
      companyInfo: organization.companyInfo,
      products: organization.products,
      ...(partner === undefined ? {} : { partner }),
    },
    orgPricingData: organization.pricing,
  }
}

export function pageLabel({ label }: Organization): PageLabel | null {
  return label ?? null
}
