/** The calls of the hosted wallet: its accounts, and approvals of what a page asks of them. */
import * as z from 'zod/mini'
import { call } from './call.ts'
import { MESSAGE_BYTES_MAXIMUM } from './limits.ts'
import { Uuid } from './text.ts'
import {
  Account,
  AccountName,
  CHOICE_REFUSALS,
  ChainAddress,
  CreatedAccount,
  Hex,
} from './wallet.ts'

const HOSTED = '/service-wallet/secure/api/v1/hosted'

/** A hosted account as its wallet shows it, with the groups it may act for. */
export const HostedAccount = z.object({
  name: z.string(),
  address: z.string(),
  publicKey: z.string(),
  verified: z.boolean(),
  groups: z.array(Account),
})

/** The parsed form of `HostedAccount`. */
export type HostedAccount = z.output<typeof HostedAccount>

/** What is refused while the wallet is locked: by the person, or because nobody used it for a while. */
const LOCKED = ['wallet-locked'] as const

/** Locks the hosted wallet of this session until the person confirms who they are. */
export const lockHostedWallet = call({
  name: 'lockHostedWallet',
  summary: 'Lock the hosted wallet of this session until its owner confirms who they are.',
  method: 'POST',
  path: `${HOSTED}/lock`,
  auth: 'session',
})

/** Lists the hosted accounts of the signed-in person. */
export const readHostedAccounts = call({
  name: 'readHostedAccounts',
  summary: 'List the hosted accounts and the groups each may act for.',
  method: 'GET',
  path: `${HOSTED}/accounts`,
  auth: 'session',
  answer: z.array(HostedAccount),
  refusals: LOCKED,
})

/** Gives a hosted account another name. */
export const renameHostedAccount = call({
  name: 'renameHostedAccount',
  summary: 'Give a hosted account another name.',
  method: 'PUT',
  path: `${HOSTED}/accounts`,
  auth: 'session',
  body: z.strictObject({ address: ChainAddress, name: AccountName }),
  refusals: [...LOCKED, 'account-name-required', 'account-not-authorized'],
})

/** Makes a hosted account of recovery words that somebody already has. */
export const restoreHostedAccount = call({
  name: 'restoreHostedAccount',
  summary: 'Make a hosted account of recovery words.',
  method: 'POST',
  path: `${HOSTED}/restore`,
  auth: 'session',
  body: z.strictObject({
    name: AccountName,
    words: z.string().check(z.maxLength(400, 'Please enter 400 characters at most.')),
    default: z.optional(z.boolean()),
  }),
  answer: CreatedAccount,
  refusals: [
    ...LOCKED,
    'account-name-required',
    'recovery-words-invalid',
    'wallet-already-attached',
    'too-many-accounts',
  ],
})

/**
 * A message of a transaction in words, as far as it is understood. One of level 0 stands in the transaction itself; one
 * of a higher level stands inside the nearest message before it that is a level lower.
 */
export const TransactionMessage = z.object({
  level: z.number(),
  typeUrl: z.string(),
  title: z.string(),
  understood: z.boolean(),
  fields: z.array(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('text'), label: z.string(), value: z.string() }),
      z.object({
        kind: z.literal('address'),
        label: z.string(),
        address: z.string(),
        /** The name under which the person knows the address. */
        name: z.nullable(z.string()),
      }),
      /** For those who want to see everything. */
      z.object({ kind: z.literal('data'), label: z.string(), value: z.string() }),
    ]),
  ),
})

/** The parsed form of `TransactionMessage`. */
export type TransactionMessage = z.output<typeof TransactionMessage>

const NamedAddress = z.object({ address: z.string(), name: z.nullable(z.string()) })

/** What an approval would do, decoded by the server from the very bytes it would sign. Times are epoch seconds. */
export const ApprovalWords = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('connect'), lifetimeS: z.number() }),
  z.object({ kind: z.literal('switch-group'), group: z.nullable(Account) }),
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('bytes'), hex: z.string(), length: z.number() }),
  z.object({
    kind: z.literal('token'),
    issuer: z.string(),
    address: z.string(),
    group: z.nullable(z.string()),
    issuedAt: z.number(),
    expiresAt: z.number(),
  }),
  z.object({
    kind: z.literal('transaction'),
    /** What it does, such as 'Send 25 hash to Larch Partners'. */
    effect: z.string(),
    /** The amount, where a transaction sends once. */
    amount: z.nullable(z.string()),
    network: z.string(),
    messages: z.array(TransactionMessage),
    fee: z.string(),
    gasLimit: z.string(),
    feePayer: z.nullable(NamedAddress),
    feeGranter: z.nullable(NamedAddress),
    memo: z.string(),
    timeoutHeight: z.nullable(z.string()),
    /** Extensions of a transaction are not understood; how many it carries. */
    extensions: z.number(),
    /** The bytes that are signed. */
    hex: z.string(),
  }),
])

/** The parsed form of `ApprovalWords`. */
export type ApprovalWords = z.output<typeof ApprovalWords>

const asked = {
  address: ChainAddress,
  /** The group acted for; absent or null for the individual. */
  group: z.optional(z.nullable(ChainAddress)),
}

const LIFETIME_MAXIMUM_S = 86_400

/** How long the token of a connected page lives. */
const jwtExpirationS = z.optional(
  z.number().check(z.int(), z.positive(), z.maximum(LIFETIME_MAXIMUM_S)),
)

/** Each a `google.protobuf.Any` in base64; what they do is not understood here, and said to be so. */
const extensionOptions = z.optional(
  z.array(z.string().check(z.maxLength(2 * MESSAGE_BYTES_MAXIMUM))).check(z.maxLength(20)),
)

/** Something a page asks of a hosted account. */
export const ApprovalRequest = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('connect'),
    ...asked,
    jwtExpirationS,
  }),
  z.strictObject({ kind: z.literal('switch-group'), ...asked, jwtExpirationS }),
  z.strictObject({ kind: z.literal('sign'), ...asked, messageHex: Hex }),
  z.strictObject({ kind: z.literal('sign-jwt'), ...asked, messageHex: Hex }),
  z.strictObject({
    kind: z.literal('send'),
    ...asked,
    /** Each a `google.protobuf.Any`, serialized, in standard base64 (protocol 9.3). */
    messages: z
      .array(z.base64().check(z.maxLength(2 * MESSAGE_BYTES_MAXIMUM)))
      .check(z.minLength(1), z.maxLength(20)),
    gasPrice: z.optional(
      z.strictObject({
        gasPrice: z.number().check(z.nonnegative()),
        gasPriceDenom: z.string().check(z.regex(/^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/)),
      }),
    ),
    feeGranter: z.optional(ChainAddress),
    feePayer: z.optional(ChainAddress),
    memo: z.optional(z.string().check(z.maxLength(512))),
    timeoutHeight: z.optional(z.number().check(z.int(), z.positive())),
    extensionOptions,
    nonCriticalExtensionOptions: extensionOptions,
  }),
])

/** The parsed form of `ApprovalRequest`. */
export type ApprovalRequest = z.output<typeof ApprovalRequest>

/**
 * Why approving needs a proof that names the approval: a recipient the person has not sent to before, more than leaves
 * in a day without one, or an effect that cannot be told from the transaction.
 */
const ProofReason = z.enum(['new-recipient', 'above-limit', 'unclear'])

/** The parsed form of `ProofReason`. */
export type ProofReason = z.output<typeof ProofReason>

/** Puts a request to the person: keeps what would be signed and tells in words what that is. */
export const askApproval = call({
  name: 'askApproval',
  summary:
    'Keep what a page asks of a hosted account, and tell in words what approving it would do.',
  method: 'POST',
  path: `${HOSTED}/approvals`,
  auth: 'session',
  body: ApprovalRequest,
  answer: z.object({
    approvalId: Uuid,
    expiresAt: z.number(),
    words: ApprovalWords,
    /** Null where approving needs no proof. */
    proof: z.nullable(ProofReason),
  }),
  refusals: [
    ...LOCKED,
    ...CHOICE_REFUSALS,
    'message-unreadable',
    'message-is-transaction',
    'chain-not-available',
    'transaction-refused',
  ],
})

/** An account as a connected page is told of it (protocol 7). */
export const ConnectedAccount = z.object({
  address: z.string(),
  publicKey: z.string(),
  jwt: z.string(),
  walletInfo: z.object({ id: z.string(), name: z.string(), coin: z.enum(['mainNet', 'testNet']) }),
  attributes: z.array(z.never()),
  representedGroupPolicy: z.nullable(
    z.object({ address: z.string(), metadata: z.object({ name: z.string() }) }),
  ),
})

/** What an approval gave. */
export const ApprovalResult = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('connect'), account: ConnectedAccount }),
  z.object({ kind: z.literal('switch-group'), account: ConnectedAccount }),
  z.object({ kind: z.literal('sign'), signature: z.string() }),
  z.object({ kind: z.literal('sign-jwt'), signature: z.string() }),
  z.object({ kind: z.literal('send'), txResponse: z.record(z.string(), z.unknown()) }),
])

/** The parsed form of `ApprovalResult`. */
export type ApprovalResult = z.output<typeof ApprovalResult>

/** The approval that the person decided on. */
export const ApprovalChosen = z.strictObject({ approvalId: Uuid })

/** Does what was shown, once. */
export const approveRequest = call({
  name: 'approveRequest',
  summary: 'Do what was shown, once, in the session that was shown it.',
  method: 'POST',
  path: `${HOSTED}/approvals/approve`,
  auth: 'session',
  body: ApprovalChosen,
  answer: ApprovalResult,
  refusals: [
    ...LOCKED,
    'approval-over',
    'approval-unproven',
    ...CHOICE_REFUSALS,
    'chain-not-available',
    'transaction-refused',
  ],
})

/** Turns a request down; it can be approved no more. */
export const rejectRequest = call({
  name: 'rejectRequest',
  summary: 'Turn a request down; it can be approved no more.',
  method: 'POST',
  path: `${HOSTED}/approvals/reject`,
  auth: 'session',
  body: ApprovalChosen,
  refusals: ['approval-over'],
})

/** The calls of the hosted wallet, in the order of the documentation. */
export const HOSTED_WALLET_CALLS = [
  lockHostedWallet,
  readHostedAccounts,
  renameHostedAccount,
  restoreHostedAccount,
  askApproval,
  approveRequest,
  rejectRequest,
] as const
