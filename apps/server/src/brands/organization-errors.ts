import type { LabelFile, OrganizationFile } from '@portico/contracts/organization-file'
import type { ReadFile } from '../data-files/data-files.ts'
import type { Pictures } from './brand-files.ts'
import type { KnownNames, OrganizationNames } from './organization-files.ts'

/** Finds conflicts and broken references between files that are valid individually. */
export function organizationErrors(
  files: readonly ReadFile<OrganizationFile>[],
  {
    labels,
    pictures,
    names,
    orgCodes,
  }: {
    readonly labels: readonly ReadFile<LabelFile>[]
    readonly pictures: Pictures
    readonly names: readonly OrganizationNames[]
    readonly orgCodes: KnownNames
  },
): string[] {
  const isMissing = (path: string | null | undefined) => path != null && !pictures.has(path)
  return [
    ...conflicts(names.flatMap(claimsOf)),
    ...conflicts(
      labels.map(({ name, content }) => ({
        file: name,
        value: `label ${content.label}`,
        owner: name,
      })),
    ),
    ...unknownCanonicalCodes(files, orgCodes),
    ...[
      ...files.flatMap(({ name, content }) => withFile(name, picturesOf(content))),
      ...labels.flatMap(({ name, content }) => withFile(name, labelPictures(content))),
    ].flatMap(({ file, field, path }) =>
      isMissing(path)
        ? [`${file}: ${field} ${path} does not exist; add it to the folder logos`]
        : [],
    ),
  ]
}

/** A unique value that a file claims. Claims with the same `owner` do not conflict. */
interface Claim {
  readonly file: string
  readonly value: string
  readonly owner: string
}

function claimsOf({ file, orgCode, orgBrand, canonicalOrgCode, hosts }: OrganizationNames) {
  // Variants of one company share its brand by naming its canonicalOrgCode.
  const company = canonicalOrgCode ?? orgCode
  const claims: Claim[] = hosts.map((host) => ({ file, value: `hosts ${host}`, owner: file }))
  if (orgCode !== undefined) claims.unshift({ file, value: `orgCode ${orgCode}`, owner: file })
  if (orgBrand !== undefined && company !== undefined) {
    claims.push({ file, value: `orgBrand ${orgBrand}`, owner: company })
  }
  return claims
}

function conflicts(claims: readonly Claim[]): string[] {
  const first = new Map<string, Claim>()
  return claims.flatMap((claim) => {
    const earlier = first.get(claim.value)
    if (earlier === undefined) first.set(claim.value, claim)
    return earlier === undefined || earlier.owner === claim.owner
      ? []
      : [`${claim.file}: ${claim.value} is already used by ${earlier.file}; choose another`]
  })
}

function unknownCanonicalCodes(
  files: readonly ReadFile<OrganizationFile>[],
  orgCodes: KnownNames,
): string[] {
  const valid = new Set<string>(files.map(({ content }) => content.orgCode))
  const own = new Set<string>(
    files
      .filter(({ content }) => (content.canonicalOrgCode ?? content.orgCode) === content.orgCode)
      .map(({ content }) => content.orgCode),
  )
  const isInvalid = (code: string) => orgCodes.has(code) && !valid.has(code)
  return files.flatMap(({ name, content: { canonicalOrgCode } }) =>
    canonicalOrgCode === undefined || own.has(canonicalOrgCode) || isInvalid(canonicalOrgCode)
      ? []
      : [
          `${name}: canonicalOrgCode ${canonicalOrgCode} must be the orgCode of an organization without a canonicalOrgCode`,
        ],
  )
}

type Fields = Readonly<Record<string, string | null | undefined>>

function withFile(file: string, fields: Fields) {
  return Object.entries(fields).map(([field, path]) => ({ file, field, path }))
}

function picturesOf({ companyInfo, partner }: OrganizationFile): Fields {
  return {
    ...companyPictures(companyInfo),
    'partner.logoPath': partner?.logoPath,
    'partner.darkLogoPath': partner?.darkLogoPath,
  }
}

function labelPictures({ logoPath, darkLogoPath, companyInfo }: LabelFile): Fields {
  return { logoPath, darkLogoPath, ...companyPictures(companyInfo) }
}

function companyPictures(company: LabelFile['companyInfo']): Fields {
  return {
    'companyInfo.logoPath': company?.logoPath,
    'companyInfo.darkLogoPath': company?.darkLogoPath,
    'companyInfo.faviconPath': company?.faviconPath,
  }
}
