import type { LabelFile, OrganizationFile } from '@portico/contracts/organization-file'
import type { ReadFile } from '../data-files/data-files.ts'
import type { Pictures } from './pictures.ts'

/** What is wrong with files that are each right by themselves. */
export function faultsBetween(
  files: readonly ReadFile<OrganizationFile>[],
  {
    labels,
    pictures,
    codes,
  }: {
    readonly labels: readonly ReadFile<LabelFile>[]
    readonly pictures: Pictures
    /** Codes of all files, of those with an error too. */
    readonly codes: ReadonlySet<string>
  },
): string[] {
  const isMissing = (path: string | null | undefined) => path != null && !pictures.has(path)
  return [
    ...claimedTwice(files.flatMap(claimsOf)),
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

function claimsOf({ name: file, content }: ReadFile<OrganizationFile>): Claim[] {
  const { orgCode, hosts = [], orgBrand, canonicalOrgCode = orgCode } = content
  return [
    { file, what: `orgCode ${orgCode}`, by: file },
    ...hosts.map((host) => ({ file, what: `hosts ${host}`, by: file })),
    // Variants of one company share its brand, and say so.
    { file, what: `orgBrand ${orgBrand}`, by: canonicalOrgCode },
  ]
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
  codes: ReadonlySet<string>,
): string[] {
  const read = new Set(files.map(({ content }) => content.orgCode))
  const unread = [...codes].filter((code) => !read.has(code))
  const own = new Set<string>([
    ...unread,
    ...files
      .filter(({ content }) => (content.canonicalOrgCode ?? content.orgCode) === content.orgCode)
      .map(({ content }) => content.orgCode),
  ])
  return files.flatMap(({ name, content: { canonicalOrgCode } }) =>
    canonicalOrgCode === undefined || own.has(canonicalOrgCode)
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
