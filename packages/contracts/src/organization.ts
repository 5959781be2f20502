import * as z from 'zod/mini'
import { visibleText } from './text.ts'

/** A link in brand data: our own path or an https address, nothing that could run. */
const BrandLink = z.string().check(
  z.maxLength(512),
  z.refine(
    (link) => /^\/(?![/\\])[^\s\\]*$/.test(link) || /^https:\/\/[^\s\\]+$/.test(link),
    'must be a path beginning with / or an https address',
  ),
)

const HexColour = z
  .string()
  .check(z.regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour written as #rrggbb'))

/** An organisation's code: upper case, digits and underscores. */
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

/** What visitors read about a company, and where its links lead. */
export const CompanyInfo = z.strictObject({
  name: visibleText({ max: 80 }),
  legalName: visibleText({ max: 120 }),
  logoPath: BrandLink,
  supportPhone: z.optional(visibleText({ max: 20 })),
  supportEmail: z.email(),
  nmlsNumber: z.string().check(z.regex(/^[0-9]{1,12}$/, 'must be digits')),
  badge: z._default(LenderBadge, 'EHO'),
  termsUrl: BrandLink,
  privacyUrl: BrandLink,
  licensesUrl: BrandLink,
  electronicCommunicationsUrl: BrandLink,
})

/** What a company offers, as the pages name it. */
export const Product = z.strictObject({
  code: visibleText({ max: 40 }),
  name: visibleText({ max: 80 }),
})

/** Prices a company shows for a product. */
export const Pricing = z.strictObject({
  productCode: visibleText({ max: 40 }),
  minimumRatePercent: z.number().check(z.gte(0), z.lte(100)),
  maximumRatePercent: z.number().check(z.gte(0), z.lte(100)),
})

/**
 * Named differences between organisations (§2.3). A page reads the behaviour; no page asks which lender it is.
 *
 * - `loginHeading`: 'heloc' says 'Log in to your HELOC account with {company}'.
 * - `registerLink`: 'hidden' shows no 'Register here' (wholesale brands).
 * - `registerAt`: 'register' leads to /register, 'legacy' to account/heloc/register unless a redirectUrl exists.
 * - `registerReferrer`: a fixed `referrer` query value on that link.
 * - `signerLink`: 'hidden' shows no 'Mortgage signer with access code' link.
 * - `loginMovedTo`: the organisation's login has moved; visitors are sent there after asking for a passcode.
 */
export const Behaviors = z.strictObject({
  loginHeading: z._default(z.enum(['standard', 'heloc']), 'standard'),
  registerLink: z._default(z.enum(['shown', 'hidden']), 'shown'),
  registerAt: z._default(z.enum(['register', 'legacy']), 'legacy'),
  registerReferrer: z.optional(visibleText({ max: 64 })),
  signerLink: z._default(z.enum(['shown', 'hidden']), 'shown'),
  loginMovedTo: z.optional(BrandLink),
})

/** The parsed form of `Behaviors`. */
export type Behaviors = z.output<typeof Behaviors>

/** One organisation as its file under `config/organizations` describes it. */
export const OrganizationFile = z.strictObject({
  orgCode: OrgCode,
  canonicalOrgCode: z.optional(OrgCode),
  orgBrand: visibleText({ max: 40 }),
  baseUrl: z.optional(z.url({ protocol: /^https?$/, error: 'must be an http or https address' })),
  hosts: z._default(z.array(visibleText({ max: 253 })), []),
  brandColour: HexColour,
  companyInfo: CompanyInfo,
  products: z._default(z.array(Product), []),
  pricing: z._default(z.array(Pricing), []),
  behaviors: z._default(Behaviors, {
    loginHeading: 'standard',
    registerLink: 'shown',
    registerAt: 'legacy',
    signerLink: 'shown',
  }),
})

/** The parsed form of `OrganizationFile`. */
export type OrganizationFile = z.output<typeof OrganizationFile>

/** Organisation info as pages receive it (§3). */
export const OrganizationInfo = z.object({
  baseUrl: z.string(),
  canonicalOrgCode: OrgCode,
  orgBrand: z.string(),
  orgCode: OrgCode,
  orgMetaData: z.object({ companyInfo: CompanyInfo, products: z.array(Product) }),
  orgPricingData: z.array(Pricing),
})

/** The parsed form of `OrganizationInfo`. */
export type OrganizationInfo = z.output<typeof OrganizationInfo>

/** The four partner labels (§1). */
export const Label = z.enum(['apollo', 'hamilton', 'outpost', 'novawulf'])

/** The parsed form of `Label`. */
export type Label = z.output<typeof Label>

/** The labels' fixed colours (§9) and how their owners write their names. */
export const LABELS: Readonly<Record<Label, { readonly name: string; readonly colour: string }>> = {
  apollo: { name: 'Apollo', colour: '#007B63' },
  hamilton: { name: 'Hamilton', colour: '#1f385b' },
  outpost: { name: 'Outpost', colour: '#005288' },
  novawulf: { name: 'NovaWulf', colour: '#1E3464' },
}
