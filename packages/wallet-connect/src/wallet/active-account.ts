import { addressOf } from '@portico/keys/address'
import { base64Of } from '@portico/keys/bytes'
import { completeJwt, type Jwt, unsignedJwt } from '@portico/keys/jwt'
import type { NETWORKS } from '@portico/keys/networks'
import { publicKeyOf, sign } from '@portico/keys/signature'
import type { GroupPolicy, WalletAttribute, WalletInfo } from '../protocol/account.ts'

/** An account that can sign. The wallet decides where its key is stored. */
export interface SigningAccount {
  readonly address: string
  /** Compressed, 33 bytes. */
  readonly publicKey: Uint8Array
  /** Signs the SHA-256 hash of a message: 64 bytes, low S. */
  readonly sign: (message: Uint8Array) => Uint8Array | Promise<Uint8Array>
  readonly walletInfo: WalletInfo
  readonly attributes?: readonly WalletAttribute[] | undefined
}

/** The account of a session, acting for itself or for a group. */
export interface ActiveAccount {
  readonly account: SigningAccount
  readonly group: GroupPolicy | null
}

/** Issuer, issue time (epoch milliseconds) and lifetime of a session token. */
export interface TokenTerms {
  readonly issuer: string
  readonly lifetimeS: number
  readonly now: number
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

/** The accounts of an approval or update (protocol 7) in object form, with a new session token. */
export async function accountsOf(
  acting: ActiveAccount,
  terms: TokenTerms,
): Promise<readonly unknown[]> {
  const { account, group } = acting
  return [
    {
      address: account.address,
      publicKey: base64Of(account.publicKey),
      jwt: await sessionToken(acting, terms),
      walletInfo: account.walletInfo,
      attributes: account.attributes ?? [],
      representedGroupPolicy: group,
    },
  ]
}

/** The token that pages present to servers (protocol 11): `addr` is always the individual's, `grp` is only present for a group. */
async function sessionToken(
  { account, group }: ActiveAccount,
  { issuer, lifetimeS, now }: TokenTerms,
): Promise<Jwt> {
  const nowS = Math.floor(now / 1000)
  const unsigned = unsignedJwt({
    sub: base64Of(account.publicKey),
    iss: issuer,
    iat: nowS - BACKDATED_S,
    exp: nowS + lifetimeS,
    addr: account.address,
    ...(group === null ? {} : { grp: group.address }),
  })
  return completeJwt(unsigned, await account.sign(new TextEncoder().encode(unsigned)))
}
