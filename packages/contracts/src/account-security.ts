import * as z from 'zod/mini'
import { call } from './call.ts'
import { EmailAddress } from './email-address.ts'
import { AliasType, ExpandedAlias, Password } from './identity.ts'
import { MAX_PASSKEY_NAME_LENGTH } from './limits.ts'
import { SignInMethod } from './page-data.ts'
import { Passcode } from './passcode.ts'
import { typedText, Uuid } from './text.ts'
import { PasskeyJson, SecurityAnswer, SecurityQuestion } from './two-factor.ts'

const BASE = '/identity/secure/api/v1/security'

/** The recovery questions to choose from. A question keeps its UUID forever, because answers are stored under it. */
export const QUESTION_CATALOG: readonly SecurityQuestion[] = [
  ['0b8f4c1e-2a57-4d0e-9c53-61f0a7d3b201', 'What was the name of your first pet?'],
  ['17c2e9a4-6b38-4f7d-8e15-92d4c0b8a602', 'In which town did your parents meet?'],
  ['2ad51f70-93c4-4b6a-a0d7-3e8b5f14c903', 'What was the name of your first school?'],
  ['38e6b0d9-4f12-4c85-b7a9-d05c2e71f804', 'What was the make of your first car?'],
  ['4f79a3c2-d586-4e10-8b34-1a6d9f02e705', 'What was the name of the street you grew up on?'],
  ['5c0d8e16-a7f4-4932-9d6b-f4e37b18c006', "What is your oldest cousin's first name?"],
  ['6e91b7f3-08c5-4da2-85e0-7c2f4a6d1907', 'In which town was your first job?'],
  ['73a4d2c8-5e60-4b1f-a983-b8d10e5f7208', 'What was the name of your favorite teacher?'],
  ['84b5e3d9-6f71-4c20-ba94-c9e21f608309', 'Which dish did you learn to cook first?'],
  ['95c6f4ea-7082-4d31-8ba5-daf320719410', 'What was the nickname you had as a child?'],
  [
    'a6d705fb-8193-4e42-9cb6-eb0431820511',
    'Where did you spend your first vacation away from home?',
  ],
  ['b7e8160c-92a4-4f53-adc7-fc1542931612', 'What was the title of the first book you loved?'],
].map(([uuid = '', question = '']) => ({ uuid, question }))

export const Passkey = z.object({
  uuid: Uuid,
  name: z.string(),
  createdAt: z.number(),
  lastUsedAt: z.nullable(z.number()),
})

/** How a session is confirmed; `passcode` is the code by e-mail. */
export const ConfirmationProof = z.enum(['password', 'passkey', 'totp', 'passcode'])

export type ConfirmationProof = z.output<typeof ConfirmationProof>

/** A session in the owner's list; `device` and `network` are descriptions. */
export const SessionSummary = z.object({
  uuid: Uuid,
  device: z.string(),
  network: z.string(),
  method: SignInMethod,
  signedInAt: z.number(),
  current: z.boolean(),
})

/** `kind` is the audit kind. */
export const SecurityEvent = z.object({ at: z.number(), kind: z.string(), network: z.string() })

/** Everything the security page shows. Times are epoch milliseconds. */
export const SecurityOverview = z.object({
  aliases: z.array(ExpandedAlias),
  emailFactorEnabled: z.boolean(),
  totpEnabled: z.boolean(),
  /** Whether text messages can be sent; if not, no phone can be added or used. */
  textsAvailable: z.boolean(),
  questions: z.array(SecurityQuestion),
  recoveryCodesLeft: z.number(),
  passkeys: z.array(Passkey),
  /** The identity providers that the account is linked to. */
  providers: z.array(
    z.object({
      uuid: Uuid,
      name: z.string(),
      connectedAt: z.number(),
      /** Whether it manages the account, which can then log in only through it. */
      manages: z.boolean(),
    }),
  ),
  sessions: z.array(SessionSummary),
  events: z.array(SecurityEvent),
  hasPassword: z.boolean(),
  /** Whether deleting the account would delete hosted wallet keys. */
  hasHostedWallets: z.boolean(),
  /** Whether a change is accepted now, or needs a confirmation first. */
  confirmed: z.boolean(),
  /** The proofs that can confirm this session now. Factors that it added itself cannot, and new ones cannot confirm payments. */
  confirmWith: z.object({
    change: z.array(ConfirmationProof),
    payment: z.array(ConfirmationProof),
  }),
})

export type SecurityOverview = z.output<typeof SecurityOverview>

/** Every change needs a confirmation within the session, from the last five minutes. */
const CHANGE_REFUSALS = ['confirmation-needed'] as const

export const readSecurity = call({
  name: 'readSecurity',
  summary: 'Read factors, passkeys, sessions and recent security events.',
  method: 'GET',
  path: BASE,
  auth: 'session',
  answer: SecurityOverview,
})

export const sendConfirmation = call({
  name: 'sendConfirmation',
  summary: 'Send a passcode by e-mail to confirm a change.',
  method: 'POST',
  path: `${BASE}/confirmation/send`,
  auth: 'session',
  answer: z.object({ loginUuid: Uuid }),
  refusals: ['factor-too-new'],
})

export const readPasskeyConfirmation = call({
  name: 'readPasskeyConfirmation',
  summary: 'Get the WebAuthn options to confirm a change with a passkey.',
  method: 'POST',
  path: `${BASE}/confirmation/passkey/options`,
  auth: 'session',
  answer: z.object({ options: PasskeyJson }),
  refusals: ['method-not-available'],
})

/** Confirms the user's identity again. */
export const confirmIdentity = call({
  name: 'confirmIdentity',
  summary:
    'Confirm by password, passkey, e-mailed passcode or authenticator code; valid for five minutes.',
  method: 'POST',
  path: `${BASE}/confirmation`,
  auth: 'session',
  /** The hosted wallet approval that the proof is for. It is valid for no other. */
  query: z.object({ approval: z.optional(Uuid) }),
  body: z.union([
    z.strictObject({ password: Password }),
    z.strictObject({ loginUuid: Uuid, token: Passcode }),
    z.strictObject({ totp: Passcode }),
    z.strictObject({ passkey: PasskeyJson }),
  ]),
  refusals: [
    'wrong-password',
    'code-wrong',
    'code-expired',
    'code-used',
    'factor-too-new',
    'passkey-refused',
    'approval-over',
    'busy',
  ],
})

/** Nothing changes until the first code is confirmed. */
export const beginTotp = call({
  name: 'beginTotp',
  summary: 'Start setting up an authenticator app.',
  method: 'POST',
  path: `${BASE}/totp`,
  auth: 'session',
  answer: z.object({ secret: z.string(), uri: z.string() }),
  refusals: CHANGE_REFUSALS,
})

export const confirmTotp = call({
  name: 'confirmTotp',
  summary: 'Finish setting up an authenticator app with its first code.',
  method: 'PUT',
  path: `${BASE}/totp`,
  auth: 'session',
  body: z.strictObject({ code: Passcode }),
  refusals: [...CHANGE_REFUSALS, 'code-wrong', 'code-used', 'method-not-available'],
})

export const removeTotp = call({
  name: 'removeTotp',
  summary: 'Remove the authenticator app.',
  method: 'POST',
  path: `${BASE}/totp/remove`,
  auth: 'session',
  refusals: CHANGE_REFUSALS,
})

export const setEmailFactor = call({
  name: 'setEmailFactor',
  summary: 'Switch the e-mailed code as a second factor on or off.',
  method: 'PUT',
  path: `${BASE}/email-factor`,
  auth: 'session',
  body: z.strictObject({ enabled: z.boolean() }),
  refusals: CHANGE_REFUSALS,
})

export const beginPhone = call({
  name: 'beginPhone',
  summary: 'Start adding a phone; a code is sent to it.',
  method: 'POST',
  path: `${BASE}/phone`,
  auth: 'session',
  body: z.strictObject({ phone: typedText({ max: 32 }) }),
  answer: z.object({ alias: Uuid }),
  refusals: [...CHANGE_REFUSALS, 'phone-invalid', 'texts-not-available', 'too-many-factors'],
})

export const confirmPhone = call({
  name: 'confirmPhone',
  summary: 'Finish adding a phone with the code sent to it.',
  method: 'PUT',
  path: `${BASE}/phone`,
  auth: 'session',
  body: z.strictObject({ alias: Uuid, token: Passcode }),
  refusals: [...CHANGE_REFUSALS, 'code-wrong', 'code-expired', 'code-used', 'too-many-factors'],
})

export const removePhone = call({
  name: 'removePhone',
  summary: 'Remove a phone.',
  method: 'POST',
  path: `${BASE}/phone/remove`,
  auth: 'session',
  body: z.strictObject({ alias: Uuid }),
  refusals: CHANGE_REFUSALS,
})

export const readQuestionCatalog = call({
  name: 'readQuestionCatalog',
  summary: 'List the recovery questions that can be chosen.',
  method: 'GET',
  path: `${BASE}/questions`,
  auth: 'session',
  answer: z.array(SecurityQuestion),
})

export const setQuestions = call({
  name: 'setQuestions',
  summary: 'Choose and answer recovery questions; earlier answers are deleted.',
  method: 'PUT',
  path: `${BASE}/questions`,
  auth: 'session',
  body: z.strictObject({ answers: z.array(SecurityAnswer).check(z.maxLength(10)) }),
  refusals: [...CHANGE_REFUSALS, 'questions-unsuitable', 'busy'],
})

export const makeRecoveryCodes = call({
  name: 'makeRecoveryCodes',
  summary: 'Generate new recovery codes, shown only once; earlier ones stop working.',
  method: 'POST',
  path: `${BASE}/recovery-codes`,
  auth: 'session',
  answer: z.object({ codes: z.array(z.string()) }),
  refusals: CHANGE_REFUSALS,
})

export const beginPasskey = call({
  name: 'beginPasskey',
  summary: 'Get the WebAuthn options to create a passkey.',
  method: 'POST',
  path: `${BASE}/passkeys/options`,
  auth: 'session',
  answer: z.object({ challengeUuid: Uuid, options: PasskeyJson }),
  refusals: [...CHANGE_REFUSALS, 'too-many-factors', 'account-managed'],
})

const PasskeyName = typedText({ max: MAX_PASSKEY_NAME_LENGTH })

export const addPasskey = call({
  name: 'addPasskey',
  summary: 'Store a passkey that the browser created.',
  method: 'POST',
  path: `${BASE}/passkeys`,
  auth: 'session',
  body: z.strictObject({ challengeUuid: Uuid, name: PasskeyName, response: PasskeyJson }),
  refusals: [...CHANGE_REFUSALS, 'passkey-refused', 'too-many-factors'],
})

export const renamePasskey = call({
  name: 'renamePasskey',
  summary: 'Rename a passkey.',
  method: 'PUT',
  path: `${BASE}/passkeys`,
  auth: 'session',
  body: z.strictObject({ uuid: Uuid, name: PasskeyName }),
})

export const removePasskey = call({
  name: 'removePasskey',
  summary: 'Remove a passkey.',
  method: 'POST',
  path: `${BASE}/passkeys/remove`,
  auth: 'session',
  body: z.strictObject({ uuid: Uuid }),
  refusals: CHANGE_REFUSALS,
})

export const disconnectProvider = call({
  name: 'disconnectProvider',
  summary: 'Disconnect an identity provider that does not manage the account.',
  method: 'POST',
  path: `${BASE}/providers/remove`,
  auth: 'session',
  body: z.strictObject({ uuid: Uuid }),
  refusals: [...CHANGE_REFUSALS],
})

/** Ends one session by its UUID, all others, or all including this one. Ending only others needs a confirmation. */
export const endSessions = call({
  name: 'endSessions',
  summary: 'End one session, all others, or every one.',
  method: 'POST',
  path: `${BASE}/sessions/end`,
  auth: 'session',
  body: z.union([
    z.strictObject({ uuid: Uuid }),
    z.strictObject({ which: z.enum(['others', 'all']) }),
  ]),
  refusals: CHANGE_REFUSALS,
})

export const beginEmailChange = call({
  name: 'beginEmailChange',
  summary: 'Start changing the e-mail address; a code is sent to both addresses.',
  method: 'POST',
  path: `${BASE}/email`,
  auth: 'session',
  body: z.strictObject({ email: EmailAddress }),
  answer: z.object({ changeUuid: Uuid }),
  refusals: [...CHANGE_REFUSALS, 'email-unchanged', 'account-managed'],
})

/** Every other session ends. */
export const confirmEmailChange = call({
  name: 'confirmEmailChange',
  summary: 'Complete the change of the e-mail address with both codes.',
  method: 'PUT',
  path: `${BASE}/email`,
  auth: 'session',
  body: z.strictObject({ changeUuid: Uuid, currentToken: Passcode, newToken: Passcode }),
  refusals: [...CHANGE_REFUSALS, 'code-wrong', 'code-expired', 'code-used'],
})

/** Everything stored about an account, except secrets and anything that grants access. Times are ISO 8601. */
export const AccountExport = z.object({
  exportedAt: z.iso.datetime(),
  identity: z.object({
    uuid: Uuid,
    email: z.string(),
    organizationCode: z.string(),
    profileType: z.enum(['CUSTOMER', 'AGENT']),
    /** The names from an import. */
    givenName: z.nullable(z.string()),
    familyName: z.nullable(z.string()),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    hasPassword: z.boolean(),
    aliases: z.array(z.object({ type: AliasType, value: z.string() })),
  }),
  security: z.object({
    emailFactorEnabled: z.boolean(),
    totpEnabled: z.boolean(),
    recoveryQuestions: z.array(z.string()),
    recoveryCodesLeft: z.number(),
    passkeys: z.array(
      z.object({
        name: z.string(),
        createdAt: z.iso.datetime(),
        lastUsedAt: z.nullable(z.iso.datetime()),
      }),
    ),
    /** The identity providers that the account is linked to, and the person's identifier there. */
    identityProviders: z.array(
      z.object({
        name: z.string(),
        subject: z.string(),
        /** False if the provider has changed since and the person has not signed in there again. */
        isCurrent: z.boolean(),
        /** The names from the last login at the provider, unless its directory sends them. */
        givenName: z.nullable(z.string()),
        familyName: z.nullable(z.string()),
        connectedAt: z.iso.datetime(),
        /** What the organization's directory sent about the person. */
        directory: z.nullable(
          z.object({
            userName: z.string(),
            email: z.nullable(z.string()),
            displayName: z.nullable(z.string()),
            givenName: z.nullable(z.string()),
            familyName: z.nullable(z.string()),
          }),
        ),
      }),
    ),
    sessions: z.array(
      z.object({
        device: z.string(),
        network: z.string(),
        method: SignInMethod,
        signedInAt: z.iso.datetime(),
      }),
    ),
  }),
  wallets: z.array(
    z.object({
      address: z.string(),
      name: z.string(),
      type: z.string(),
      createdAt: z.iso.datetime(),
    }),
  ),
  organizationAccounts: z.array(
    z.object({
      address: z.string(),
      name: z.string(),
      authorizationType: z.string(),
      walletAddress: z.string(),
    }),
  ),
  /** The investor passports that the user fills in, with only the last digits of tax numbers. */
  passports: z.array(
    z.object({
      passportUuid: Uuid,
      type: z.string(),
      ownerWalletAddress: z.string(),
      access: z.string(),
      sections: z.array(
        z.object({
          section: z.string(),
          status: z.string(),
          savedAt: z.iso.datetime(),
          answers: z.record(z.string(), z.string()),
        }),
      ),
      members: z.array(
        z.object({
          name: z.string(),
          email: z.string(),
          role: z.string(),
          joinedAt: z.nullable(z.iso.datetime()),
        }),
      ),
      files: z.array(
        z.object({
          name: z.string(),
          type: z.nullable(z.string()),
          bytes: z.int(),
          addedAt: z.iso.datetime(),
        }),
      ),
      history: z.array(
        z.object({
          at: z.iso.datetime(),
          section: z.string(),
          event: z.string(),
          reason: z.nullable(z.string()),
        }),
      ),
    }),
  ),
  walletRequests: z.array(
    z.object({
      kind: z.string(),
      address: z.string(),
      origin: z.string(),
      createdAt: z.iso.datetime(),
      decidedAt: z.nullable(z.iso.datetime()),
    }),
  ),
  /** The query parameters the user arrived with. */
  arrivedWith: z.nullable(z.record(z.string(), z.string())),
  events: z.array(
    z.object({
      at: z.iso.datetime(),
      kind: z.string(),
      organizationCode: z.string(),
      network: z.string(),
      details: z.record(z.string(), z.union([z.string(), z.number()])),
    }),
  ),
})

export type AccountExport = z.output<typeof AccountExport>

export const exportAccountData = call({
  name: 'exportAccountData',
  summary: 'Export everything stored about the account.',
  method: 'POST',
  path: `${BASE}/export`,
  auth: 'session',
  answer: AccountExport,
  refusals: CHANGE_REFUSALS,
})

/** Deletes the account, its sessions and, if requested, the keys of its hosted wallets. */
export const deleteOwnAccount = call({
  name: 'deleteOwnAccount',
  summary: 'Delete the account; its e-mail address can be registered again.',
  method: 'POST',
  path: `${BASE}/delete`,
  auth: 'session',
  body: z.strictObject({
    email: EmailAddress,
    deleteHostedWallets: z.optional(z.boolean()),
  }),
  refusals: [...CHANGE_REFUSALS, 'email-not-yours', 'hosted-wallets-remain', 'last-administrator'],
})

/** The calls of the security page, in the order of the documentation. */
export const ACCOUNT_SECURITY_CALLS = [
  readSecurity,
  sendConfirmation,
  readPasskeyConfirmation,
  confirmIdentity,
  beginTotp,
  confirmTotp,
  removeTotp,
  setEmailFactor,
  beginPhone,
  confirmPhone,
  removePhone,
  readQuestionCatalog,
  setQuestions,
  makeRecoveryCodes,
  beginPasskey,
  addPasskey,
  renamePasskey,
  removePasskey,
  disconnectProvider,
  endSessions,
  beginEmailChange,
  confirmEmailChange,
  exportAccountData,
  deleteOwnAccount,
] as const
