import { addressOf } from '@portico/keys/address'
import { base64Of } from '@portico/keys/bytes'
import { completeJwt, type Jwt, unsignedJwt } from '@portico/keys/jwt'
import type { NETWORKS } from '@portico/keys/networks'
import { publicKeyOf, sign } from '@portico/keys/signature'
import type { GroupPolicy, WalletAttribute, WalletInfo } from '../protocol/account.ts'

/** An account of the wallet. Where its key is kept is the wallet's business: here it only signs. */
export interface HeldAccount {
  readonly address: string
  /** Compressed, 33 bytes. */
  readonly publicKey: Uint8Array
  /** Signs the SHA-256 of a message: 64 bytes, low S. */
  readonly sign: (message: Uint8Array) => Uint8Array | Promise<Uint8Array>
  readonly walletInfo: WalletInfo
  readonly attributes?: readonly WalletAttribute[] | undefined
}

/** Whom the wallet acts as: one of its accounts, for itself or for a group. */
export interface Acting {
  readonly account: HeldAccount
  readonly group: GroupPolicy | null
}

/** Who issues a session token, when, and for how long. */
export interface TokenTerms {
  readonly issuer: string
  readonly lifetimeS: number
  readonly now: number
}

// A phone whose clock is a little ahead would otherwise send tokens from the future.
const BACKDATED_S = 60

/** The account of a private key that is at hand. */
export function heldAccount(
  privateKey: Uint8Array,
  network: Pick<(typeof NETWORKS)[keyof typeof NETWORKS], 'prefix'>,
  name: string,
): HeldAccount {
  const publicKey = publicKeyOf(privateKey)
  const address = addressOf(publicKey, network.prefix)
  return {
    address,
    publicKey,
    sign: (message) => sign(privateKey, message),
    walletInfo: { id: address, name, coin: network.prefix === 'pb' ? 'mainNet' : 'testNet' },
  }
}

/** The accounts of an approval or update (protocol 7), object form, with a fresh session token. */
export async function accountsOf(acting: Acting, terms: TokenTerms): Promise<readonly unknown[]> {
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

/** The token pages show to servers (protocol 11): `addr` is always the individual's, `grp` is there only for a group. */
async function sessionToken(
  { account, group }: Acting,
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
