import { LENDER_BADGES, type OrganizationInfo } from '@portico/contracts/organization'
import { formatPhone, phoneLink } from '../phone.ts'

type MetaData = OrganizationInfo['orgMetaData']

/** A company as its pages speak of it (§1): its logo, its metadata and its prices. */
export interface Branding {
  readonly logoPath: string
  /** What an organization, all that it inherits and its label come to. */
  readonly metaData: MetaData
  /** What it offers, each with its prices. */
  readonly offers: readonly (MetaData['products'][number] & {
    readonly pricing: OrganizationInfo['orgPricingData']
  })[]
  /** The lender badge in words (§9). */
  readonly badge: string
  readonly nmls: string
  readonly phone: { readonly label: string; readonly href: string }
  /** One sentence on who is speaking: the company's own, else what the law wants to be known. */
  readonly trust: string
}

/** A line breaks between facts, not within one. */
const unbroken = (words: string) => words.replaceAll(' ', '\u00a0')

/**
 * The company's name with a soft hyphen where its parts meet. Browsers have a dictionary for few languages, and without
 * one a word longer than the line breaks anywhere. Parts that were inherited with another name do not count.
 */
export function hyphenatedName({
  name,
  nameParts = [],
}: Pick<MetaData['companyInfo'], 'name' | 'nameParts'>): string {
  return nameParts.join('') === name ? nameParts.join('\u00ad') : name
}

/** The branding of the organization that a page belongs to. */
export function branding({ orgMetaData, orgPricingData }: OrganizationInfo): Branding {
  const { companyInfo, products } = orgMetaData
  const { logoPath, name, nmlsNumber, supportPhone, trustSentence } = companyInfo
  const legalName = companyInfo.legalName.replace(name, () => hyphenatedName(companyInfo))
  const badge = LENDER_BADGES[companyInfo.badge]
  const nmls = `NMLS #${nmlsNumber}`
  return {
    logoPath,
    metaData: orgMetaData,
    offers: products.map((product) => ({
      ...product,
      pricing: orgPricingData.filter(({ productCode }) => productCode === product.code),
    })),
    badge,
    nmls,
    phone: { label: formatPhone(supportPhone), href: phoneLink(supportPhone) },
    trust: trustSentence ?? `${legalName}, ${unbroken(nmls)}. ${unbroken(`${badge}.`)}`,
  }
}
