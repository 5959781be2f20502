/** Banners in the admin API: what operators publish over the banner file. */
import * as z from 'zod/mini'
import { PublishedBanner } from '../banner.ts'
import { call } from '../call.ts'
import { ADMIN_PATH } from '../limits.ts'
import { After, Reason } from './operators.ts'
import { ApprovalNeeded } from './second-operator.ts'

const BANNERS_PATH = `${ADMIN_PATH}/banners`

const { message, apps, variant, dismissable } = PublishedBanner.shape

/** A time in milliseconds; null for none. */
const Time = z.nullable(z.int('must be a time in milliseconds').check(z.gte(0, 'must be a time')))

/** A banner as an operator writes it. */
export const BannerContent = z
  .strictObject({
    message,
    apps,
    variant,
    dismissable,
    /** When it starts and stops being shown; null without a limit. */
    startsAt: Time,
    endsAt: Time,
    /** The codes of the organizations whose visitors see it; null for all, including organizations added later. */
    organizationCodes: z.nullable(
      z
        .array(z.string().check(z.maxLength(64)), 'must be a list')
        .check(z.minLength(1, 'must name an organization'), z.maxLength(200)),
    ),
  })
  .check(
    z.refine(({ startsAt, endsAt }) => startsAt === null || endsAt === null || startsAt < endsAt, {
      path: ['endsAt'],
      error: 'must be after startsAt',
    }),
  )

export type BannerContent = z.output<typeof BannerContent>

const BannerId = z.string().check(z.maxLength(100), z.regex(/^[\w-]+$/))

/** Content that may be incomplete, as in a draft. */
const Draft = z.record(z.string(), z.unknown())

const BannerError = z.object({ field: z.string(), message: z.string() })

const Revision = z.int().check(z.gte(0))

const BannerItem = z.object({
  id: z.string(),
  /** `file`: in the banner file and not edited. */
  origin: z.enum(['file', 'console']),
  /** The published version; 0 without one. */
  version: z.int(),
  /** Null without a published version. */
  published: z.nullable(BannerContent),
  /** Whether it is shown now, to its audience. */
  isShown: z.boolean(),
  draft: z.nullable(
    z.object({
      revision: z.int(),
      content: Draft,
      author: z.string(),
      savedAt: z.number(),
      errors: z.array(BannerError),
    }),
  ),
})

export type BannerItem = z.output<typeof BannerItem>

export const listBanners = call({
  name: 'listBanners',
  summary:
    'List the banners in the file, and those from the console with their drafts: those shown now, scheduled ones, drafts, and the rest, newest first.',
  method: 'GET',
  path: BANNERS_PATH,
  auth: 'operator',
  permission: 'banners.write',
  query: z.strictObject({ after: z.optional(After) }),
  answer: z.object({ items: z.array(BannerItem), next: z.nullable(z.string()) }),
})

const Conflict = z.object({
  outcome: z.literal('conflict'),
  /** The banner as the other operator left it. */
  theirs: z.nullable(BannerItem),
})

const Invalid = z.object({ outcome: z.literal('invalid'), errors: z.array(BannerError) })

export const saveBannerDraft = call({
  name: 'saveBannerDraft',
  summary: 'Save a draft of a new or existing banner. It may be incomplete.',
  method: 'POST',
  path: `${BANNERS_PATH}/draft`,
  auth: 'operator',
  permission: 'banners.write',
  body: z.strictObject({
    /** A new UUID for a new banner; the UUID of a banner in the file to replace it. */
    id: BannerId,
    content: Draft,
    /** The revision of the draft that it replaces; 0 if there is none. */
    revision: Revision,
    /** The published version that it is based on. */
    baseVersion: Revision,
  }),
  answer: z.discriminatedUnion('outcome', [
    z.object({ outcome: z.literal('saved'), revision: z.int(), errors: z.array(BannerError) }),
    Conflict,
  ]),
  refusals: ['not-found'],
})

export const discardBannerDraft = call({
  name: 'discardBannerDraft',
  summary: 'Discard the draft of a banner.',
  method: 'POST',
  path: `${BANNERS_PATH}/discard`,
  auth: 'operator',
  permission: 'banners.write',
  body: z.strictObject({ id: BannerId, revision: Revision }),
  refusals: ['not-found', 'edit-outdated'],
})

export const publishBanner = call({
  name: 'publishBanner',
  summary: 'Publish the draft of a banner; every node shows it within seconds.',
  method: 'POST',
  path: `${BANNERS_PATH}/publish`,
  auth: 'operator',
  permission: 'banners.write',
  stepUp: true,
  body: z.strictObject({
    id: BannerId,
    revision: Revision,
    /** Whether visitors who dismissed an earlier version see it again. */
    showAgain: z.boolean(),
    reason: Reason,
  }),
  answer: z.discriminatedUnion('outcome', [
    z.object({ outcome: z.literal('published'), version: z.int() }),
    Invalid,
    Conflict,
  ]),
  accepted: ApprovalNeeded,
  refusals: ['not-found'],
})

export const endBanner = call({
  name: 'endBanner',
  summary: 'End a banner now, even one in the file. Visitors no longer see it.',
  method: 'POST',
  path: `${BANNERS_PATH}/end`,
  auth: 'operator',
  permission: 'banners.write',
  stepUp: true,
  body: z.strictObject({ id: BannerId, version: Revision, reason: Reason }),
  answer: z.object({ version: z.int() }),
  accepted: ApprovalNeeded,
  refusals: ['not-found', 'edit-outdated'],
})

export const readBannerHistory = call({
  name: 'readBannerHistory',
  summary: 'List the last published versions of a banner, newest first.',
  method: 'GET',
  path: `${BANNERS_PATH}/history`,
  auth: 'operator',
  permission: 'banners.write',
  query: z.strictObject({ id: BannerId }),
  answer: z.object({
    items: z.array(
      z.object({
        version: z.int(),
        content: BannerContent,
        author: z.string(),
        publishedBy: z.string(),
        publishedAt: z.number(),
        reason: z.string(),
      }),
    ),
  }),
  refusals: ['not-found'],
})

export const exportBanners = call({
  name: 'exportBanners',
  summary:
    'Export the banners that all visitors currently see as a banner file, such as for a bucket.',
  method: 'GET',
  path: `${BANNERS_PATH}/export`,
  auth: 'operator',
  permission: 'banners.write',
  answer: z.object({ banners: z.array(z.record(z.string(), z.unknown())) }),
})

export const ADMIN_BANNER_CALLS = [
  listBanners,
  saveBannerDraft,
  discardBannerDraft,
  publishBanner,
  endBanner,
  readBannerHistory,
  exportBanners,
] as const
