import { LENDER_BADGES, type OrganizationInfo } from '@portico/contracts/organization'
import { formatPhone, phoneLink } from './phone.ts'

type MetaData = OrganizationInfo['orgMetaData']

/** The branding of a company on its pages (§1): logo, metadata and prices. */
export interface Branding {
  readonly logoPath: string
  /** The metadata after inheritance and label. */
  readonly metaData: MetaData
  /** The products, each with its prices. */
  readonly offers: readonly (MetaData['products'][number] & {
    readonly pricing: OrganizationInfo['orgPricingData']
  })[]
  /** The text of the lender badge (§9). */
  readonly badge: string
  readonly nmls: string
  readonly phone: { readonly label: string; readonly href: string }
  /** The company's trust sentence, or the legally required disclosures. */
  readonly trust: string
}

/** Replaces spaces with non-breaking ones, so that a fact such as the NMLS number stays on one line. */
const withNonBreakingSpaces = (text: string) => text.replaceAll(' ', '\u00a0')

/**
 * The company's name with soft hyphens between its parts. Browsers have hyphenation dictionaries for few languages, and
 * without one, a word longer than the line breaks anywhere. Parts that were inherited with a different name are ignored.
 */
export function hyphenatedName({
  name,
  nameParts = [],
}: Pick<MetaData['companyInfo'], 'name' | 'nameParts'>): string {
  return nameParts.join('') === name ? nameParts.join('\u00ad') : name
}

/** Derives the branding of an organization. */
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
    trust:
      trustSentence ??
      `${legalName}, ${withNonBreakingSpaces(nmls)}. ${withNonBreakingSpaces(`${badge}.`)}`,
  }
}
