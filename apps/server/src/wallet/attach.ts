/**
 * Attaches a wallet to an identity (§7.4): its token says which wallet, its signature over a nonce of this session that
 * its owner is here now. Everything that changes, changes together or not at all.
 */
import { Refusal } from '@portico/contracts/errors'
import { WALLETS_MAXIMUM } from '@portico/contracts/limits'
import { bytesOfHex } from '@portico/keys/bytes'
import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import { lockSession, type OpenSession, type Sessions } from '../sessions/sessions.ts'
import type { AllStores, Stores } from '../stores.ts'
import type { WalletProof } from './wallet-token.ts'

/** What the attachment is told beside the token. */
interface Attachment {
  readonly signedNonceHex: string
  readonly name: string | undefined
  readonly isDefault: boolean
}

/** Nonces of one session that are tried: enough for a few tabs, too few to keep us busy. */
const NONCES_TRIED = 5

const UNNAMED = 'Wallet'

/** Makes the attachment; it gives the token of the session that now acts as the wallet. */
export function attachment(deps: {
  readonly stores: AllStores
  readonly sessions: Sessions
  readonly clock: Clock
}) {
  const { stores, sessions, clock } = deps

  return async (
    { address, publicKey }: WalletProof,
    { signedNonceHex, name, isDefault }: Attachment,
    session: OpenSession,
    visitor: Visitor,
  ): Promise<{ jwt: string }> => {
    const { identityId } = session
    const at = clock()
    const signature = bytesOfHex(signedNonceHex) ?? new Uint8Array()
    const open = await stores.walletNonces.open(session.id, at, NONCES_TRIED)
    const { verify } = await import('@portico/keys/signature')
    const nonce = open.find((text) => verify(publicKey, Buffer.from(text, 'ascii'), signature))
    if (nonce === undefined) throw new Refusal('signed-nonce-refused')

    return stores.atomically(async (together) => {
      await lockSession(together, session, at)
      if (!(await together.walletNonces.take(nonce, session.id, at))) {
        throw new Refusal('signed-nonce-refused')
      }
      const type = await list(together, { identityId, address, name, at })
      if (isDefault) await together.wallets.makeDefault(identityId, address, at)
      await together.audit.add({
        kind: 'wallet-attached',
        at,
        identityId,
        organizationCode: visitor.organization.orgCode,
        network: visitor.network,
      })
      // An old wallet is verified so that it can be converted; nobody acts as it any more.
      const choice =
        type === 'PROVENANCE'
          ? session.chosen
          : { walletAddress: address, groupPolicyAddress: undefined }
      return { jwt: await sessions.choose(together, session, choice) }
    })
  }
}

/** Proves the wallet theirs and puts it into their list; gives its type. */
async function list(
  { wallets, hostedKeys }: Stores,
  given: { identityId: string; address: string; name: string | undefined; at: number },
) {
  const { identityId, address, name, at } = given
  if (!(await wallets.hold(address, identityId, at))) throw new Refusal('wallet-already-attached')
  const known = await wallets.find(identityId, address)
  if (known) {
    if (known.converted_at !== null) throw new Refusal('wallet-token-refused')
    if (name !== undefined) await wallets.change(identityId, address, { name })
    return known.type
  }
  if ((await wallets.ofIdentity(identityId)).length >= WALLETS_MAXIMUM) {
    throw new Refusal('too-many-accounts')
  }
  const type = (await hostedKeys.find(address)) === undefined ? 'SELF_CUSTODY' : 'FIGURE'
  await wallets.add({
    identity_id: identityId,
    address,
    name: name ?? UNNAMED,
    type,
    default_at: null,
    converted_at: null,
    created_at: at,
  })
  return type
}
