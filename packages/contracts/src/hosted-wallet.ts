/** The calls of the hosted wallet: its accounts, and approvals of requests to them. */
import * as z from 'zod/mini'
import { call } from './call.ts'
import { MAX_MESSAGE_BYTES } from './limits.ts'
import { Uuid } from './text.ts'
import {
  Account,
  AccountName,
  CHAIN_REFUSALS,
  CHOICE_REFUSALS,
  ChainAddress,
  CreatedAccount,
  Hex,
} from './wallet.ts'

const HOSTED = '/service-wallet/secure/api/v1/hosted'

/** A hosted account with the groups it may act for. */
export const HostedAccount = z.object({
  name: z.string(),
  address: z.string(),
  publicKey: z.string(),
  verified: z.boolean(),
  groups: z.array(Account),
})

export type HostedAccount = z.output<typeof HostedAccount>

/** The refusal while the wallet is locked, by the user or after inactivity. */
const LOCKED = ['wallet-locked'] as const

export const lockHostedWallet = call({
  name: 'lockHostedWallet',
  summary: 'Lock the hosted wallet of this session until its owner confirms their identity.',
  method: 'POST',
  path: `${HOSTED}/lock`,
  auth: 'session',
})

export const readHostedAccounts = call({
  name: 'readHostedAccounts',
  summary: 'List the hosted accounts and the groups each may act for.',
  method: 'GET',
  path: `${HOSTED}/accounts`,
  auth: 'session',
  answer: z.array(HostedAccount),
  refusals: LOCKED,
})

export const renameHostedAccount = call({
  name: 'renameHostedAccount',
  summary: 'Rename a hosted account.',
  method: 'PUT',
  path: `${HOSTED}/accounts`,
  auth: 'session',
  body: z.strictObject({ address: ChainAddress, name: AccountName }),
  refusals: [...LOCKED, 'account-name-required', 'account-name-used', 'account-not-authorized'],
})

export const restoreHostedAccount = call({
  name: 'restoreHostedAccount',
  summary:
    'Create a hosted account from existing recovery words. Needs a confirmation from the last five minutes.',
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
    'confirmation-needed',
    'account-name-required',
    'account-name-used',
    'recovery-words-invalid',
    'wallet-already-attached',
    'too-many-accounts',
  ],
})

/**
 * A transaction message in plain language, as far as it could be decoded. A message of level 0 is part of the
 * transaction itself; one of a higher level is nested in the nearest preceding message one level lower.
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
        /** The user's name for the address. */
        name: z.nullable(z.string()),
      }),
      /** Raw data for advanced users. */
      z.object({ kind: z.literal('data'), label: z.string(), value: z.string() }),
    ]),
  ),
})

export type TransactionMessage = z.output<typeof TransactionMessage>

const NamedAddress = z.object({ address: z.string(), name: z.nullable(z.string()) })

/** What an approval would do, decoded by the server from the exact bytes it would sign. Times are epoch seconds. */
export const ApprovalDescription = z.discriminatedUnion('kind', [
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
    /** Such as 'Send 25 hash to Larch Partners'. */
    effect: z.string(),
    /** The amount, if the transaction has exactly one transfer. Earlier versions of the wallet show it. */
    amount: z.nullable(z.string()),
    /** Everything that the messages spend, and the fee; null if a message may spend what is not known in advance. */
    total: z._default(z.nullable(z.string()), null),
    network: z.string(),
    messages: z.array(TransactionMessage),
    fee: z.string(),
    /** The network's own price, if the page has set the fee far above it. */
    usualFee: z._default(z.nullable(z.string()), null),
    /** Whether its votes count, but the proposal that they accept cannot be carried out now. */
    votesOnly: z._default(z.boolean(), false),
    gasLimit: z.string(),
    feePayer: z.nullable(NamedAddress),
    feeGranter: z.nullable(NamedAddress),
    memo: z.string(),
    timeoutHeight: z.nullable(z.string()),
    /** The number of transaction extensions, which are not decoded. */
    extensions: z.number(),
    /** The bytes to sign. */
    hex: z.string(),
  }),
])

export type ApprovalDescription = z.output<typeof ApprovalDescription>

const signer = {
  address: ChainAddress,
  /** The origin of the page that receives the result; 'null' if it is unknown. */
  pageOrigin: z.optional(z.string().check(z.maxLength(300))),
  /** The group to act for; absent or null for the individual account. */
  group: z.optional(z.nullable(ChainAddress)),
}

const MAX_LIFETIME_S = 86_400

/** The lifetime of the connected page's token, in seconds. */
const jwtExpirationS = z.optional(
  z.number().check(z.int(), z.positive(), z.maximum(MAX_LIFETIME_S)),
)

/** Each a `google.protobuf.Any` in base64. Not decoded, which the approval states. */
const extensionOptions = z.optional(
  z.array(z.string().check(z.maxLength(2 * MAX_MESSAGE_BYTES))).check(z.maxLength(20)),
)

/** A page's request to a hosted account. */
export const ApprovalRequest = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('connect'),
    ...signer,
    jwtExpirationS,
  }),
  z.strictObject({ kind: z.literal('switch-group'), ...signer, jwtExpirationS }),
  z.strictObject({ kind: z.literal('sign'), ...signer, messageHex: Hex }),
  z.strictObject({ kind: z.literal('sign-jwt'), ...signer, messageHex: Hex }),
  z.strictObject({
    kind: z.literal('send'),
    ...signer,
    /** Each a `google.protobuf.Any`, serialized, in standard base64 (protocol 9.3). */
    messages: z
      .array(z.base64().check(z.maxLength(2 * MAX_MESSAGE_BYTES)))
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

export type ApprovalRequest = z.output<typeof ApprovalRequest>

/**
 * Why an approval needs a proof bound to it: a recipient the user has not sent to before, more than the daily amount
 * allowed without one, or a transaction with an unclear effect.
 */
const ProofReason = z.enum(['new-recipient', 'above-limit', 'unclear'])

export type ProofReason = z.output<typeof ProofReason>

/** Stores what would be signed and describes it. */
export const requestApproval = call({
  name: 'requestApproval',
  summary: "Store a page's request to a hosted account, and describe what approving it would do.",
  method: 'POST',
  path: `${HOSTED}/approvals`,
  auth: 'session',
  body: ApprovalRequest,
  answer: z.object({
    approvalId: Uuid,
    expiresAt: z.number(),
    words: ApprovalDescription,
    /** Null if approving needs no proof. */
    proof: z.nullable(ProofReason),
  }),
  refusals: [
    ...LOCKED,
    ...CHOICE_REFUSALS,
    'message-unreadable',
    'message-is-transaction',
    'message-for-other-site',
    ...CHAIN_REFUSALS,
  ],
})

/** An account as a connected page receives it (protocol 7). */
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

export const ApprovalResult = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('connect'), account: ConnectedAccount }),
  z.object({ kind: z.literal('switch-group'), account: ConnectedAccount }),
  z.object({ kind: z.literal('sign'), signature: z.string() }),
  z.object({ kind: z.literal('sign-jwt'), signature: z.string() }),
  z.object({ kind: z.literal('send'), txResponse: z.record(z.string(), z.unknown()) }),
])

export type ApprovalResult = z.output<typeof ApprovalResult>

/** A transaction submitted a proposal that other members of the group must vote on. */
export const Proposed = z.object({
  kind: z.literal('proposed'),
  proposalId: z.string(),
  /** The hash of the transaction that submitted the proposal. */
  txhash: z.string(),
})

export type Proposed = z.output<typeof Proposed>

export const ApprovalReference = z.strictObject({ approvalId: Uuid })

export const approveRequest = call({
  name: 'approveRequest',
  summary:
    'Carry out an approval, once, in the session that requested it. `proposed`: other members of the group have to vote.',
  method: 'POST',
  path: `${HOSTED}/approvals/approve`,
  auth: 'session',
  body: ApprovalReference,
  answer: z.union([ApprovalResult, Proposed]),
  refusals: [
    ...LOCKED,
    'approval-over',
    'approval-unproven',
    ...CHOICE_REFUSALS,
    ...CHAIN_REFUSALS,
  ],
})

export const rejectRequest = call({
  name: 'rejectRequest',
  summary: 'Reject a request permanently.',
  method: 'POST',
  path: `${HOSTED}/approvals/reject`,
  auth: 'session',
  body: ApprovalReference,
  refusals: ['approval-over'],
})

/** The calls of the hosted wallet, in the order of the documentation. */
export const HOSTED_WALLET_CALLS = [
  lockHostedWallet,
  readHostedAccounts,
  renameHostedAccount,
  restoreHostedAccount,
  requestApproval,
  approveRequest,
  rejectRequest,
] as const
