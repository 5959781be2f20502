/** People: the search, one person, and operators' acts on them. */
import * as z from 'zod/mini'
import { AccountExport } from '../account-security.ts'
import { call } from '../call.ts'
import { EmailAddress } from '../email-address.ts'
import { ADMIN_PATH } from '../limits.ts'
import { Uuid, visibleText } from '../text.ts'
import { After, PageLimit, Reason } from './operators.ts'
import { OPERATOR_ROLES } from './permissions.ts'
import { ApprovalNeeded } from './second-operator.ts'

const PEOPLE_PATH = `${ADMIN_PATH}/people`

const OrganizationCode = visibleText({ max: 64 })

export const PersonItem = z.object({
  identityUuid: Uuid,
  email: z.string(),
  /** Null for users who registered themselves. */
  name: z.nullable(z.string()),
  organizationCode: z.string(),
  profileType: z.enum(['CUSTOMER', 'AGENT']),
  lockedAt: z.nullable(z.number()),
  createdAt: z.number(),
})

export type PersonItem = z.output<typeof PersonItem>

/**
 * The search is a complete email address, phone number, ID, or address of a wallet or account. With `match=part` it can also be the
 * beginning, of at least three characters, of an email address, its domain, the rest of it after its first `.`, `_`, `+` or `-`,
 * or a name; a complete match comes first. Programs that act on the result should not set it.
 */
export const findPeople = call({
  name: 'findPeople',
  summary:
    'Find people by email address, phone, ID or wallet, or by a part of their address or name, or list them, newest first.',
  method: 'GET',
  path: PEOPLE_PATH,
  auth: 'operator',
  permission: 'people.read',
  query: z.strictObject({
    search: z.optional(z.string().check(z.maxLength(320))),
    match: z.optional(z.enum(['exact', 'part'])),
    organizationCode: z.optional(OrganizationCode),
    after: z.optional(After),
    limit: z.optional(PageLimit),
  }),
  answer: z.object({
    items: z.array(PersonItem),
    /** The position of the next page; null on the last one. */
    next: z.nullable(z.string()),
  }),
})

/** A factor that an operator can remove; the person can then set it up again. */
export const RESETTABLE_FACTORS = [
  'totp',
  'passkeys',
  'phones',
  'email',
  'questions',
  'recovery-codes',
] as const

export type ResettableFactor = (typeof RESETTABLE_FACTORS)[number]

const ofPerson = z.strictObject({ identityUuid: Uuid })

/** Data of organizations outside the operator's permission is omitted. */
export const Person = z.extend(PersonItem, {
  updatedAt: z.number(),
  /** Whether only administrators may act on this person. */
  isOperator: z.boolean(),
  /** Wrong passwords, codes and answers. Unlocking clears them. */
  attempts: z.object({
    /** The number that counts toward a lockout. */
    wrong: z.int(),
    /** When the last lockout of a network or browser ends; null without one. */
    lockedUntil: z.nullable(z.number()),
    /** Whether too many wrong codes have closed a second factor, in any browser. */
    isSecondStepClosed: z.boolean(),
  }),
  /** The directories of identity providers that lock the account. Unlocking lifts this until the directory changes the person again. */
  directoryLocks: z.array(z.object({ name: z.string(), since: z.number() })),
  factors: z.object({
    hasPassword: z.boolean(),
    passwordExpired: z.boolean(),
    email: z.boolean(),
    totp: z.boolean(),
    phones: z.array(z.object({ value: z.string(), verifiedAt: z.nullable(z.number()) })),
    passkeys: z.array(
      z.object({ name: z.string(), createdAt: z.number(), lastUsedAt: z.nullable(z.number()) }),
    ),
    questions: z.int(),
    recoveryCodesLeft: z.int(),
    providers: z.array(
      z.object({ name: z.string(), connectedAt: z.number(), manages: z.boolean() }),
    ),
  }),
  /** Open ones, newest first. */
  sessions: z.array(
    z.object({
      uuid: Uuid,
      device: z.string(),
      network: z.string(),
      method: z.string(),
      signedInAt: z.number(),
    }),
  ),
  /** Browsers in which the person has logged in, latest first. */
  devices: z.array(
    z.object({
      firstSeenAt: z.number(),
      lastSeenAt: z.number(),
      trustedUntil: z.nullable(z.number()),
    }),
  ),
  wallets: z.array(
    z.object({
      address: z.string(),
      name: z.string(),
      type: z.string(),
      verifiedAt: z.nullable(z.number()),
    }),
  ),
  accounts: z.array(
    z.object({
      address: z.string(),
      name: z.string(),
      type: z.string(),
      walletAddress: z.string(),
    }),
  ),
  passports: z.array(
    z.object({
      passportUuid: Uuid,
      type: z.string(),
      organizationCode: z.string(),
      ownerWalletAddress: z.string(),
      createdAt: z.number(),
    }),
  ),
  roles: z.array(z.object({ role: z.enum(OPERATOR_ROLES), organizationCode: z.string() })),
  /** The latest mails and text messages, without their content. */
  messages: z.array(
    z.object({
      messageUuid: Uuid,
      channel: z.enum(['email', 'sms']),
      kind: z.string(),
      createdAt: z.number(),
      /** `waiting`: not sent yet, possibly after failed attempts. */
      state: z.enum(['waiting', 'sent', 'dropped']),
      attempts: z.int(),
    }),
  ),
  /** The latest security events. `operator` is the email address of the acting operator, or a token's name. */
  events: z.array(
    z.object({
      at: z.number(),
      kind: z.string(),
      network: z.string(),
      operator: z.nullable(z.string()),
      reason: z.nullable(z.string()),
    }),
  ),
})

export type Person = z.output<typeof Person>

export const readPerson = call({
  name: 'readPerson',
  summary: 'Read a person: factors, sessions, devices, wallets, passports, messages and events.',
  method: 'GET',
  path: `${PEOPLE_PATH}/person`,
  auth: 'operator',
  permission: 'people.read',
  query: ofPerson,
  answer: Person,
  refusals: ['not-found'],
})

const ACT = { method: 'POST', auth: 'operator', permission: 'people.write', stepUp: true } as const

/** Whether anything changed: repeating an act changes nothing. */
export const ActResult = z.object({ changed: z.boolean() })

const act = { identityUuid: Uuid, reason: Reason }

export const unlockPerson = call({
  ...ACT,
  name: 'unlockPerson',
  summary:
    'Unlock an account and end the lockout after wrong attempts. Notifies the person by mail.',
  path: `${PEOPLE_PATH}/unlock`,
  body: z.strictObject(act),
  answer: ActResult,
  accepted: ApprovalNeeded,
  refusals: ['not-found'],
})

export const lockPerson = call({
  ...ACT,
  name: 'lockPerson',
  summary: 'Lock an account and end its sessions.',
  path: `${PEOPLE_PATH}/lock`,
  body: z.strictObject(act),
  answer: ActResult,
  accepted: ApprovalNeeded,
  refusals: ['not-found'],
})

export const endPersonSessions = call({
  ...ACT,
  name: 'endPersonSessions',
  summary: "End all of a person's sessions and forget their devices. Notifies the person by mail.",
  path: `${PEOPLE_PATH}/end-sessions`,
  body: z.strictObject(act),
  answer: ActResult,
  accepted: ApprovalNeeded,
  refusals: ['not-found'],
})

export const resetPersonFactor = call({
  ...ACT,
  name: 'resetPersonFactor',
  summary: "Remove a person's factor and end their sessions. Notifies the person by mail.",
  path: `${PEOPLE_PATH}/reset-factor`,
  body: z.strictObject({ ...act, factor: z.enum(RESETTABLE_FACTORS) }),
  answer: ActResult,
  accepted: ApprovalNeeded,
  refusals: ['not-found'],
})

export const changePersonOrganization = call({
  ...ACT,
  name: 'changePersonOrganization',
  summary: 'Move a person to another of the operator’s organizations. Notifies the person by mail.',
  path: `${PEOPLE_PATH}/change-organization`,
  body: z.strictObject({ ...act, organizationCode: OrganizationCode }),
  answer: ActResult,
  accepted: ApprovalNeeded,
  refusals: ['not-found'],
})

/**
 * The content of a message is deleted once it is sent, so only a waiting one can be sent. A message that is due within a
 * minute may already be on its way and is not changed.
 */
export const resendPersonMessage = call({
  ...ACT,
  name: 'resendPersonMessage',
  summary: 'Send a waiting message to a person now instead of at the next scheduled attempt.',
  path: `${PEOPLE_PATH}/resend-message`,
  body: z.strictObject({ ...act, messageUuid: Uuid }),
  answer: ActResult,
  refusals: ['not-found'],
})

export const exportPerson = call({
  ...ACT,
  name: 'exportPerson',
  summary: 'Export everything stored about a person. Notifies the person by mail.',
  path: `${PEOPLE_PATH}/export`,
  body: z.strictObject(act),
  answer: AccountExport,
  refusals: ['not-found'],
})

/** The operator retypes the address to prevent mistakes. */
export const deletePerson = call({
  ...ACT,
  name: 'deletePerson',
  summary: 'Delete an account. The person can register again. Notifies the person by mail.',
  path: `${PEOPLE_PATH}/delete`,
  body: z.strictObject({
    ...act,
    email: EmailAddress,
    deleteHostedWallets: z.optional(z.boolean()),
  }),
  answer: ActResult,
  accepted: ApprovalNeeded,
  refusals: ['not-found', 'email-mismatch', 'hosted-wallets-remain', 'last-administrator'],
})

/**
 * Starts a read-only session of the person and sets its cookie in addition to the operator's own. It ends after 30 minutes,
 * when the operator's session or role ends, or with `stopImpersonation`.
 */
export const impersonatePerson = call({
  name: 'impersonatePerson',
  summary:
    'View the pages of a person as they see them, for 30 minutes. Notifies the person by mail.',
  method: 'POST',
  path: `${PEOPLE_PATH}/impersonate`,
  auth: 'operator',
  permission: 'people.impersonate',
  stepUp: true,
  body: z.strictObject(act),
  answer: z.object({ jwt: z.string(), sessionUuid: Uuid, endsAt: z.number() }),
  refusals: ['not-found', 'impersonation-not-possible'],
})

export const PEOPLE_CALLS = [
  findPeople,
  readPerson,
  unlockPerson,
  lockPerson,
  endPersonSessions,
  resetPersonFactor,
  changePersonOrganization,
  resendPersonMessage,
  exportPerson,
  deletePerson,
  impersonatePerson,
] as const
