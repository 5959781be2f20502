/**
 * What a link talks through and what proves a wallet's words: encryption, the relay's socket, tokens, the curve. It is
 * the larger half of the library, so the page loads it when there is a wallet to talk to, and not before.
 */
import { verify } from '@portico/keys/signature'
import { envelopeKey } from '../protocol/envelope.ts'
import type { ReceivedRequest } from '../protocol/json-rpc.ts'
import { openPeer, type Peer } from '../transport/peer.ts'
import type { SessionPorts } from './ports.ts'
import type { LinkTerms } from './stored-session.ts'
import { verifyAccount } from './verify-account.ts'

/** Whether an account may be used; see `judge-account.ts`. */
export type VerifyAccount = typeof verifyAccount

/** Whether a signature is that of a key over a message. */
export type Verify = typeof verify

/** A conversation with one wallet. */
export interface Conversation {
  readonly peer: Peer
  readonly judge: VerifyAccount
  readonly verify: Verify
}

/** Opens a conversation; fails where the browser gives no cryptography, as on a page that is not secure. */
export async function openConversation(
  { bridge, clientId, key }: LinkTerms,
  {
    relay,
    onRequest,
  }: Pick<SessionPorts, 'relay'> & {
    readonly onRequest: (request: ReceivedRequest, judge: VerifyAccount) => void
  },
): Promise<Conversation> {
  const peer = openPeer({
    ...relay,
    key: await envelopeKey(key),
    bridge,
    topics: () => [clientId],
    onRequest: (request) => onRequest(request, verifyAccount),
  })
  return { peer, judge: verifyAccount, verify }
}
