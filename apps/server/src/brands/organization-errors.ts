import type { LabelFile, OrganizationFile } from '@portico/contracts/organization-file'
import type { FieldError, ReadFile } from '../data-files/data-files.ts'
import type { Pictures } from './brand-files.ts'
import type { KnownNames, OrganizationNames } from './organization-files.ts'

/** An error in an organization or label. */
export interface BrandError extends FieldError {
  /** The organization; undefined for labels and for the files as a whole. */
  readonly orgCode?: string
  /** The file, organization or label, as named in messages for operators. */
  readonly source: string
}

export function brandErrorText({ source, field, message }: BrandError): string {
  return `${source}: ${field === '' ? '' : `${field} `}${message}`
}

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
): BrandError[] {
  const isMissing = (path: string | null | undefined) => path != null && !pictures.has(path)
  return [
    ...conflicts(names.flatMap(claimsOf)),
    ...conflicts(
      labels.map(({ name, content }) => ({
        file: name,
        orgCode: undefined,
        field: 'label',
        value: content.label,
        owner: name,
      })),
    ),
    ...unknownCanonicalCodes(files, orgCodes),
    ...[
      ...files.flatMap(({ name, content }) =>
        withSource({ source: name, orgCode: content.orgCode }, picturesOf(content)),
      ),
      ...labels.flatMap(({ name, content }) =>
        withSource({ source: name }, labelPictures(content)),
      ),
    ].flatMap(({ path, ...found }) =>
      isMissing(path)
        ? [{ ...found, message: `${path} does not exist; add it to the folder logos` }]
        : [],
    ),
  ]
}

/** A unique value that a file claims. Claims with the same `owner` do not conflict. */
interface Claim {
  readonly file: string
  readonly orgCode: string | undefined
  readonly field: string
  readonly value: string
  readonly owner: string
}

function claimsOf({ file, orgCode, orgBrand, canonicalOrgCode, hosts }: OrganizationNames) {
  // Variants of one company share its brand by naming its canonicalOrgCode.
  const company = canonicalOrgCode ?? orgCode
  const claim = (field: string, value: string, owner = file): Claim => {
    return { file, orgCode, field, value, owner }
  }
  const claims = hosts.map((host) => claim('hosts', host))
  if (orgCode !== undefined) claims.unshift(claim('orgCode', orgCode))
  if (orgBrand !== undefined && company !== undefined) {
    claims.push(claim('orgBrand', orgBrand, company))
  }
  return claims
}

function conflicts(claims: readonly Claim[]): BrandError[] {
  const first = new Map<string, Claim>()
  return claims.flatMap((claim) => {
    const { file, orgCode, field, value } = claim
    const key = `${field} ${value}`
    const earlier = first.get(key)
    if (earlier === undefined) first.set(key, claim)
    if (earlier === undefined || earlier.owner === claim.owner) return []
    return [
      {
        source: file,
        ...(orgCode === undefined ? {} : { orgCode }),
        field,
        message: `${value} is already used by ${earlier.file}; choose another`,
      },
    ]
  })
}

function unknownCanonicalCodes(
  files: readonly ReadFile<OrganizationFile>[],
  orgCodes: KnownNames,
): BrandError[] {
  const valid = new Set<string>(files.map(({ content }) => content.orgCode))
  const own = new Set<string>(
    files
      .filter(({ content }) => (content.canonicalOrgCode ?? content.orgCode) === content.orgCode)
      .map(({ content }) => content.orgCode),
  )
  const isInvalid = (code: string) => orgCodes.has(code) && !valid.has(code)
  return files.flatMap(({ name, content: { orgCode, canonicalOrgCode } }) =>
    canonicalOrgCode === undefined || own.has(canonicalOrgCode) || isInvalid(canonicalOrgCode)
      ? []
      : [
          {
            source: name,
            orgCode,
            field: 'canonicalOrgCode',
            message: `${canonicalOrgCode} must be the orgCode of an organization without a canonicalOrgCode`,
          },
        ],
  )
}

type Fields = Readonly<Record<string, string | null | undefined>>

function withSource(source: Pick<BrandError, 'source' | 'orgCode'>, fields: Fields) {
  return Object.entries(fields).map(([field, path]) => ({ ...source, field, path }))
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
