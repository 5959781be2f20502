/** The accounts of a wallet, their session tokens, and the accounts that a page accepts (protocol 7, 8, 11). */
import { addressOf } from '@portico/keys/address'
import { base64Of } from '@portico/keys/bytes'
import { completeJwt, unsignedJwt } from '@portico/keys/jwt'
import type { NETWORKS } from '@portico/keys/networks'
import { publicKeyOf, sign } from '@portico/keys/signature'
import type { GroupPolicy, WalletAttribute, WalletInfo } from '../protocol/account.ts'
import { RPC_ERRORS, type RpcError } from '../protocol/errors.ts'
import type { ConnectOptions } from '../protocol/uri.ts'

/** An account that pages may connect to. */
export interface Account {
  readonly address: string
  /** Compressed, 33 bytes. */
  readonly publicKey: Uint8Array
  readonly walletInfo: WalletInfo
  readonly attributes?: readonly WalletAttribute[] | undefined
}

/** An account with its key in this process. */
export interface SigningAccount extends Account {
  /** Signs the SHA-256 hash of a message: 64 bytes, low S. */
  readonly sign: (message: Uint8Array) => Uint8Array
}

/** The account of a session, acting for itself or for a group. */
export interface ActiveAccount {
  readonly account: Account
  readonly group: GroupPolicy | null
}

/** An account that the user approved, with the token that pages present to servers. */
export interface ApprovedAccount extends ActiveAccount {
  readonly jwt: string
}

// Tolerates a wallet clock that is slightly ahead: its tokens must not be from the future.
const BACKDATED_S = 60

/** Creates an account from a private key. */
export function accountFromPrivateKey(
  privateKey: Uint8Array,
  network: Pick<(typeof NETWORKS)[keyof typeof NETWORKS], 'prefix'>,
  name: string,
): SigningAccount {
  const publicKey = publicKeyOf(privateKey)
  const address = addressOf(publicKey, network.prefix)
  return {
    address,
    publicKey,
    sign: (message) => sign(privateKey, message),
    walletInfo: { id: address, name, coin: network.prefix === 'pb' ? 'mainNet' : 'testNet' },
  }
}

/**
 * Signs the session token of an account (protocol 11): `addr` is always the individual's, `grp` is only present for a
 * group. `now` is in epoch milliseconds.
 */
export function approvedAccount(
  { account, group }: { readonly account: SigningAccount; readonly group: GroupPolicy | null },
  {
    issuer,
    lifetimeS,
    now = Date.now(),
  }: { readonly issuer: string; readonly lifetimeS: number; readonly now?: number },
): ApprovedAccount {
  const nowS = Math.floor(now / 1000)
  const unsigned = unsignedJwt({
    sub: base64Of(account.publicKey),
    iss: issuer,
    iat: nowS - BACKDATED_S,
    exp: nowS + lifetimeS,
    addr: account.address,
    ...(group === null ? {} : { grp: group.address }),
  })
  const jwt = completeJwt(unsigned, account.sign(new TextEncoder().encode(unsigned)))
  return { account, group, jwt }
}

/** The accounts of an approval or update in object form (protocol 7). */
export function accountList({ account, group, jwt }: ApprovedAccount): readonly unknown[] {
  return [
    {
      address: account.address,
      publicKey: base64Of(account.publicKey),
      jwt,
      walletInfo: account.walletInfo,
      attributes: account.attributes ?? [],
      representedGroupPolicy: group,
    },
  ]
}

/** The accounts that meet a page's preferences; none if it requires one that this wallet does not have. */
export function eligibleAccounts(
  accounts: readonly Account[],
  { individualAddress }: ConnectOptions,
): readonly Account[] {
  return individualAddress === undefined
    ? accounts
    : accounts.filter(({ address }) => address === individualAddress)
}

/**
 * The error to respond with if an account and group do not meet the page's preferences (protocol 8). The URI alone
 * contains them, so the wallet enforces them.
 */
export function invalidPreference(
  { account, group }: ActiveAccount,
  connectOptions: ConnectOptions,
): RpcError | undefined {
  const { groupAddress, prohibitGroups } = connectOptions
  if (eligibleAccounts([account], connectOptions).length === 0) return RPC_ERRORS.accountUnavailable
  if (groupAddress !== undefined && group?.address !== groupAddress)
    return RPC_ERRORS.groupUnavailable
  return prohibitGroups === true && group !== null ? RPC_ERRORS.groupsProhibited : undefined
}
