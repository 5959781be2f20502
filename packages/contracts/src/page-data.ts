import * as z from 'zod/mini'
import { Behaviors, OrganizationInfo, PageLabel, WalletBrand } from './organization.ts'

/** The id of the element in which the server hands a page its data. */
export const PAGE_DATA_ELEMENT = 'page-data'

/** How a person proved who they are. */
export const SignInMethod = z.enum(['password', 'passcode', 'passkey'])

/** The session that the request's cookie opens, as far as a page may show it. */
export const PageSession = z.object({
  email: z.string(),
  organizationCode: z.string(),
  /** The name of the person's own organization, which may be another than the page's. */
  organizationName: z.string(),
  profileType: z.enum(['CUSTOMER', 'AGENT']),
  signedInAt: z.number(),
  method: SignInMethod,
})

/** The parsed form of `PageSession`. */
export type PageSession = z.output<typeof PageSession>

/** Which bot check the page runs. */
export const BotCheck = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('altcha') }),
  z.object({ kind: z.literal('recaptcha'), siteKey: z.string() }),
  z.object({ kind: z.literal('turnstile'), siteKey: z.string() }),
  z.object({ kind: z.literal('off') }),
])

/** The parsed form of `BotCheck`. */
export type BotCheck = z.output<typeof BotCheck>

/** Everything the first paint of a page needs (§1: organization, flags; §4.4: the session; §7.8: decisions). */
export const PageData = z.object({
  path: z.string(),
  query: z.string(),
  organization: OrganizationInfo,
  flags: z.record(z.string(), z.boolean()),
  /** What each experiment decided for this visitor, by its key (§7.8); all false where tracking is refused. */
  decisions: z.record(z.string(), z.boolean()),
  behaviors: Behaviors,
  wallet: WalletBrand,
  label: z.nullable(PageLabel),
  session: z.nullable(PageSession),
  botCheck: BotCheck,
  supportPhone: z.string(),
  /** What telemetry is told by (§7.8); nothing where it is off or this visitor is not to be counted. */
  telemetry: z.nullable(z.object({ appVersion: z.string() })),
  /** Where the banner file is (§7.7). */
  bannersUrl: z.string(),
  demonstration: z.boolean(),
})

/** The parsed form of `PageData`. */
export type PageData = z.output<typeof PageData>
