import type { LabelFile, OrganizationFile } from '@portico/contracts/organization-file'
import type { ReadFile } from '../data-files/data-files.ts'
import type { DeclaredNames, DeclaredOrganization } from './declared.ts'
import type { Pictures } from './pictures.ts'

/** What is wrong with files that are each right by themselves. */
export function organizationErrors(
  files: readonly ReadFile<OrganizationFile>[],
  {
    labels,
    pictures,
    declared,
    codes,
  }: {
    readonly labels: readonly ReadFile<LabelFile>[]
    readonly pictures: Pictures
    /** Of all files, of those with an error too, as are the codes. */
    readonly declared: readonly DeclaredOrganization[]
    readonly codes: DeclaredNames
  },
): string[] {
  const isMissing = (path: string | null | undefined) => path != null && !pictures.has(path)
  return [
    ...claimedTwice(declared.flatMap(claimsOf)),
    ...claimedTwice(
      labels.map(({ name, content }) => ({ file: name, what: `label ${content.label}`, by: name })),
    ),
    ...unknownCanonicalCodes(files, codes),
    ...[
      ...files.flatMap(({ name, content }) => named(name, picturesOf(content))),
      ...labels.flatMap(({ name, content }) => named(name, labelPictures(content))),
    ].flatMap(({ file, field, path }) =>
      isMissing(path)
        ? [`${file}: ${field} ${path} is not there; put it into the folder logos`]
        : [],
    ),
  ]
}

/** Something that only one may have; `by` tells whether two claims are one and the same owner's. */
interface Claim {
  readonly file: string
  readonly what: string
  readonly by: string
}

function claimsOf({ file, orgCode, orgBrand, canonicalOrgCode, hosts }: DeclaredOrganization) {
  // Variants of one company share its brand, and say so.
  const company = canonicalOrgCode ?? orgCode
  const claims: Claim[] = hosts.map((host) => ({ file, what: `hosts ${host}`, by: file }))
  if (orgCode !== undefined) claims.unshift({ file, what: `orgCode ${orgCode}`, by: file })
  if (orgBrand !== undefined && company !== undefined) {
    claims.push({ file, what: `orgBrand ${orgBrand}`, by: company })
  }
  return claims
}

function claimedTwice(claims: readonly Claim[]): string[] {
  const first = new Map<string, Claim>()
  return claims.flatMap((claim) => {
    const owner = first.get(claim.what)
    if (owner === undefined) first.set(claim.what, claim)
    return owner === undefined || owner.by === claim.by
      ? []
      : [`${claim.file}: ${claim.what} is taken by ${owner.file}; choose another`]
  })
}

function unknownCanonicalCodes(
  files: readonly ReadFile<OrganizationFile>[],
  codes: DeclaredNames,
): string[] {
  const read = new Set<string>(files.map(({ content }) => content.orgCode))
  const own = new Set<string>(
    files
      .filter(({ content }) => (content.canonicalOrgCode ?? content.orgCode) === content.orgCode)
      .map(({ content }) => content.orgCode),
  )
  const isUnread = (code: string) => codes.has(code) && !read.has(code)
  return files.flatMap(({ name, content: { canonicalOrgCode } }) =>
    canonicalOrgCode === undefined || own.has(canonicalOrgCode) || isUnread(canonicalOrgCode)
      ? []
      : [`${name}: canonicalOrgCode ${canonicalOrgCode} must be the orgCode of a file without one`],
  )
}

type Fields = Readonly<Record<string, string | null | undefined>>

function named(file: string, fields: Fields) {
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
