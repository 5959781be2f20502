/**
 * The transport of a link and the verification of what a wallet sends: encryption, relay socket, tokens, elliptic curve. It is
 * the larger half of the library, so a page loads it only when there is a wallet to talk to.
 */
import { verify } from '@portico/keys/signature'
import { envelopeKey } from '../protocol/envelope.ts'
import type { ReceivedRequest } from '../protocol/json-rpc.ts'
import { openPeer, type Peer, type PeerOptions } from '../transport/peer.ts'
import type { SessionPorts } from './ports.ts'
import type { LinkTerms } from './stored-session.ts'
import { verifyAccount } from './verify-account.ts'

/** See `verify-account.ts`. */
export type VerifyAccount = typeof verifyAccount

export type Verify = typeof verify

/** The peer of one wallet, with the functions that verify what it sends. */
export interface Conversation {
  readonly peer: Peer
  readonly verifyAccount: VerifyAccount
  readonly verify: Verify
}

/** Opens a conversation; rejects where WebCrypto is unavailable, as on an insecure page. */
export async function openConversation(
  { bridge, clientId, key }: LinkTerms,
  {
    relay,
    onRequest,
    onState,
  }: Pick<SessionPorts, 'relay'> & {
    readonly onRequest: (request: ReceivedRequest, verifyAccount: VerifyAccount) => void
    readonly onState: NonNullable<PeerOptions['onState']>
  },
): Promise<Conversation> {
  const peer = openPeer({
    ...relay,
    key: await envelopeKey(key),
    bridge,
    topics: () => [clientId],
    onRequest: (request) => onRequest(request, verifyAccount),
    onState,
  })
  return { peer, verifyAccount, verify }
}
