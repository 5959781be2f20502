/** Investor passport reviews (§4.9): what a lender's reviewers read and decide. */
import * as z from 'zod/mini'
import { call } from './call.ts'
import { hasInvisibleCharacters } from './characters.ts'
import { PASSPORT_PATH } from './limits.ts'
import {
  Passport,
  PassportAnswers,
  PassportEntry,
  PassportFile,
  PassportMember,
  SavedSection,
} from './passport.ts'
import { TYPE_BY_HAND, Uuid } from './text.ts'

const { section: Section, status: Status } = SavedSection.shape

/** The filters of the review queue. `with-investor`: a reviewer asked for more, or the investor is editing. */
export const REVIEW_STATES = ['waiting', 'with-investor', 'approved', 'denied'] as const

export type ReviewState = (typeof REVIEW_STATES)[number]

/** The maximum length of a reviewer's message or reason. */
export const MAX_REVIEW_REASON = 1000

/** A section of a passport that was submitted. `name` is the investor's, empty until it is entered. */
export const ReviewItem = z.object({
  passportUuid: Uuid,
  section: Section,
  passportStructureType: Passport.shape.passportStructureType,
  organizationCode: z.string(),
  ownerWalletAddress: z.string(),
  name: z.string(),
  status: Status,
  submittedAt: z.number(),
})

export type ReviewItem = z.output<typeof ReviewItem>

/** Each at most `MAX_REVIEWS_COUNTED`. */
const Counts = z.object({
  waiting: z.int(),
  'with-investor': z.int(),
  approved: z.int(),
  denied: z.int(),
})

export const readReviewQueue = call({
  name: 'readReviewQueue',
  summary: 'List submitted sections: those that wait the longest first, others the newest first.',
  method: 'GET',
  path: `${PASSPORT_PATH}/review/queue`,
  auth: 'session',
  query: z.strictObject({
    /** By default `waiting`. */
    state: z.optional(z.enum(REVIEW_STATES)),
    /** One of the reviewer's organizations; by default all. */
    organizationCode: z.optional(z.string().check(z.maxLength(64))),
    /** `next` of the previous page. */
    after: z.optional(z.string().check(z.regex(/^\d{1,15}\.[\da-f-]{36}$/))),
  }),
  answer: z.object({
    items: z.array(ReviewItem),
    /** Where the next page begins; null on the last one. */
    next: z.nullable(z.string()),
    /** The number of sections by state, in the requested organizations. */
    counts: Counts,
    /** The organizations that the user reviews for. */
    organizations: z.array(z.object({ organizationCode: z.string(), name: z.string() })),
  }),
  refusals: ['not-found'],
})

export type ReviewQueue = z.output<(typeof readReviewQueue)['answer']>

const ofSection = z.strictObject({ passportUuid: Uuid, section: Section })

/** A section as a reviewer sees it, with complete tax numbers. */
export const Review = z.extend(ReviewItem, {
  /** The version to decide about. */
  version: z.int(),
  savedAt: z.number(),
  /** Whether a decision is possible: the section was submitted and not decided yet. */
  isWaiting: z.boolean(),
  /** Null once the creator has deleted the account. */
  creatorEmail: z.nullable(z.string()),
  answers: PassportAnswers,
  members: z.array(PassportMember),
  /** The evidence of the attestation: complete files. */
  files: z.array(PassportFile),
  /** All sections of the passport that a reviewer can open. */
  sections: z.array(z.object({ section: Section, status: Status })),
  /** The passport's timeline, oldest first. `by` is the person's address, if the account still exists. */
  history: z.array(z.extend(PassportEntry, { by: z.nullable(z.string()) })),
})

export type Review = z.output<typeof Review>

export const readReview = call({
  name: 'readReview',
  summary: 'Read a submitted section with its answers and history.',
  method: 'GET',
  path: `${PASSPORT_PATH}/review/section`,
  auth: 'session',
  query: ofSection,
  answer: Review,
  refusals: ['not-found'],
})

/** What the investor reads. Line breaks are allowed. */
const Reason = z.string().check(
  z.maxLength(MAX_REVIEW_REASON, `Please enter ${MAX_REVIEW_REASON} characters at most.`),
  z.refine((text) => text.trim() !== '', 'Please enter a message.'),
  z.refine((text) => !hasInvisibleCharacters(text.replace(/\r?\n/g, ' ')), TYPE_BY_HAND),
)

/** `returned` asks for more. The investor reads the reason. */
export const ReviewDecision = z.discriminatedUnion('event', [
  z.strictObject({ event: z.literal('approved') }),
  z.strictObject({ event: z.literal('returned'), reason: Reason }),
  z.strictObject({ event: z.literal('denied'), reason: Reason }),
])

export type ReviewDecision = z.output<typeof ReviewDecision>

/**
 * Refused if the section has changed since the reviewer read it: another reviewer decided, or the investor is editing it.
 */
export const decideReview = call({
  name: 'decideReview',
  summary: 'Approve a submitted section, ask for more, or deny it.',
  method: 'POST',
  path: `${PASSPORT_PATH}/review/decision`,
  auth: 'session',
  body: z.strictObject({
    passportUuid: Uuid,
    section: Section,
    version: z.int().check(z.positive()),
    decision: ReviewDecision,
  }),
  answer: z.object({
    status: Status,
    /** The section to review next; null if none is waiting. */
    next: z.nullable(z.object({ passportUuid: Uuid, section: Section })),
  }),
  refusals: ['not-found', 'review-outdated', 'chain-not-available'],
})

export const PASSPORT_REVIEW_CALLS = [readReviewQueue, readReview, decideReview] as const
