import * as z from 'zod/mini'
import { EXPERIMENT_KEYS } from './experiment-keys.ts'
import { Behaviors, OrganizationInfo, PageLabel, WalletBrand } from './organization.ts'

/** The id of the element that contains a page's data. */
export const PAGE_DATA_ELEMENT = 'page-data'

/** How a session began. `operator`: an operator views the person's pages. */
export const SignInMethod = z.enum(['password', 'passcode', 'passkey', 'provider', 'operator'])

/** The public part of the session that the request's cookie opens. */
export const PageSession = z.object({
  email: z.string(),
  organizationCode: z.string(),
  /** The user's own organization, which may differ from the page's. */
  organizationName: z.string(),
  profileType: z.enum(['CUSTOMER', 'AGENT']),
  signedInAt: z.number(),
  method: SignInMethod,
  /** Whether the user reviews investor passports; only on signed-in pages. */
  isReviewer: z.optional(z.boolean()),
  /** Set if an operator views the person's pages. */
  impersonation: z.optional(
    z.object({
      sessionUuid: z.string(),
      identityUuid: z.string(),
      operatorEmail: z.string(),
      secondsLeft: z.int(),
    }),
  ),
})

export type PageSession = z.output<typeof PageSession>

export const BotCheck = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('altcha') }),
  z.object({ kind: z.literal('recaptcha'), siteKey: z.string() }),
  z.object({ kind: z.literal('turnstile'), siteKey: z.string() }),
  z.object({ kind: z.literal('off') }),
])

export type BotCheck = z.output<typeof BotCheck>

/** An organization's identity provider (§4.4). */
export const PageProvider = z.object({
  userType: z.enum(['customer', 'agent']),
  name: z.string(),
  /** Whether an experiment includes the visitor. If not, only people whose accounts the provider manages log in there. */
  offered: z.boolean(),
})

export type PageProvider = z.output<typeof PageProvider>

/** All data needed for the first paint (§1: organization, flags; §4.4: the session; §7.8: decisions). */
export const PageData = z.object({
  path: z.string(),
  query: z.string(),
  organization: OrganizationInfo,
  flags: z.record(z.string(), z.boolean()),
  /** The decision of each experiment for this visitor, by key (§7.8); all false if tracking is refused. */
  decisions: z.record(z.string(), z.boolean()),
  behaviors: Behaviors,
  wallet: WalletBrand,
  label: z.nullable(PageLabel),
  session: z.nullable(PageSession),
  botCheck: BotCheck,
  /** Whether a page of another site led here (the header `sec-fetch-site`). */
  isFromOtherSite: z.boolean(),
  /** The organization's identity providers (§4.4); only on the login page. */
  providers: z.array(PageProvider),
  /** The experiments that decided which providers are offered, because the organization has a provider; their exposures are recorded (§7.8). */
  loginExperiments: z.array(z.enum(EXPERIMENT_KEYS)),
  /** Whether the `state` in the URL is that of this browser's own login at an identity provider; links can name any state. */
  isProviderReturn: z.optional(z.boolean()),
  supportPhone: z.string(),
  /** Null if telemetry is off or must not count this visitor (§7.8). */
  telemetry: z.nullable(z.object({ appVersion: z.string() })),
  /** The banner file (§7.7). */
  bannersUrl: z.string(),
  demonstration: z.boolean(),
})

export type PageData = z.output<typeof PageData>
