import * as z from 'zod/mini'
import { brandText, hasUnseenCharacters } from './text.ts'

/** A link in brand data: our own path or an https address, nothing that could run and nothing that hides where it leads. */
export const BrandLink = z.string().check(
  z.maxLength(512),
  z.refine(
    (link) => leadsToPath(link) || leadsToHttps(link),
    'must be a path beginning with / or an https address without a password',
  ),
)

function leadsToPath(link: string): boolean {
  return /^\/(?![/\\])[^\s\\]*$/.test(link) && !hasUnseenCharacters(link)
}

function leadsToHttps(link: string): boolean {
  if (!/^https:\/\/[^\s\\]+$/.test(link) || hasUnseenCharacters(link)) return false
  return URL.parse(link)?.username === ''
}

/** A picture of a brand: a file of our own, because a page loads nothing from anywhere else. */
export const BrandPicture = z
  .string()
  .check(
    z.regex(
      /^\/brand\/[a-z0-9][a-z0-9-]{0,62}\.(?:svg|png)$/,
      'must be /brand/NAME.svg or /brand/NAME.png, a file in the folder logos, NAME in lower case letters, digits and hyphens',
    ),
  )

/** A telephone number as people write one. */
export const Phone = z
  .string()
  .check(
    z.regex(/^(?=(?:\D*\d){7})\+?[0-9 ().-]{7,19}$/, 'must be a phone number such as 800-555-0142'),
  )

/** An organization's code: upper case, digits and underscores. */
export const OrgCode = z
  .string()
  .check(z.regex(/^[A-Z][A-Z0-9_]{1,39}$/, 'must be upper case letters, digits and underscores'))

/** The badge a lender shows in its footer (§9). */
export const LenderBadge = z.enum(['EHL', 'EOL', 'EHO'])

/** Badge texts (§9). */
export const LENDER_BADGES: Readonly<Record<z.output<typeof LenderBadge>, string>> = {
  EHL: 'Equal Housing Lender',
  EOL: 'Equal Opportunity Lender',
  EHO: 'Equal Housing Opportunity',
}

/**
 * What visitors see and read of a company, and where its links lead.
 *
 * - `nameParts`: where a name with a very long word may break on a narrow screen; together they are the name.
 * - `logoPath` stands on the brand color; `darkLogoPath` takes its place where pages are dark.
 * - `faviconPath`: a picture for the browser's tab; the company's initial on its color where there is none.
 * - `trustSentence`: one sentence about the company beside its forms; name, NMLS number and badge where there is none.
 */
export const CompanyInfo = z.strictObject({
  name: brandText({ max: 80 }),
  nameParts: z.optional(z.array(brandText({ max: 80 })).check(z.minLength(2), z.maxLength(10))),
  legalName: brandText({ max: 120 }),
  logoPath: BrandPicture,
  darkLogoPath: z.optional(BrandPicture),
  faviconPath: z.optional(BrandPicture),
  trustSentence: z.optional(brandText({ max: 200 })),
  supportPhone: Phone,
  supportEmail: z.email().check(z.maxLength(254)),
  nmlsNumber: z.string().check(z.regex(/^[0-9]{1,12}$/, 'must be digits')),
  badge: z._default(LenderBadge, 'EHO'),
  termsUrl: BrandLink,
  privacyUrl: BrandLink,
  licensesUrl: BrandLink,
  electronicCommunicationsUrl: BrandLink,
})

/** The parsed form of `CompanyInfo`. */
export type CompanyInfo = z.output<typeof CompanyInfo>

/** What a company offers, as the pages name it. */
export const Product = z.strictObject({
  code: brandText({ max: 40 }),
  name: brandText({ max: 80 }),
})

/** Prices a company shows for a product. */
export const Pricing = z
  .strictObject({
    productCode: brandText({ max: 40 }),
    minimumRatePercent: z.number().check(z.gte(0), z.lte(100)),
    maximumRatePercent: z.number().check(z.gte(0), z.lte(100)),
  })
  .check(
    z.refine(
      ({ minimumRatePercent, maximumRatePercent }) => minimumRatePercent <= maximumRatePercent,
      { path: ['minimumRatePercent'], error: 'must not be above maximumRatePercent' },
    ),
  )

/** The company in whose pages a lender's partner onboarding stands: the credit-score partner (§2.5). */
export const Partner = z.strictObject({
  name: brandText({ max: 80 }),
  logoPath: BrandPicture,
  darkLogoPath: z.optional(BrandPicture),
})

/** The parsed form of `Partner`. */
export type Partner = z.output<typeof Partner>

/**
 * Named differences between organizations (§2.3). A page reads the behavior; no page asks which lender it is.
 *
 * - `loginHeading`: 'heloc' says 'Log in to your HELOC account with {company}'.
 * - `registerLink`: 'hidden' shows no 'Register here' (wholesale brands).
 * - `registerAt`: 'register' leads to /register, 'legacy' to account/heloc/register unless a redirectUrl exists.
 * - `registerReferrer`: a fixed `referrer` query value on that link.
 * - `signerLink`: 'hidden' shows no 'Mortgage signer with access code' link.
 * - `loginMovedTo`: the organization's login has moved; visitors are sent there after asking for a passcode.
 */
export const Behaviors = z.strictObject({
  loginHeading: z._default(z.enum(['standard', 'heloc']), 'standard'),
  registerLink: z._default(z.enum(['shown', 'hidden']), 'shown'),
  registerAt: z._default(z.enum(['register', 'legacy']), 'legacy'),
  registerReferrer: z.optional(brandText({ max: 64 })),
  signerLink: z._default(z.enum(['shown', 'hidden']), 'shown'),
  loginMovedTo: z.optional(BrandLink),
})

/** The parsed form of `Behaviors`. */
export type Behaviors = z.output<typeof Behaviors>

/** What the wallets are called, and where they can be installed, where an organization's file says nothing (§2.7, §2.8). */
export const STANDARD_WALLET_BRAND = {
  walletName: 'Figure Wallet',
  accountName: 'Figure Account',
  mobileName: 'Figure Mobile Wallet',
  appleStoreUrl: 'https://apps.apple.com/us/app/figure-wallet/id6444263900',
  googleStoreUrl: 'https://play.google.com/store/apps/details?id=com.figure.mobile.wallet',
  extensionUrl:
    'https://chrome.google.com/webstore/detail/figure-wallet/mgbfflhghaohmaecmaggieniidindaoc',
} as const

const WalletText = brandText({ max: 40 })

/** What an organization calls its wallets, and where they can be installed. */
export const WalletBrand = z.strictObject({
  /** The hosted wallet and its window. */
  walletName: z._default(WalletText, STANDARD_WALLET_BRAND.walletName),
  /** An account of the hosted wallet. */
  accountName: z._default(WalletText, STANDARD_WALLET_BRAND.accountName),
  mobileName: z._default(WalletText, STANDARD_WALLET_BRAND.mobileName),
  /** The mobile wallet in Apple's store. */
  appleStoreUrl: z._default(BrandLink, STANDARD_WALLET_BRAND.appleStoreUrl),
  /** The mobile wallet in Google's store. */
  googleStoreUrl: z._default(BrandLink, STANDARD_WALLET_BRAND.googleStoreUrl),
  /** The extension in Chrome's store. */
  extensionUrl: z._default(BrandLink, STANDARD_WALLET_BRAND.extensionUrl),
})

/** The parsed form of `WalletBrand`. */
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

/** The parsed form of `OrganizationInfo`. */
export type OrganizationInfo = z.output<typeof OrganizationInfo>

/** The four partner labels (§1). */
export const Label = z.enum(['apollo', 'hamilton', 'outpost', 'novawulf'])

/** The parsed form of `Label`. */
export type Label = z.output<typeof Label>

/** A label as a page shows it beside its organization: the partner's name and logo. */
export const PageLabel = z.strictObject({
  code: Label,
  name: brandText({ max: 80 }),
  logoPath: BrandPicture,
  darkLogoPath: z.optional(BrandPicture),
})

/** The parsed form of `PageLabel`. */
export type PageLabel = z.output<typeof PageLabel>
