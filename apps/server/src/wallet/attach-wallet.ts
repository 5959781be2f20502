/**
 * Attaches a wallet to an identity (§7.4). Its token identifies the wallet, and its signature over a nonce of this
 * session proves that the owner is present. All changes are one transaction.
 */
import { Refusal } from '@portico/contracts/errors'
import { MAX_WALLETS } from '@portico/contracts/limits'
import { bytesOfHex } from '@portico/keys/bytes'
import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import { lockSession, type OpenSession, type Sessions } from '../sessions/sessions.ts'
import type { Stores, TransactionalStores } from '../stores.ts'
import type { WalletProof } from './wallet-token.ts'

/** The parameters other than the token. */
interface AttachmentRequest {
  readonly signedNonceHex: string
  readonly name: string | undefined
  readonly isDefault: boolean
}

/** The maximum number of nonces checked per session: enough for a few tabs, but too few to cause load. */
const MAX_NONCES_CHECKED = 5

const DEFAULT_NAME = 'Wallet'

/** Returns a new session token for the attached wallet. */
export function walletAttachment(deps: {
  readonly stores: TransactionalStores<
    'audit' | 'hostedKeys' | 'identities' | 'sessions' | 'walletNonces' | 'wallets'
  >
  readonly sessions: Sessions
  readonly clock: Clock
}) {
  const { stores, sessions, clock } = deps

  return async (
    { address, publicKey }: WalletProof,
    { signedNonceHex, name, isDefault }: AttachmentRequest,
    session: OpenSession,
    visitor: Visitor,
  ): Promise<{ jwt: string }> => {
    const { identityId } = session
    const at = clock()
    const signature = bytesOfHex(signedNonceHex) ?? new Uint8Array()
    const open = await stores.walletNonces.listOpen(session.id, at, MAX_NONCES_CHECKED)
    const { verify } = await import('@portico/keys/signature')
    const nonce = open.find((text) => verify(publicKey, Buffer.from(text, 'ascii'), signature))
    if (nonce === undefined) throw new Refusal('signed-nonce-refused')

    return stores.atomically(async (transaction) => {
      await lockSession(transaction, session, at)
      if (!(await transaction.walletNonces.consume(nonce, session.id, at))) {
        throw new Refusal('signed-nonce-refused')
      }
      const type = await addToList(transaction, { identityId, address, name, at })
      if (isDefault) await transaction.wallets.updateDefault(identityId, address, at)
      await transaction.audit.record('wallet-attached', { identityId, at }, visitor)
      // A PROVENANCE wallet is only verified for its conversion and cannot be chosen.
      const choice =
        type === 'PROVENANCE'
          ? session.chosen
          : { walletAddress: address, groupPolicyAddress: undefined }
      return { jwt: await sessions.choose(transaction, session, choice) }
    })
  }
}

/** Records ownership of the wallet, adds it to the identity's list and returns its type. */
async function addToList(
  { wallets, hostedKeys }: Pick<Stores, 'hostedKeys' | 'wallets'>,
  wallet: { identityId: string; address: string; name: string | undefined; at: number },
) {
  const { identityId, address, name, at } = wallet
  if (!(await wallets.insertOwner(address, identityId, at)))
    throw new Refusal('wallet-already-attached')
  const existing = await wallets.find(identityId, address)
  if (existing) {
    if (existing.convertedAt !== null) throw new Refusal('wallet-token-refused')
    if (name !== undefined) await wallets.update(identityId, address, { name })
    return existing.type
  }
  if ((await wallets.listByIdentity(identityId)).length >= MAX_WALLETS) {
    throw new Refusal('too-many-accounts')
  }
  const type = (await hostedKeys.find(address)) === undefined ? 'SELF_CUSTODY' : 'FIGURE'
  await wallets.insert({
    identityId,
    address,
    name: name ?? DEFAULT_NAME,
    type,
    defaultAt: null,
    convertedAt: null,
    createdAt: at,
  })
  return type
}
