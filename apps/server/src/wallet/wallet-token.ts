import { Refusal } from '@portico/contracts/errors'
import { ChainAddress } from '@portico/contracts/wallet'
import type { Address } from '@portico/keys/address'
import { tokenClaims } from '@portico/rules/token-claims'
import { networkNotice } from '@portico/rules/wallet-mismatch'
import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import type { Network } from '../secrets/wallet-key.ts'

/** What a wallet's token proves: an address, and the key it belongs to. */
export interface WalletProof {
  readonly address: Address
  readonly publicKey: Uint8Array
}

/** Verifies the token of a wallet. */
export type ReadWalletToken = (token: string | undefined, visitor: Visitor) => Promise<WalletProof>

/**
 * Makes the verification: ES256K by the key it names, in time, of an issuer we know (our own domain is one), for our
 * network, its address derived from its key, and made for no other audience.
 *
 * @throws Refusal - `wallet-token-refused`, `missing-addr-claim`
 */
export function walletTokens(deps: {
  readonly clock: Clock
  readonly network: Network
  readonly issuers: readonly string[]
}): ReadWalletToken {
  return async (token, { origin }) => {
    const { verifyJwt } = await import('@portico/keys/jwt')
    const verdict = verifyJwt(token ?? '', {
      now: Math.floor(deps.clock() / 1000),
      issuer: [...deps.issuers, ownIssuer(origin)],
      prefix: deps.network.prefix,
    })
    if (!verdict.ok) {
      if (verdict.reason === 'missing-addr') throw new Refusal('missing-addr-claim')
      // A wallet of another network would be refused for ever; its claim, unverified, is only used to say so.
      const { data: addr } = ChainAddress.safeParse(tokenClaims(token).addr)
      const notice = addr && networkNotice(`${deps.network.prefix}1`, addr)
      throw new Refusal('wallet-token-refused', notice ? { errors: [notice] } : {})
    }
    if (token === undefined || namesAudience(token)) throw new Refusal('wallet-token-refused')
    return { address: verdict.claims.addr, publicKey: verdict.publicKey }
  }
}

/** The issuer of the tokens our own wallets make: the provider's own domain (§3). */
export function ownIssuer(origin: string): string {
  return new URL(origin).hostname
}

/** Wallets name none. A token that does was made for somebody else, who might now hold it. */
function namesAudience(token: string): boolean {
  const [, payload = ''] = token.split('.')
  const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
  return typeof claims === 'object' && claims !== null && 'aud' in claims
}
