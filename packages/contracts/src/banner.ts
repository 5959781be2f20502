/**
 * Announcements (§3, §5, §7.7): what a page reads from the banner file, what an operator may publish, and what a browser
 * stores. Pages validate exactly as strictly as §5 requires. Publishing is stricter, so that operators see mistakes before
 * visitors do.
 */
import * as z from 'zod/mini'
import { hasInvisibleCharacters } from './characters.ts'

/** Applications that show banners, as named in a banner's `apps`. */
export type BannerApp = 'login' | 'dashboard'

/** The banner files (§7.7): one for production, and one for every other installation. */
export const BANNER_FILES = { production: 'banners.json', test: 'banners-test.json' } as const

export const BANNERS_PATH = '/banners'

const TIMESTAMP_ERROR = 'must be a date such as 2030-01-31T09:00:00Z'

/** Milliseconds, or an ISO 8601 date. */
const Timestamp = z.pipe(
  z.union(
    [
      z.number(),
      z.string().check(z.refine((text) => Number.isFinite(Date.parse(text)), TIMESTAMP_ERROR)),
    ],
    TIMESTAMP_ERROR,
  ),
  z.transform((timestamp) => (typeof timestamp === 'number' ? timestamp : Date.parse(timestamp))),
)

const Variant = z.enum(['info', 'warn'], 'must be info or warn')
const text = z.string('must be a text').check(z.regex(/\S/, 'must not be empty'))
const apps = z.array(text, 'must be a list').check(z.minLength(1, 'must name an application'))

/** A fallback for an unreadable field. Renamed because the linter mistakes `catch` for the method of a promise. */
const orElse = z.catch

/**
 * One banner as a page reads it. §5 requires the first four fields; any other field that is missing or unreadable gets
 * its default.
 */
export const Banner = z.object({
  uuid: text,
  message: text,
  apps,
  variant: Variant,
  active: orElse(z.boolean(), false),
  dismissable: orElse(z.boolean(), false),
  metadata: orElse(
    z.object({
      createdAt: orElse(z.optional(Timestamp), undefined),
      updatedAt: orElse(z.optional(Timestamp), undefined),
    }),
    { createdAt: undefined, updatedAt: undefined },
  ),
})

export type Banner = z.output<typeof Banner>

/** The banner file as a page reads it. */
export const BannerList = z.array(Banner)

/** The error text for data that does not match (§5, §8). */
export const BANNERS_UNREADABLE = 'Banner data does not match the expected format'

/** The maximum length of a message: five lines on a phone. */
const MAX_MESSAGE_LENGTH = 160

/** A banner as an operator publishes it: every field of §3 and no others. */
export const PublishedBanner = z.strictObject({
  uuid: text,
  message: text.check(
    z.maxLength(MAX_MESSAGE_LENGTH, `must have ${MAX_MESSAGE_LENGTH} characters at most`),
    z.refine((message) => !hasInvisibleCharacters(message), 'must contain visible characters only'),
  ),
  apps,
  variant: Variant,
  active: z.boolean('must be true or false'),
  dismissable: z.boolean('must be true or false'),
  metadata: z.strictObject({ createdAt: Timestamp, updatedAt: Timestamp }),
})

/** The banner file as an operator publishes it. */
export const PublishedBanners = z
  .array(PublishedBanner, 'must be a list')
  .check(
    z.refine(
      (banners) => new Set(banners.map(({ uuid }) => uuid)).size === banners.length,
      'must not name a uuid twice',
    ),
  )

/** The dismissed banners by UUID, with the time in milliseconds (§3). */
export type Dismissals = Readonly<Record<string, { readonly at: number }>>

export const Dismissal = z.object({ at: Timestamp })
