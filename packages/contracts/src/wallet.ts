import * as z from 'zod/mini'
import { call } from './call.ts'
import { hasInvisibleCharacters } from './characters.ts'
import { MAX_ACCOUNT_NAME_LENGTH, MAX_MEMBER_NAME_LENGTH, MAX_MESSAGE_BYTES } from './limits.ts'
import { nameText, TYPE_BY_HAND } from './text.ts'

/** The header for the stored token in calls that carry the wallet's in `authorization` (§7.4). */
export const STORED_JWT_HEADER = 'x-figure-auth'

/** The response header of identity calls with the wallet that the session acts for (§3). */
export const WALLET_ADDRESS_HEADER = 'x-wallet-address'
/** Its group; absent if the session acts for an individual. */
export const GROUP_POLICY_ADDRESS_HEADER = 'x-group-policy-address'

/** A bech32 address with any prefix; its checksum is not verified. */
export const ChainAddress = z
  .string()
  .check(z.regex(/^[a-z][a-z0-9]{0,9}1[02-9ac-hj-np-z]{38,64}$/, 'must be an address'))

/** The wallet types (§3). */
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

export type WalletType = z.output<typeof WalletType>

/** The role in which a wallet may sign for an account (§6): as its owner, or on behalf of an organization. */
export const AuthorizationType = z.enum(['Owner', 'RBAC', 'Shared', 'Group'])

export type AuthorizationType = z.output<typeof AuthorizationType>

export const Account = z.object({ name: z.string(), address: z.string() })

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

export type AccountListItem = z.output<typeof AccountListItem>

/** A wallet in the authentication flow's list (§3). */
export const WalletAccount = z.object({
  name: z.string(),
  address: z.string(),
  type: WalletType,
  verified: z.boolean(),
})

export type WalletAccount = z.output<typeof WalletAccount>

/** A new value for the stored `jwt`. */
export const Jwt = z.object({ jwt: z.string() })

/** Query values are strings. */
const QueryFlag = z.enum(['true', 'false'])

/** Hex in either case, whole bytes, as `provenance_sign` carries it (protocol 9.1). */
export const Hex = z
  .string()
  .check(
    z.maxLength(2 * MAX_MESSAGE_BYTES, 'is too long'),
    z.regex(/^(?:[0-9a-fA-F]{2})+$/, 'Message parameter is not a hex value.'),
  )

/** The refusals when choosing an account. After a 403 the user verifies the wallet or converts an old one (§4.2). */
export const CHOICE_REFUSALS = [
  'wallet-not-verified',
  'wallet-type-not-supported',
  'account-not-authorized',
] as const

/** The refusals of calls to the chain. */
export const CHAIN_REFUSALS = [
  'chain-not-available',
  'chain-timeout',
  'chain-faulty',
  'transaction-refused',
  'insufficient-funds',
  'group-funds-insufficient',
  'fee-too-low',
  'sequence-mismatch',
  'already-voted',
  'voting-ended',
  'proposal-over',
  'not-a-member',
  'message-not-supported',
] as const

/** The nonce is valid for this session, once. The authorization is the wallet's token or the stored one. */
export const readWalletNonce = call({
  name: 'readWalletNonce',
  summary:
    "Get a nonce for a wallet to sign; valid once, in the cookie's session, for ten minutes.",
  method: 'GET',
  path: '/identity/api/v3/wallet/nonce',
  auth: 'cookie',
  impersonation: 'refused',
  headers: { authorization: "The wallet's token, or the stored one." },
  answer: z.object({ hexEncodedNonce: z.string() }),
  refusals: ['session-ended', 'unauthenticated', 'wallet-token-refused', 'missing-addr-claim'],
})

/** The name that a wallet reports. */
export const WalletName = nameText({ max: MAX_ACCOUNT_NAME_LENGTH })

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
    walletName: z.optional(WalletName),
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

export const readWalletJwt = call({
  name: 'readWalletJwt',
  summary: 'Act as a wallet, or as a group it may sign for, and get a token for it.',
  method: 'GET',
  path: '/identity/secure/api/v3/identity/wallet-jwt',
  auth: 'session',
  impersonation: 'refused',
  query: z.strictObject({
    walletAddress: ChainAddress,
    groupPolicyAddress: z.optional(ChainAddress),
  }),
  answer: Jwt,
  refusals: CHOICE_REFUSALS,
})

/** The account selection of the authentication flow (§4.8). */
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

export const readWalletAccounts = call({
  name: 'readWalletAccounts',
  summary: "List the identity's wallets, in the authentication flow.",
  method: 'GET',
  path: '/identity/secure/api/v3/identity/accounts',
  auth: 'session',
  answer: z.array(WalletAccount),
})

export const readAccounts = call({
  name: 'readAccounts',
  summary: 'List the accounts that the user may act as, with the wallets that sign for them.',
  method: 'GET',
  path: '/service-wallet/secure/api/v3/account',
  auth: 'session',
  answer: z.array(AccountListItem),
})

export const AccountAccess = z.object({ authorizedWallet: AuthorizedWallet, account: Account })

export type AccountAccess = z.output<typeof AccountAccess>

export const readAccountAccess = call({
  name: 'readAccountAccess',
  summary:
    "Read an account and the wallet that signs for it: the principal's, else the chosen one.",
  method: 'GET',
  path: '/service-wallet/secure/api/v1/account/access',
  auth: 'session',
  query: z.strictObject({ principal: z.optional(ChainAddress) }),
  answer: AccountAccess,
  refusals: ['account-not-authorized', 'account-not-chosen'],
})

/** An account name. The use case refuses a blank one with its own error text (§5). */
const nameOf = (lengthMaximum: number) =>
  z.string().check(
    z.maxLength(lengthMaximum, `Please enter ${lengthMaximum} characters at most.`),
    z.refine((text) => !hasInvisibleCharacters(text), TYPE_BY_HAND),
  )

export const AccountName = nameOf(MAX_ACCOUNT_NAME_LENGTH)

/** The name of an organization's member, which may be empty. */
export const MemberName = nameOf(MAX_MEMBER_NAME_LENGTH)

export const CreatedAccount = z.object({ address: z.string() })

export const createHostedAccount = call({
  name: 'createHostedAccount',
  summary: 'Create a hosted account. The server generates and stores its key.',
  method: 'POST',
  path: '/service-wallet/secure/api/v1/account/hosted',
  auth: 'session',
  body: z.strictObject({ name: AccountName, default: z.optional(z.boolean()) }),
  answer: CreatedAccount,
  refusals: ['account-name-required', 'account-name-used', 'too-many-accounts'],
})

export const convertWallet = call({
  name: 'convertWallet',
  summary: 'Move the accounts of an old PROVENANCE wallet to a new hosted wallet, once.',
  method: 'POST',
  path: '/service-wallet/secure/api/v1/account/convert',
  auth: 'session',
  body: z.strictObject({ walletAddress: ChainAddress }),
  answer: CreatedAccount,
  refusals: ['wallet-not-convertible'],
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
] as const
