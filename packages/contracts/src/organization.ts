import * as z from 'zod/mini'
import { hasInvisibleCharacters } from './characters.ts'
import { nameText } from './text.ts'

/**
 * A link in brand data: a path on our site or an https address. Excludes script URLs and anything that disguises the
 * destination.
 */
export const BrandLink = z.string().check(
  z.maxLength(512),
  z.refine(
    (link) => leadsToPath(link) || leadsToHttps(link),
    'must be a path beginning with / or an https address without a password',
  ),
)

function leadsToPath(link: string): boolean {
  return /^\/(?![/\\])[^\s\\]*$/.test(link) && !hasInvisibleCharacters(link)
}

function leadsToHttps(link: string): boolean {
  if (!/^https:\/\/[^\s\\]+$/.test(link) || hasInvisibleCharacters(link)) return false
  const url = URL.parse(link)
  return url?.username === '' && url.password === ''
}

/** A brand image: one of our own files, because pages load nothing from other hosts. */
export const BrandPicture = z
  .string()
  .check(
    z.regex(
      /^\/brand\/[a-z0-9][a-z0-9-]{0,62}\.(?:svg|png)$/,
      'must be /brand/NAME.svg or /brand/NAME.png, a file in the folder logos, NAME in lower case letters, digits and hyphens',
    ),
  )

/** A phone number in any common notation. */
export const Phone = z
  .string()
  .check(
    z.regex(/^(?=(?:\D*\d){7})\+?[0-9 ().-]{7,19}$/, 'must be a phone number such as 800-555-0142'),
  )

export const OrgCode = z
  .string()
  .check(z.regex(/^[A-Z][A-Z0-9_]{1,39}$/, 'must be upper case letters, digits and underscores'))

/** The badge in a lender's footer (§9). */
export const LenderBadge = z.enum(['EHL', 'EOL', 'EHO'])

/** Badge texts (§9). */
export const LENDER_BADGES: Readonly<Record<z.output<typeof LenderBadge>, string>> = {
  EHL: 'Equal Housing Lender',
  EOL: 'Equal Opportunity Lender',
  EHO: 'Equal Housing Opportunity',
}

/**
 * The company as visitors see it.
 *
 * - `nameParts`: where a long name may break on a narrow screen; joined, they are the name.
 * - `logoPath` is shown on the brand color; `darkLogoPath` replaces it in dark mode.
 * - `faviconPath`: the browser tab's icon; by default the company's initial on its color.
 * - `trustSentence`: a sentence about the company beside its forms; by default its name, NMLS number and badge.
 */
export const CompanyInfo = z.strictObject({
  name: nameText({ max: 80 }),
  nameParts: z.optional(z.array(nameText({ max: 80 })).check(z.minLength(2), z.maxLength(10))),
  legalName: nameText({ max: 120 }),
  logoPath: BrandPicture,
  darkLogoPath: z.optional(BrandPicture),
  faviconPath: z.optional(BrandPicture),
  trustSentence: z.optional(nameText({ max: 200 })),
  supportPhone: Phone,
  supportEmail: z.email().check(z.maxLength(254)),
  nmlsNumber: z.string().check(z.regex(/^[0-9]{1,12}$/, 'must be digits')),
  badge: z._default(LenderBadge, 'EHO'),
  termsUrl: BrandLink,
  privacyUrl: BrandLink,
  licensesUrl: BrandLink,
  electronicCommunicationsUrl: BrandLink,
})

export type CompanyInfo = z.output<typeof CompanyInfo>

export const Product = z.strictObject({
  code: nameText({ max: 40 }),
  name: nameText({ max: 80 }),
})

/** The interest rates of a product. */
export const Pricing = z
  .strictObject({
    productCode: nameText({ max: 40 }),
    minimumRatePercent: z.number().check(z.gte(0), z.lte(100)),
    maximumRatePercent: z.number().check(z.gte(0), z.lte(100)),
  })
  .check(
    z.refine(
      ({ minimumRatePercent, maximumRatePercent }) => minimumRatePercent <= maximumRatePercent,
      { path: ['minimumRatePercent'], error: 'must not be above maximumRatePercent' },
    ),
  )

/** The credit-score partner that embeds a lender's partner onboarding (§2.5). */
export const Partner = z.strictObject({
  name: nameText({ max: 80 }),
  logoPath: BrandPicture,
  darkLogoPath: z.optional(BrandPicture),
})

export type Partner = z.output<typeof Partner>

/**
 * Named differences between organizations (§2.3). Pages read a behavior; they never check which lender it is.
 *
 * - `loginHeading`: 'heloc' reads 'Log in to your HELOC account with {company}'.
 * - `registerLink`: 'hidden' hides 'Register here' (wholesale brands).
 * - `registerAt`: 'register' leads to /register, 'legacy' to account/heloc/register unless there is a redirectUrl.
 * - `registerReferrer`: a fixed `referrer` query value on that link.
 * - `signerLink`: 'hidden' hides the 'Mortgage signer with access code' link.
 * - `loginMovedTo`: where the organization's login has moved; visitors who request a passcode are sent there instead.
 */
export const Behaviors = z.strictObject({
  loginHeading: z._default(z.enum(['standard', 'heloc']), 'standard'),
  registerLink: z._default(z.enum(['shown', 'hidden']), 'shown'),
  registerAt: z._default(z.enum(['register', 'legacy']), 'legacy'),
  registerReferrer: z.optional(nameText({ max: 64 })),
  signerLink: z._default(z.enum(['shown', 'hidden']), 'shown'),
  loginMovedTo: z.optional(BrandLink),
})

export type Behaviors = z.output<typeof Behaviors>

/** The default names and store links of the wallets (§2.7, §2.8). */
export const DEFAULT_WALLET_BRAND = {
  walletName: 'Figure Wallet',
  accountName: 'Figure Account',
  mobileName: 'Figure Mobile Wallet',
  appleStoreUrl: 'https://apps.apple.com/us/app/figure-wallet/id6444263900',
  googleStoreUrl: 'https://play.google.com/store/apps/details?id=com.figure.mobile.wallet',
  extensionUrl:
    'https://chrome.google.com/webstore/detail/figure-wallet/mgbfflhghaohmaecmaggieniidindaoc',
  firefoxExtensionUrl: 'https://addons.mozilla.org/en-US/firefox/addon/figure-wallet/',
} as const

const WalletText = nameText({ max: 40 })

/** An organization's names and store links for the wallets. */
export const WalletBrand = z.strictObject({
  walletName: z._default(WalletText, DEFAULT_WALLET_BRAND.walletName),
  accountName: z._default(WalletText, DEFAULT_WALLET_BRAND.accountName),
  mobileName: z._default(WalletText, DEFAULT_WALLET_BRAND.mobileName),
  appleStoreUrl: z._default(BrandLink, DEFAULT_WALLET_BRAND.appleStoreUrl),
  googleStoreUrl: z._default(BrandLink, DEFAULT_WALLET_BRAND.googleStoreUrl),
  extensionUrl: z._default(BrandLink, DEFAULT_WALLET_BRAND.extensionUrl),
  firefoxExtensionUrl: z._default(BrandLink, DEFAULT_WALLET_BRAND.firefoxExtensionUrl),
})

export type WalletBrand = z.output<typeof WalletBrand>

/** Organization info as pages receive it (§3). */
export const OrganizationInfo = z.object({
  baseUrl: z.string(),
  canonicalOrgCode: OrgCode,
  orgBrand: z.string(),
  orgCode: OrgCode,
  orgMetaData: z.object({
    companyInfo: CompanyInfo,
    products: z.array(Product),
    partner: z.optional(Partner),
  }),
  orgPricingData: z.array(Pricing),
})

export type OrganizationInfo = z.output<typeof OrganizationInfo>

/** The four partner labels (§1). */
export const Label = z.enum(['apollo', 'hamilton', 'outpost', 'novawulf'])

export type Label = z.output<typeof Label>

/** A label on a page: the partner's name and logo beside the organization's. */
export const PageLabel = z.strictObject({
  code: Label,
  name: nameText({ max: 80 }),
  logoPath: BrandPicture,
  darkLogoPath: z.optional(BrandPicture),
})

export type PageLabel = z.output<typeof PageLabel>
