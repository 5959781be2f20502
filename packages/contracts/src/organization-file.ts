/**
 * The files under `config/organizations` and `config/labels`, and their merged result. A file contains only what
 * differs from the organization it extends; `null` removes an inherited value. Browsers get none of this: a page
 * receives `OrganizationInfo`.
 */
import * as z from 'zod/mini'
import {
  Behaviors,
  BrandPicture,
  CompanyInfo,
  Label,
  OrgCode,
  PageLabel,
  Partner,
  Pricing,
  Product,
  WalletBrand,
} from './organization.ts'
import { nameText } from './text.ts'

const HexColor = z
  .string()
  .check(z.regex(/^#[0-9a-fA-F]{6}$/, 'must be a color written as #rrggbb'))

const HOST_PART = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'

const Host = z
  .string()
  .check(
    z.toLowerCase(),
    z.maxLength(253),
    z.regex(
      new RegExp(`^${HOST_PART}(?:\\.${HOST_PART})*$`),
      'must be a host name without scheme and port, such as login.lender.example',
    ),
  )

/** The sender of mail. The address defaults to `MAIL_FROM`, the name to the company's. */
const MailFrom = z.strictObject({
  name: z.optional(nameText({ max: 80 })),
  address: z.optional(z.email().check(z.maxLength(254))),
})

/** The name of a file in the folder `styles`. */
const StyleSheet = z
  .string()
  .check(
    z.regex(
      /^[a-z0-9][a-z0-9-]{0,62}\.css$/,
      'must be NAME.css, a file in the folder styles, NAME in lower case letters, digits and hyphens',
    ),
  )

const Products = z.array(Product).check(z.maxLength(50))
const PricingList = z.array(Pricing).check(z.maxLength(200))
const Hosts = z.array(Host).check(z.maxLength(50))
const Signature = nameText({ max: 300 })
const Address = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .check(z.maxLength(512))

/** An organization with its provider and label merged, so that nothing is left to look up. */
export const Organization = z.strictObject({
  orgCode: OrgCode,
  canonicalOrgCode: OrgCode,
  orgBrand: nameText({ max: 40 }),
  baseUrl: z.optional(Address),
  hosts: Hosts,
  brandColor: HexColor,
  darkBrandColor: z.optional(HexColor),
  companyInfo: CompanyInfo,
  products: Products,
  pricing: PricingList,
  behaviors: Behaviors,
  wallet: z.prefault(WalletBrand, {}),
  partner: z.optional(Partner),
  mailFrom: z.optional(MailFrom),
  mailSignature: z.optional(Signature),
  styleSheetPath: z.optional(StyleSheet),
  label: z.optional(PageLabel),
})

export type Organization = z.output<typeof Organization>

/** A field that a file may omit to inherit it, or set to null to remove it. */
const removable = <Schema extends z.core.SomeType>(schema: Schema) => z.optional(z.nullable(schema))

const company = CompanyInfo.shape
const behaviors = Behaviors.shape
const wallet = WalletBrand.shape

const CompanyInfoChanges = z.strictObject({
  ...z.partial(CompanyInfo).shape,
  // Without defaults: an omitted field is inherited, not reset.
  badge: z.optional(company.badge.def.innerType),
  darkLogoPath: removable(BrandPicture),
  faviconPath: removable(BrandPicture),
  nameParts: removable(company.nameParts.def.innerType),
  trustSentence: removable(company.trustSentence.def.innerType),
  supportPhone: removable(company.supportPhone),
})

const BehaviorsChanges = z.strictObject({
  loginHeading: z.optional(behaviors.loginHeading.def.innerType),
  registerLink: z.optional(behaviors.registerLink.def.innerType),
  registerAt: z.optional(behaviors.registerAt.def.innerType),
  registerReferrer: removable(behaviors.registerReferrer.def.innerType),
  signerLink: z.optional(behaviors.signerLink.def.innerType),
  loginMovedTo: removable(behaviors.loginMovedTo.def.innerType),
})

const WalletBrandChanges = z.strictObject({
  walletName: removable(wallet.walletName.def.innerType),
  accountName: removable(wallet.accountName.def.innerType),
  mobileName: removable(wallet.mobileName.def.innerType),
  appleStoreUrl: removable(wallet.appleStoreUrl.def.innerType),
  googleStoreUrl: removable(wallet.googleStoreUrl.def.innerType),
  extensionUrl: removable(wallet.extensionUrl.def.innerType),
  firefoxExtensionUrl: removable(wallet.firefoxExtensionUrl.def.innerType),
})

/** The fields that both kinds of file may override. */
const changes = {
  darkBrandColor: removable(HexColor),
  behaviors: z.optional(BehaviorsChanges),
  wallet: z.optional(WalletBrandChanges),
  mailFrom: removable(MailFrom),
  mailSignature: removable(Signature),
  styleSheetPath: removable(StyleSheet),
}

/**
 * One file under `config/organizations`. Omitted fields are inherited from the organization it extends, by default the
 * provider.
 */
export const OrganizationFile = z.strictObject({
  orgCode: OrgCode,
  canonicalOrgCode: z.optional(OrgCode),
  extends: z.optional(OrgCode),
  orgBrand: nameText({ max: 40 }),
  baseUrl: z.optional(Address),
  hosts: z.optional(Hosts),
  brandColor: z.optional(HexColor),
  // Required: without it, a company would appear under the name it inherits.
  companyInfo: z.strictObject({ ...CompanyInfoChanges.shape, name: company.name }),
  products: z.optional(Products),
  pricing: z.optional(PricingList),
  partner: removable(Partner),
  ...changes,
})

export type OrganizationFile = z.output<typeof OrganizationFile>

/**
 * One file under `config/labels`: the partner's name and logo, and what it overrides in the organization it is combined
 * with.
 */
export const LabelFile = z.strictObject({
  label: Label,
  name: PageLabel.shape.name,
  logoPath: BrandPicture,
  darkLogoPath: z.optional(BrandPicture),
  brandColor: HexColor,
  companyInfo: z.optional(CompanyInfoChanges),
  ...changes,
})

export type LabelFile = z.output<typeof LabelFile>
