/**
 * Organizations as data: every file under `config/organizations`, `config/labels` and `config/logos` is read and
 * validated when the server starts, and an error in one stops the start and names the file and the field. Nothing else in
 * the product depends on which lenders there are.
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

/** The organizations of an installation. */
export interface Organizations {
  readonly all: readonly Organization[]
  /** The organization with this code, if there is one. */
  readonly withCode: (orgCode: string) => Organization | undefined
  /** The organization of whoever names no other. */
  readonly standard: Organization
  /**
   * The organization of a page: by host name, else by the code asked for, else by the one kept, else the default; with
   * the page's label over it.
   */
  readonly resolve: (page: {
    readonly host: string
    readonly asked: string | undefined
    readonly kept: string | undefined
    readonly label: Label | null
  }) => Organization
  /**
   * A flag for each organization, true for the page's own (§1). An installation of very many tells a page of its own only,
   * which says the same to whoever reads it as a flag.
   */
  readonly flags: (orgCode: string) => Readonly<Record<string, boolean>>
}

/** Organizations as they are read, with the pictures that came with them. */
export interface LoadedOrganizations extends Organizations {
  readonly pictures: Pictures
  /** Every code that a file claims, whatever else is wrong with the file. */
  readonly codes: DeclaredNames
}

/**
 * Reads the organizations, labels and pictures of the configuration folder, and adds what is wrong with them to `errors`.
 * Organizations with an error are left out; without the default organization there are none.
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
    resolve: ({ host, asked, kept, label }) => {
      const organization =
        byHost.get(plainHost(host)) ??
        byCode.get(asked?.toUpperCase() ?? '') ??
        byCode.get(kept ?? '') ??
        standard
      return label === null ? organization : labeled(organization, label)
    },
    flags: (orgCode) =>
      flagCodes.length > ORGANIZATION_FLAGS_MAXIMUM
        ? { [orgCode]: true }
        : Object.fromEntries(flagCodes.map((code) => [code, code === orgCode])),
  }
}

/** A host name as files write it: a name may be asked for in any case, and with the dot of the root behind it. */
export function plainHost(host: string): string {
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

/** A page's label, which its organization carries. */
export function pageLabel({ label }: Organization): PageLabel | null {
  return label ?? null
}
