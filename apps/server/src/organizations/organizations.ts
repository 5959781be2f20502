/**
 * Organizations as data. Every file under `config/organizations`, `config/labels` and `config/logos` is read and
 * validated when the server starts; an error stops the start and names the file and field. Nothing else in the product
 * depends on particular lenders.
 */
import { ORGANIZATION_FLAGS_MAXIMUM } from '@portico/contracts/limits'
import type { Label, OrganizationInfo, PageLabel } from '@portico/contracts/organization'
import {
  LabelFile,
  type Organization,
  OrganizationFile,
} from '@portico/contracts/organization-file'
import type { Config } from '../config.ts'
import { readFiles } from '../data-files/data-files.ts'
import {
  type DeclaredNames,
  declaredOrgCodes,
  readDeclaredLabels,
  readDeclaredOrganizations,
} from './declared.ts'
import { DEFAULT_ORG_CODE, inheritAll } from './inherit-all.ts'
import { labeling } from './labeling.ts'
import { organizationErrors } from './organization-errors.ts'
import { type Pictures, readPictures } from './pictures.ts'
import { withoutErrors } from './without-errors.ts'

export interface Organizations {
  readonly all: readonly Organization[]

  readonly withCode: (orgCode: string) => Organization | undefined
  /** The organization of visitors that name no other. */
  readonly standard: Organization
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

/** Organizations with their pictures, as loaded at startup. */
export interface LoadedOrganizations extends Organizations {
  readonly pictures: Pictures
  /** The codes of all files, including invalid ones. */
  readonly codes: DeclaredNames
}

/**
 * Reads the organizations, labels and pictures of the configuration folder and adds their errors to `errors`. Invalid
 * organizations are left out. Returns undefined if the default organization is missing or invalid.
 */
export function loadOrganizations(
  { configDir, supportPhone }: Pick<Config, 'configDir' | 'supportPhone'>,
  errors: string[],
): LoadedOrganizations | undefined {
  const pictures = readPictures(configDir, errors)
  const files = readFiles(configDir, 'organizations', OrganizationFile, errors, withoutErrors)
  const labels = readFiles(configDir, 'labels', LabelFile, errors)
  const declared = readDeclaredOrganizations(configDir)
  const codes = declaredOrgCodes(declared)
  const all = inheritAll(files, { supportPhone, codes }, errors)
  errors.push(...organizationErrors(files, { labels, pictures, declared, codes }))
  const byCode = new Map(all.map((each) => [each.orgCode, each]))
  const byHost = new Map(all.flatMap((each) => each.hosts.map((host) => [host, each])))
  const standard = byCode.get(DEFAULT_ORG_CODE)
  if (standard === undefined) return undefined
  const labeled = labeling(
    labels,
    { standard, supportPhone, declared: readDeclaredLabels(configDir) },
    errors,
  )
  const flagCodes = [...byCode.keys()]
  return {
    all,
    codes,
    withCode: (orgCode) => byCode.get(orgCode),
    standard,
    pictures,
    resolve: ({ host, requested, remembered, label }) => {
      const organization =
        byHost.get(normalizeHost(host)) ??
        byCode.get(requested?.toUpperCase() ?? '') ??
        byCode.get(remembered ?? '') ??
        standard
      return label === null ? organization : labeled(organization, label)
    },
    flags: (orgCode) =>
      flagCodes.length > ORGANIZATION_FLAGS_MAXIMUM
        ? { [orgCode]: true }
        : Object.fromEntries(flagCodes.map((code) => [code, code === orgCode])),
  }
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
