/**
 * Organisations as data: every file under `config/organizations` and `config/labels` is read and validated when the
 * server starts, and a fault in one stops the start with the file and the field. Nothing else in the product knows which
 * lenders there are.
 */
import { Label, type OrganizationInfo, type PageLabel } from '@portico/contracts/organization'
import { LabelFile, Organization, OrganizationFile } from '@portico/contracts/organization-file'
import {
  labelOver,
  organizationOver,
  type UnfinishedOrganization,
} from '@portico/rules/organization-inheritance'
import { ConfigError } from '../config.ts'
import { faultsOf, type ReadFile, readFiles } from './read-files.ts'

/** The organisation of whoever names no other (§6), and the provider that the others extend. */
const DEFAULT_ORG_CODE = 'FIGURE'

/** The organisations of an installation. */
export interface Organizations {
  readonly all: readonly Organization[]
  /** The organisation of whoever names no other. */
  readonly standard: Organization
  /**
   * The organisation of a page: by host name, else by the code asked for, else by the one kept, else the default; with
   * the page's label over it.
   */
  readonly resolve: (page: {
    readonly host: string
    readonly asked: string | undefined
    readonly kept: string | undefined
    readonly label: Label | null
  }) => Organization
  /** A flag for each organisation, true for the page's own (§1). */
  readonly flags: (orgCode: string) => Readonly<Record<string, boolean>>
}

/**
 * Reads the organisations and labels of a configuration folder.
 *
 * @throws ConfigError - naming each file and field that is wrong
 */
export function loadOrganizations(configDir: string): Organizations {
  const faults: string[] = []
  const files = readFiles(configDir, 'organizations', OrganizationFile, faults)
  const labels = readFiles(configDir, 'labels', LabelFile, faults)
  faults.push(...claimedTwice(files))
  if (!files.some(({ content }) => content.orgCode === DEFAULT_ORG_CODE)) {
    faults.push(
      `organizations: no file has the orgCode ${DEFAULT_ORG_CODE}, which all others extend`,
    )
  }
  const all = inherit(files, faults)
  const byCode = new Map(all.map((each) => [each.orgCode, each]))
  const byHost = new Map(all.flatMap((each) => each.hosts.map((host) => [host, each])))
  const standard = byCode.get(DEFAULT_ORG_CODE)
  const labelled = standard && labelling(labels, standard, faults)
  if (faults.length > 0 || !standard || !labelled) throw new ConfigError(faults)
  return {
    all,
    standard,
    resolve: ({ host, asked, kept, label }) => {
      const organization =
        byHost.get(host.toLowerCase()) ??
        byCode.get(asked?.toUpperCase() ?? '') ??
        byCode.get(kept ?? '') ??
        standard
      return label === null ? organization : labelled(organization, label)
    },
    flags: (orgCode) =>
      Object.fromEntries(all.map((each) => [each.orgCode, each.orgCode === orgCode])),
  }
}

/** What two files may not both have. */
function claimedTwice(files: readonly ReadFile<OrganizationFile>[]): string[] {
  const owners = new Map<string, string>()
  return files.flatMap(({ name, content: { orgCode, hosts = [] } }) =>
    [`orgCode ${orgCode}`, ...hosts.map((host) => `hosts ${host}`)].flatMap((claim) => {
      const owner = owners.get(claim)
      owners.set(claim, name)
      return owner === undefined ? [] : [`${name}: ${claim} is taken by ${owner}`]
    }),
  )
}

/** Lays every file over the one it extends, and reports what is missing after that. */
function inherit(
  files: readonly ReadFile<OrganizationFile>[],
  faults: string[],
): readonly Organization[] {
  const fileOf = new Map(files.map((each) => [each.content.orgCode, each]))
  const done = new Map<string, UnfinishedOrganization>()
  const under = new Set<string>()
  const finish = ({ name, content }: ReadFile<OrganizationFile>): UnfinishedOrganization => {
    const { orgCode } = content
    const known = done.get(orgCode)
    if (known) return known
    under.add(orgCode)
    const parentCode =
      content.extends ?? (orgCode === DEFAULT_ORG_CODE ? undefined : DEFAULT_ORG_CODE)
    const parent = parentCode === undefined ? undefined : fileOf.get(parentCode)
    const circle = parent !== undefined && under.has(parent.content.orgCode)
    if (circle) faults.push(`${name}: extends ${parentCode} leads back to ${orgCode} itself`)
    if (content.extends !== undefined && parent === undefined) {
      faults.push(`${name}: extends ${content.extends}, which no file has as its orgCode`)
    }
    const result = organizationOver(parent && !circle ? finish(parent) : undefined, content)
    under.delete(orgCode)
    done.set(orgCode, result)
    return result
  }
  return files.flatMap((file) => {
    const parsed = Organization.safeParse(finish(file))
    if (parsed.success) return [parsed.data]
    faults.push(...faultsOf(file.name, parsed.error))
    return []
  })
}

/** Gives an organisation with a label over it; each pair is merged once. */
function labelling(
  files: readonly ReadFile<LabelFile>[],
  standard: Organization,
  faults: string[],
): (organization: Organization, label: Label) => Organization {
  const byLabel = new Map(files.map((file) => [file.content.label, file]))
  for (const label of Label.options) {
    const file = byLabel.get(label)
    if (!file) {
      faults.push(`labels: no file has the label ${label}`)
      continue
    }
    const parsed = Organization.safeParse(labelOver(standard, file.content))
    if (!parsed.success) faults.push(...faultsOf(file.name, parsed.error))
  }
  const merged = new WeakMap<Organization, Map<Label, Organization>>()
  return (organization, label) => {
    const file = byLabel.get(label)
    if (!file) return organization
    const own = merged.get(organization) ?? new Map<Label, Organization>()
    merged.set(organization, own)
    const result = own.get(label) ?? Organization.parse(labelOver(organization, file.content))
    own.set(label, result)
    return result
  }
}

/** Organisation info as pages receive it (§3). */
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

/** A page's label, which its organisation carries. */
export function pageLabel({ label }: Organization): PageLabel | null {
  return label ?? null
}
