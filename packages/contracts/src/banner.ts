/**
 * Announcements (§3, §5, §7.7): what a page takes from the banner file, what an operator may publish, and what a browser
 * keeps. The page's reading is exactly as strict as §5 says; publishing is stricter, so that a slip of the pen is told
 * to the operator and not shown to visitors.
 */
import * as z from 'zod/mini'
import { hasUnseenCharacters } from './text.ts'

/** The applications that show banners, by the names that a banner's `apps` uses. */
export type BannerApp = 'login' | 'dashboard'

/** The banner files (§7.7): the one of production, and the one that every other installation shows. */
export const BANNER_FILES = { production: 'banners.json', test: 'banners-test.json' } as const

/** Where the server serves them. */
export const BANNERS_PATH = '/banners'

/** A time: milliseconds, or a date as ISO 8601 writes it. */
const Moment = z.pipe(
  z.union([
    z.number(),
    z
      .string()
      .check(
        z.refine(
          (text) => Number.isFinite(Date.parse(text)),
          'must be a date such as 2030-01-31T09:00:00Z',
        ),
      ),
  ]),
  z.transform((moment) => (typeof moment === 'number' ? moment : Date.parse(moment))),
)

const Variant = z.enum(['info', 'warn'], 'must be info or warn')
const text = z.string('must be a text').check(z.regex(/\S/, 'must not be empty'))
const apps = z.array(text, 'must be a list').check(z.minLength(1, 'must name an application'))

/** What a page takes in place of something unreadable; the linter knows `catch` by another meaning. */
const orElse = z.catch

/** One banner as a page takes it. §5 asks for the first four; what else is missing or unreadable counts as not said. */
export const Banner = z.object({
  uuid: text,
  message: text,
  apps,
  variant: Variant,
  active: orElse(z.boolean(), false),
  dismissable: orElse(z.boolean(), false),
  metadata: orElse(
    z.object({
      createdAt: orElse(z.optional(Moment), undefined),
      updatedAt: orElse(z.optional(Moment), undefined),
    }),
    { createdAt: undefined, updatedAt: undefined },
  ),
})

/** The parsed form of `Banner`. */
export type Banner = z.output<typeof Banner>

/** The banner file as a page takes it. */
export const BannerList = z.array(Banner)

/** What is said of data that is no such list (§5, §8). */
export const BANNERS_UNREADABLE = 'Banner data does not match the expected format'

/** The longest message that is published: five lines on a phone. */
const MESSAGE_LENGTH_MAXIMUM = 160

/** The banner file as an operator publishes it: every field of §3 and no other. */
export const PublishedBanners = z
  .array(
    z.strictObject({
      uuid: text,
      message: text.check(
        z.maxLength(
          MESSAGE_LENGTH_MAXIMUM,
          `must have ${MESSAGE_LENGTH_MAXIMUM} characters at most`,
        ),
        z.refine((words) => !hasUnseenCharacters(words), 'must hold visible characters only'),
      ),
      apps,
      variant: Variant,
      active: z.boolean('must be true or false'),
      dismissable: z.boolean('must be true or false'),
      metadata: z.strictObject({ createdAt: Moment, updatedAt: Moment }),
    }),
    'must be a list',
  )
  .check(
    z.refine(
      (banners) => new Set(banners.map(({ uuid }) => uuid)).size === banners.length,
      'must not name a uuid twice',
    ),
  )

/** Which banners a browser's person has dismissed, and when, in milliseconds (§3). */
export type Dismissals = Readonly<Record<string, { readonly at: number }>>

/** One entry of what the browser keeps. */
export const Dismissal = z.object({ at: Moment })
