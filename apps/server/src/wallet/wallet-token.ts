import { Refusal } from '@portico/contracts/errors'
import { ChainAddress } from '@portico/contracts/wallet'
import type { Address } from '@portico/keys/address'
import { isSamePage } from '@portico/rules/sign-in-text'
import { tokenClaims } from '@portico/rules/token-claims'
import { networkNotice } from '@portico/rules/wallet-mismatch'
import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import type { Network } from '../secrets/wallet-key.ts'

const OTHER_PAGE =
  'This wallet was connected to another page. Disconnect it, and connect it again on this page.'

/** The address and public key that a wallet token proves. */
export interface WalletProof {
  readonly address: Address
  readonly publicKey: Uint8Array
}

export type ReadWalletToken = (token: string | undefined, visitor: Visitor) => Promise<WalletProof>

/**
 * Returns a verifier for wallet tokens: ES256K signature, validity period, known issuer (including our own domain), our
 * network, an address derived from the key, no audience, and no other page than this one.
 *
 * @throws Refusal - `wallet-token-refused`, `missing-addr-claim`
 */
export function walletTokens(deps: {
  readonly clock: Clock
  readonly network: Network
  readonly issuers: readonly string[]
}): ReadWalletToken {
  return async (token, { origin }) => {
    const { readJwt, verifyJwt } = await import('@portico/keys/jwt')
    const verdict = verifyJwt(token ?? '', {
      now: Math.floor(deps.clock() / 1000),
      issuer: [...deps.issuers, ownIssuer(origin)],
      prefix: deps.network.prefix,
    })
    if (!verdict.ok) {
      if (verdict.reason === 'missing-addr') throw new Refusal('missing-addr-claim')
      // A wallet on another network can never succeed. Its unverified claim is used only for this message.
      const { data: addr } = ChainAddress.safeParse(tokenClaims(token).addr)
      const notice = addr && networkNotice(`${deps.network.prefix}1`, addr)
      throw new Refusal('wallet-token-refused', notice ? { errors: [notice] } : {})
    }
    // Wallet tokens have no audience. A token with one was issued for another site, which could replay it here.
    if (readJwt(token ?? '')?.hasAudience) throw new Refusal('wallet-token-refused')
    // Our wallets name the page that a token was made for. Wallets of others name none.
    const { origin: page } = verdict.claims
    if (page !== undefined && !isSamePage(page, origin)) {
      throw new Refusal('wallet-token-refused', { errors: [OTHER_PAGE] })
    }
    return { address: verdict.claims.addr, publicKey: verdict.publicKey }
  }
}

/** The issuer of tokens of our own wallets: the provider's domain (§3). */
export function ownIssuer(origin: string): string {
  return new URL(origin).hostname
}
