import * as z from 'zod/mini'
import { call } from './call.ts'
import { ACCOUNT_NAME_LENGTH_MAXIMUM, MESSAGE_BYTES_MAXIMUM } from './limits.ts'
import { hasUnseenCharacters, Uuid, visibleText } from './text.ts'

/** The header that carries the stored token where `authorization` carries the wallet's (§7.4). */
export const STORED_JWT_HEADER = 'x-figure-auth'

/** The headers of an identity's answer that say which wallet, and which group, the session acts for (§3). */
export const WALLET_ADDRESS_HEADER = 'x-wallet-address'
/** The group of the above; absent where the session acts for an individual. */
export const GROUP_POLICY_ADDRESS_HEADER = 'x-group-policy-address'

/** An address in the form every chain of this kind writes: a prefix, a one, and bech32's letters; unverified. */
export const ChainAddress = z
  .string()
  .check(z.regex(/^[a-z][a-z0-9]{0,9}1[02-9ac-hj-np-z]{38,64}$/, 'must be an address'))

/** The kinds of wallet (§3). */
export const WalletType = z.enum([
  'PROVENANCE',
  'FIGURE',
  'OLDNET',
  'SELF_CUSTODY',
  'INMEMORY',
  'ADNALES',
  'SUBSCRIBE',
  'UNKNOWN',
])

/** The parsed form of `WalletType`. */
export type WalletType = z.output<typeof WalletType>

/** How a wallet may sign for an account (§6): as its owner, or on behalf of an organisation. */
export const AuthorizationType = z.enum(['Owner', 'RBAC', 'Shared', 'Group'])

/** The parsed form of `AuthorizationType`. */
export type AuthorizationType = z.output<typeof AuthorizationType>

const Account = z.object({ name: z.string(), address: z.string() })

/** A wallet that may sign for an account (§3). */
export const AuthorizedWallet = z.object({
  address: z.string(),
  name: z.string(),
  type: WalletType,
  authorizationType: AuthorizationType,
  verified: z.boolean(),
})

/** An account with the wallets of this identity that may sign for it (§3, account list item). */
export const AccountListItem = z.object({
  account: Account,
  authorizedWallets: z.array(AuthorizedWallet),
})

/** The parsed form of `AccountListItem`. */
export type AccountListItem = z.output<typeof AccountListItem>

/** A wallet as the authentication flow lists it (§3). */
export const WalletAccount = z.object({
  name: z.string(),
  address: z.string(),
  type: WalletType,
  verified: z.boolean(),
})

/** The parsed form of `WalletAccount`. */
export type WalletAccount = z.output<typeof WalletAccount>

const Jwt = z.object({ jwt: z.string() })

/** A query has texts only. */
const QueryFlag = z.enum(['true', 'false'])

/** Hex in either case, whole bytes, as `provenance_sign` carries it (protocol 9.1). */
const Hex = z
  .string()
  .check(
    z.maxLength(2 * MESSAGE_BYTES_MAXIMUM, 'is too long'),
    z.regex(/^(?:[0-9a-fA-F]{2})+$/, 'Message parameter is not a hex value.'),
  )

/** What choosing an account may be refused with; 403 leads to Verify, or for an old wallet to its conversion (§4.2). */
const CHOICE_REFUSALS = [
  'wallet-not-verified',
  'wallet-type-not-supported',
  'account-not-authorized',
] as const

/** Gives a text for a wallet to sign, for this session, once. The authorization is the wallet's token or the stored one. */
export const readWalletNonce = call({
  name: 'readWalletNonce',
  summary: "Get a text for a wallet to sign; good once, in the cookie's session, for ten minutes.",
  method: 'GET',
  path: '/identity/api/v3/wallet/nonce',
  auth: 'cookie',
  headers: { authorization: "The wallet's token, or the stored one." },
  answer: z.object({ hexEncodedNonce: z.string() }),
  refusals: ['session-ended', 'unauthenticated', 'wallet-token-refused', 'missing-addr-claim'],
})

/** Attaches the wallet whose token and signature over a nonce the request carries. */
export const attachWallet = call({
  name: 'attachWallet',
  summary: 'Attach the wallet that signed a nonce to the identity, and act as it.',
  method: 'POST',
  path: '/identity/api/v3/wallet/attach',
  auth: 'wallet',
  headers: {
    authorization: "The wallet's token.",
    [STORED_JWT_HEADER]: 'The stored token, with its prefix.',
  },
  query: z.strictObject({
    signedNonceHex: z.string().check(z.regex(/^[0-9a-fA-F]{128}$/, 'must be 64 bytes in hex')),
    defaultWallet: z.optional(QueryFlag),
    walletName: z.optional(visibleText({ max: ACCOUNT_NAME_LENGTH_MAXIMUM })),
  }),
  answer: Jwt,
  refusals: [
    'wallet-token-refused',
    'missing-addr-claim',
    'signed-nonce-refused',
    'wallet-already-attached',
    'too-many-accounts',
  ],
})

/** Gives an identity token for a wallet and, where it acts for one, a group. */
export const readWalletJwt = call({
  name: 'readWalletJwt',
  summary: 'Act as a wallet, or as a group it may sign for, and get the token that says so.',
  method: 'GET',
  path: '/identity/secure/api/v3/identity/wallet-jwt',
  auth: 'session',
  query: z.strictObject({
    walletAddress: ChainAddress,
    groupPolicyAddress: z.optional(ChainAddress),
  }),
  answer: Jwt,
  refusals: CHOICE_REFUSALS,
})

/** Chooses the account to act as, in the authentication flow (§4.8). */
export const selectAccount = call({
  name: 'selectAccount',
  summary: 'Choose the account to act as, in the authentication flow.',
  method: 'POST',
  path: '/identity/secure/api/v3/identity/select-account',
  auth: 'session',
  body: z.strictObject({
    walletAddress: ChainAddress,
    groupPolicyAddress: z.optional(ChainAddress),
  }),
  answer: Jwt,
  refusals: CHOICE_REFUSALS,
})

/** Lists the identity's wallets, in the authentication flow. */
export const readWalletAccounts = call({
  name: 'readWalletAccounts',
  summary: "List the identity's wallets, in the authentication flow.",
  method: 'GET',
  path: '/identity/secure/api/v3/identity/accounts',
  auth: 'session',
  answer: z.array(WalletAccount),
})

/** Lists the accounts that somebody may act as, with the wallets that sign for them. */
export const readAccounts = call({
  name: 'readAccounts',
  summary: 'List the accounts that the person may act as, with the wallets that sign for them.',
  method: 'GET',
  path: '/service-wallet/secure/api/v3/account',
  auth: 'session',
  answer: z.array(AccountListItem),
})

/** Reads one account and the wallet that signs for it: the principal's, else the one that was chosen. */
export const readAccountAccess = call({
  name: 'readAccountAccess',
  summary:
    "Read an account and the wallet that signs for it: the principal's, else the chosen one.",
  method: 'GET',
  path: '/service-wallet/secure/api/v1/account/access',
  auth: 'session',
  query: z.strictObject({ principal: z.optional(ChainAddress) }),
  answer: z.object({ authorizedWallet: AuthorizedWallet, account: Account }),
  refusals: ['account-not-authorized', 'account-not-chosen'],
})

/** A name for an account; the server says by itself that one is required (§5), so that the sentence is ours alone. */
const AccountName = z.string().check(
  z.maxLength(ACCOUNT_NAME_LENGTH_MAXIMUM, 'is too long'),
  z.refine((text) => !hasUnseenCharacters(text), 'must hold visible characters only'),
)

const Created = z.object({ address: z.string() })

/** Makes a hosted account: the server makes its key and keeps it. */
export const createHostedAccount = call({
  name: 'createHostedAccount',
  summary: 'Make a hosted account, whose key the server makes and keeps.',
  method: 'POST',
  path: '/service-wallet/secure/api/v1/account/hosted',
  auth: 'session',
  body: z.strictObject({ name: AccountName, default: z.optional(z.boolean()) }),
  answer: Created,
  refusals: ['account-name-required', 'too-many-accounts'],
})

/** Moves what an old wallet of type PROVENANCE signs for to a new hosted wallet, once. */
export const convertWallet = call({
  name: 'convertWallet',
  summary: 'Move the accounts of an old PROVENANCE wallet to a new hosted wallet, once.',
  method: 'POST',
  path: '/service-wallet/secure/api/v1/account/convert',
  auth: 'session',
  body: z.strictObject({ walletAddress: ChainAddress }),
  answer: Created,
  refusals: ['wallet-not-convertible'],
})

const HOSTED = '/service-wallet/secure/api/v1/hosted'

/** A hosted account as its wallet shows it, with the groups it may act for. */
const HostedAccount = z.object({
  name: z.string(),
  address: z.string(),
  publicKey: z.string(),
  verified: z.boolean(),
  groups: z.array(Account),
})

/** The parsed form of `HostedAccount`. */
export type HostedAccount = z.output<typeof HostedAccount>

/** Lists the hosted accounts of the signed-in person. */
export const readHostedAccounts = call({
  name: 'readHostedAccounts',
  summary: 'List the hosted accounts and the groups each may act for.',
  method: 'GET',
  path: `${HOSTED}/accounts`,
  auth: 'session',
  answer: z.array(HostedAccount),
})

/** Gives a hosted account another name. */
export const renameHostedAccount = call({
  name: 'renameHostedAccount',
  summary: 'Give a hosted account another name.',
  method: 'PUT',
  path: `${HOSTED}/accounts`,
  auth: 'session',
  body: z.strictObject({ address: ChainAddress, name: AccountName }),
  refusals: ['account-name-required', 'account-not-authorized'],
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
    words: z.string().check(z.maxLength(400, 'is too long')),
    default: z.optional(z.boolean()),
  }),
  answer: Created,
  refusals: [
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
const TransactionMessage = z.object({
  level: z.number(),
  typeUrl: z.string(),
  title: z.string(),
  understood: z.boolean(),
  fields: z.array(z.object({ label: z.string(), value: z.string() })),
})

/** The parsed form of `TransactionMessage`. */
export type TransactionMessage = z.output<typeof TransactionMessage>

const Coin = z.object({ denom: z.string(), amount: z.string() })

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
    chainId: z.string(),
    messages: z.array(TransactionMessage),
    fee: z.array(Coin),
    gasLimit: z.string(),
    feePayer: z.nullable(z.string()),
    feeGranter: z.nullable(z.string()),
    memo: z.string(),
    timeoutHeight: z.nullable(z.string()),
    /** Extensions of a transaction are not understood; how many it carries. */
    extensions: z.number(),
  }),
])

/** The parsed form of `ApprovalWords`. */
export type ApprovalWords = z.output<typeof ApprovalWords>

const asked = {
  address: ChainAddress,
  /** The group acted for; absent or null for the individual. */
  group: z.optional(z.nullable(ChainAddress)),
  /** Where the request came from, as the person is told. */
  origin: z.string().check(
    z.maxLength(256),
    z.refine((text) => URL.canParse(text) && new URL(text).origin === text, 'must be an origin'),
  ),
}

const LIFETIME_MAXIMUM_S = 86_400

/** How long the token of a connected page lives. */
const jwtExpirationS = z.optional(
  z.number().check(z.int(), z.positive(), z.maximum(LIFETIME_MAXIMUM_S)),
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
    /** Each a `google.protobuf.Any`, serialised, in standard base64 (protocol 9.3). */
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
  }),
])

/** The parsed form of `ApprovalRequest`. */
export type ApprovalRequest = z.output<typeof ApprovalRequest>

/** Puts a request to the person: keeps what would be signed and tells in words what that is. */
export const askApproval = call({
  name: 'askApproval',
  summary:
    'Keep what a page asks of a hosted account, and tell in words what approving it would do.',
  method: 'POST',
  path: `${HOSTED}/approvals`,
  auth: 'session',
  body: ApprovalRequest,
  answer: z.object({ approvalId: Uuid, expiresAt: z.number(), words: ApprovalWords }),
  refusals: [
    ...CHOICE_REFUSALS,
    'message-unreadable',
    'chain-not-available',
    'transaction-refused',
  ],
})

/** An account as a connected page is told of it (protocol 7). */
const ConnectedAccount = z.object({
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

const ApprovalChosen = z.strictObject({ approvalId: Uuid })

/** Does what was shown, once. */
export const approveRequest = call({
  name: 'approveRequest',
  summary: 'Do what was shown, once, in the session that was shown it.',
  method: 'POST',
  path: `${HOSTED}/approvals/approve`,
  auth: 'session',
  body: ApprovalChosen,
  answer: ApprovalResult,
  refusals: ['approval-over', ...CHOICE_REFUSALS, 'chain-not-available', 'transaction-refused'],
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

/** The calls of wallets, in the order of the documentation. */
export const WALLET_CALLS = [
  readWalletNonce,
  attachWallet,
  readWalletJwt,
  selectAccount,
  readWalletAccounts,
  readAccounts,
  readAccountAccess,
  createHostedAccount,
  convertWallet,
  readHostedAccounts,
  renameHostedAccount,
  restoreHostedAccount,
  askApproval,
  approveRequest,
  rejectRequest,
] as const
