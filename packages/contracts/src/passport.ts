/** The investor passport (§7.6): whether an account's owner may invest, and what is left to complete. */
import * as z from 'zod/mini'
import { call } from './call.ts'
import { hasInvisibleCharacters } from './characters.ts'
import { EmailAddress } from './email-address.ts'
import { PASSPORT_PATH, WALLET_AUTHORIZATION_HEADER } from './limits.ts'
import { MAX_ANSWER_LENGTH, PASSPORT_SECTIONS } from './passport-sections.ts'
import { PASSPORT_STATUSES, PASSPORT_STRUCTURE_TYPES } from './passport-status.ts'
import { TYPE_BY_HAND, typedText, Uuid } from './text.ts'

const PassportStatus = z.enum(PASSPORT_STATUSES)
const StructureType = z.enum(PASSPORT_STRUCTURE_TYPES)
const Section = z.enum(PASSPORT_SECTIONS)

const Statuses = z.object({
  kycStatus: PassportStatus,
  attestationStatus: PassportStatus,
  attestationVerificationStatus: PassportStatus,
})

/** A timeline entry of a section. The reason is a reviewer's. */
export const PassportEntry = z.object({
  at: z.number(),
  section: Section,
  event: z.enum(['submitted', 'approved', 'returned', 'denied']),
  reason: z.nullable(z.string()),
})

/** Without a passport, every status is `UNKNOWN_STATUS` and there is no `passportUuid`. */
export const PassportSummary = z.object({
  passportUuid: z.optional(Uuid),
  passportStructureType: z.optional(StructureType),
  ownerWalletAddress: z.optional(z.string()),
  status: Statuses,
  /** The reviewer's last decision about each section that has not been resubmitted since. */
  decisions: z.optional(z.array(PassportEntry)),
})

export type PassportSummary = z.output<typeof PassportSummary>

/** A section's answers by field. Only reviewers see more than the last digits of tax numbers. */
export const PassportAnswers = z.record(z.string(), z.string())

export type PassportAnswers = z.output<typeof PassportAnswers>

/** A section that was started. Its version counts saved changes and submissions. */
export const SavedSection = z.object({
  section: Section,
  status: PassportStatus,
  version: z.int(),
  savedAt: z.number(),
  answers: PassportAnswers,
})

export type SavedSection = z.output<typeof SavedSection>

/** A member's role in the entity or trust. */
export const MEMBER_ROLES = ['owner', 'controller', 'trustee', 'beneficiary', 'signer'] as const

export const PassportMember = z.object({
  memberUuid: Uuid,
  name: z.string(),
  email: z.string(),
  role: z.enum(MEMBER_ROLES),
  /** When the member accepted the invitation. */
  joinedAt: z.nullable(z.number()),
  /** When a pending invitation expires. */
  expiresAt: z.number(),
})

export type PassportMember = z.output<typeof PassportMember>

/** The accepted media types, determined by a file's content. */
export const EVIDENCE_TYPES = ['application/pdf', 'image/jpeg', 'image/png'] as const

/** Unfinished uploads are listed only to the user who began them. */
export const PassportFile = z.object({
  fileUuid: Uuid,
  name: z.string(),
  /** The size of the file, in bytes. */
  bytes: z.int(),
  /** How many bytes have arrived. */
  receivedBytes: z.int(),
  /** Null until the upload is complete. */
  type: z.nullable(z.enum(EVIDENCE_TYPES)),
  addedAt: z.number(),
  /** When the file was last modified on the user's device, to recognize the same file when an upload resumes. */
  modifiedAt: z.number(),
})

export type PassportFile = z.output<typeof PassportFile>

/** A passport with its answers. `access` is the user's role. */
export const Passport = z.object({
  passportUuid: Uuid,
  passportStructureType: StructureType,
  ownerWalletAddress: z.string(),
  status: Statuses,
  access: z.enum(['owner', 'member', 'reviewer']),
  sections: z.array(SavedSection),
  members: z.array(PassportMember),
  /** The evidence of the attestation. */
  files: z.array(PassportFile),
  history: z.array(PassportEntry),
})

export type Passport = z.output<typeof Passport>

/** Reads one of the user's passports, by default the account's. */
const ofPassport = z.strictObject({ passportUuid: z.optional(Uuid) })

const WALLET_HEADER = {
  [WALLET_AUTHORIZATION_HEADER]:
    'The token of the connected wallet. The account that the session acts as decides.',
}

export const readPassport = call({
  name: 'readPassport',
  summary: 'Read a passport with its answers: of the account that the user acts as, or by its ID.',
  method: 'GET',
  path: `${PASSPORT_PATH}/gateway/passport`,
  auth: 'session',
  impersonation: 'refused',
  headers: WALLET_HEADER,
  query: ofPassport,
  answer: Passport,
  refusals: ['not-found'],
})

export const readPassportStatus = call({
  name: 'readPassportStatus',
  summary: 'Read the statuses of a passport: of the account that the user acts as, or by its ID.',
  method: 'GET',
  path: `${PASSPORT_PATH}/gateway/passport-status`,
  auth: 'session',
  headers: WALLET_HEADER,
  query: ofPassport,
  answer: PassportSummary,
  refusals: ['not-found'],
})

export const readCreatorPassportStatus = call({
  name: 'readCreatorPassportStatus',
  summary: 'List the statuses of the passports that the user created or is a member of.',
  method: 'GET',
  path: `${PASSPORT_PATH}/gateway/creator/passport-status`,
  auth: 'session',
  headers: WALLET_HEADER,
  answer: z.array(PassportSummary),
})

export const readCreatorPassport = call({
  name: 'readCreatorPassport',
  summary: 'List the passports that the user created or is a member of, with their answers.',
  method: 'GET',
  path: `${PASSPORT_PATH}/gateway/creator/passport`,
  auth: 'session',
  impersonation: 'refused',
  headers: WALLET_HEADER,
  answer: z.array(Passport),
})

/** An account has one passport: repeating the call returns it. */
export const createPassport = call({
  name: 'createPassport',
  summary: 'Start the passport of the account that the user acts as.',
  method: 'POST',
  path: `${PASSPORT_PATH}/passport`,
  auth: 'session',
  body: z.strictObject({ passportStructureType: StructureType }),
  answer: z.object({ passportUuid: Uuid }),
  refusals: ['account-not-chosen', 'passport-type-not-possible', 'chain-not-available'],
})

const Answer = z.string().check(
  z.maxLength(MAX_ANSWER_LENGTH, `Please enter ${MAX_ANSWER_LENGTH} characters at most.`),
  z.refine((text) => !hasInvisibleCharacters(text), TYPE_BY_HAND),
)

/** The maximum number of answers that a call changes: more than any section has. */
const MAX_CHANGES = 32

const Changes = z
  .record(z.string().check(z.regex(/^[a-z][a-zA-Z]{0,31}$/)), Answer)
  .check(z.refine((changes) => Object.keys(changes).length <= MAX_CHANGES, 'too many answers'))

/**
 * Saves the changed answers of a section. `version` is the version that the changes are based on, 0 before the first save.
 * If the section has changed in the meantime, nothing is saved and the response contains the current section (`isSaved` is
 * false), so that the client can reapply its changes.
 */
export const savePassportSection = call({
  name: 'savePassportSection',
  summary: 'Save changed answers of a section while it is filled in.',
  method: 'PUT',
  path: `${PASSPORT_PATH}/passport/section`,
  auth: 'session',
  body: z.strictObject({
    passportUuid: Uuid,
    section: Section,
    version: z.int().check(z.nonnegative()),
    changes: Changes,
  }),
  answer: z.object({ isSaved: z.boolean(), section: SavedSection }),
  refusals: ['not-found', 'passport-section-closed', 'chain-not-available'],
})

export const reopenPassportSection = call({
  name: 'reopenPassportSection',
  summary: 'Edit a section that was submitted, reviewed or denied.',
  method: 'POST',
  path: `${PASSPORT_PATH}/passport/section/reopen`,
  auth: 'session',
  body: z.strictObject({ passportUuid: Uuid, section: Section }),
  refusals: ['not-found', 'passport-section-open', 'chain-not-available'],
})

export const submitPassport = call({
  name: 'submitPassport',
  summary: 'Submit completed sections in the versions that the user has seen.',
  method: 'POST',
  path: `${PASSPORT_PATH}/passport/submit`,
  auth: 'session',
  body: z.strictObject({
    passportUuid: Uuid,
    sections: z
      .array(z.strictObject({ section: Section, version: z.int().check(z.positive()) }))
      .check(z.minLength(1), z.maxLength(PASSPORT_SECTIONS.length)),
  }),
  answer: PassportSummary,
  refusals: [
    'not-found',
    'passport-incomplete',
    'passport-changed',
    'passport-section-closed',
    'chain-not-available',
  ],
})

/** Inviting the same address again sends the mail again. */
export const invitePassportMember = call({
  name: 'invitePassportMember',
  summary: 'Invite a member of an entity or a trust by mail.',
  method: 'POST',
  path: `${PASSPORT_PATH}/passport/member`,
  auth: 'session',
  body: z.strictObject({
    passportUuid: Uuid,
    name: typedText({ max: 100 }),
    email: EmailAddress,
    role: z.enum(MEMBER_ROLES),
  }),
  answer: PassportMember,
  refusals: [
    'not-found',
    'passport-type-not-possible',
    'too-many-members',
    'already-member',
    'chain-not-available',
  ],
})

export const removePassportMember = call({
  name: 'removePassportMember',
  summary: 'Remove a member or withdraw an invitation.',
  method: 'POST',
  path: `${PASSPORT_PATH}/passport/member/remove`,
  auth: 'session',
  body: z.strictObject({ passportUuid: Uuid, memberUuid: Uuid }),
  refusals: ['not-found', 'chain-not-available'],
})

/**
 * Only the owner of the invited address can accept. Repeating the call changes nothing. After `email-not-verified`, a confirmation
 * with a code by email verifies the address.
 */
export const joinPassport = call({
  name: 'joinPassport',
  summary: 'Accept the invitation to a passport.',
  method: 'POST',
  path: `${PASSPORT_PATH}/passport/member/join`,
  auth: 'session',
  body: z.strictObject({ passportUuid: Uuid }),
  refusals: ['not-found', 'email-not-verified', 'chain-not-available'],
})

export const PASSPORT_CALLS = [
  readPassport,
  readPassportStatus,
  readCreatorPassportStatus,
  readCreatorPassport,
  createPassport,
  savePassportSection,
  reopenPassportSection,
  submitPassport,
  invitePassportMember,
  removePassportMember,
  joinPassport,
] as const
