/**
 * Organisations as data: every file under `config/organizations` is read and validated when the server starts, and a
 * fault in one stops the start with the file and the field. Nothing else in the product knows which lenders there are.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OrganizationFile, type OrganizationInfo } from '@portico/contracts/organization'
import { ConfigError } from '../config.ts'

/** The organisation of whoever names no other (§6). */
const DEFAULT_ORG_CODE = 'FIGURE'

/** The organisations of an installation. */
export interface Organizations {
  readonly all: readonly OrganizationFile[]
  /** The organisation of a page: by host name, else by the code asked for, else by the one kept, else the default. */
  readonly resolve: (page: {
    readonly host: string
    readonly asked: string | undefined
    readonly kept: string | undefined
  }) => OrganizationFile
  /** A flag for each organisation, true for the page's own (§1). */
  readonly flags: (orgCode: string) => Readonly<Record<string, boolean>>
}

/**
 * Reads the organisations of a folder.
 *
 * @throws ConfigError - naming each file and field that is wrong
 */
export function loadOrganizations(folder: string): Organizations {
  const faults: string[] = []
  const all: OrganizationFile[] = []
  const byCode = new Map<string, OrganizationFile>()
  const byHost = new Map<string, OrganizationFile>()
  const takenBy = new Map<string, string>()
  for (const path of pathsOf(folder)) {
    const file = read(path, faults)
    if (file === undefined) continue
    const hosts = file.hosts.map((host) => host.toLowerCase())
    for (const claim of [`orgCode ${file.orgCode}`, ...hosts.map((host) => `hosts ${host}`)]) {
      const owner = takenBy.get(claim)
      if (owner !== undefined) faults.push(`${path}: ${claim} is taken by ${owner}`)
      takenBy.set(claim, path)
    }
    all.push(file)
    byCode.set(file.orgCode, file)
    for (const host of hosts) byHost.set(host, file)
  }
  const standard = byCode.get(DEFAULT_ORG_CODE)
  if (!standard) faults.push(`${folder} has no organisation with the code ${DEFAULT_ORG_CODE}`)
  if (faults.length > 0 || !standard) throw new ConfigError(faults)
  return {
    all,
    resolve: ({ host, asked, kept }) =>
      byHost.get(host.toLowerCase()) ??
      byCode.get(asked?.toUpperCase() ?? '') ??
      byCode.get(kept ?? '') ??
      standard,
    flags: (orgCode) =>
      Object.fromEntries(all.map((each) => [each.orgCode, each.orgCode === orgCode])),
  }
}

function pathsOf(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(folder, name))
}

function read(path: string, faults: string[]): OrganizationFile | undefined {
  let json: unknown
  try {
    json = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    faults.push(`${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
  const parsed = OrganizationFile.safeParse(json)
  if (parsed.success) return parsed.data
  faults.push(
    ...parsed.error.issues.map(
      ({ path: field, message }) => `${path}: ${field.join('.')} ${message}`,
    ),
  )
  return undefined
}

/** Organisation info as pages receive it (§3). */
export function organizationInfo(file: OrganizationFile, origin: string): OrganizationInfo {
  return {
    baseUrl: file.baseUrl ?? origin,
    canonicalOrgCode: file.canonicalOrgCode ?? file.orgCode,
    orgBrand: file.orgBrand,
    orgCode: file.orgCode,
    orgMetaData: { companyInfo: file.companyInfo, products: file.products },
    orgPricingData: file.pricing,
  }
}
