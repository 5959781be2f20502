import { WalletError } from '../protocol/errors.ts'
import {
  type HandshakeOutcome,
  parseHandshakeAnswer,
  parseSessionUpdate,
  type SessionUpdate,
  sessionEnd,
  sessionRequest,
} from '../protocol/handshake.ts'
import { newRpcId, type ReceivedRequest, type RpcRequest } from '../protocol/json-rpc.ts'
import type { Conversation, Verify, VerifyAccount } from './conversation.ts'
import type { SessionPorts } from './ports.ts'
import type { LinkTerms } from './stored-session.ts'

/** What a link tells, and with it how an account is judged: nothing is heard before that can be done. */
export interface LinkListener {
  readonly answered: (outcome: HandshakeOutcome, judge: VerifyAccount) => void
  readonly updated: (update: SessionUpdate, judge: VerifyAccount) => void
}

/** What a wallet answered, and what proves a signature in it. */
interface LinkAnswer {
  readonly result: unknown
  readonly verify: Verify
}

/** One connection to one wallet, before and after it has answered. */
export interface Link {
  /** Fails where a conversation cannot be loaded, or the browser gives no cryptography. */
  readonly ready: Promise<unknown>
  /** What is stored; complete once the wallet has approved. */
  readonly terms: () => LinkTerms
  /** Sends a request and gives its result; rejects with a WalletError: refused, timed-out or closed. */
  readonly request: (request: RpcRequest, limitMs: number) => Promise<LinkAnswer>
  /** Ends a request of this side as if the wallet had refused it. */
  readonly withdraw: (id: number) => void
  /** Hears and says nothing more; with a goodbye the wallet is told that the session is over. */
  readonly close: (options: { readonly goodbye: boolean }) => void
  /** Settles when a link that was closed has said its last. */
  readonly closed: Promise<unknown>
}

const UNREADABLE = { kind: 'rejected', message: 'The answer could not be understood' } as const

/** Loads what every link talks through, for whoever knows that there will be one. */
export const loadConversation = () => import('./conversation.ts')

/** Opens a link. While the terms name no peer it asks for one, and takes the first wallet that answers. */
export function openLink(
  begun: LinkTerms,
  listener: LinkListener,
  { after, relay, report }: Pick<SessionPorts, 'after' | 'relay' | 'report'>,
): Link {
  let terms = begun
  const last = Promise.withResolvers<unknown>()
  const ended = new AbortController()
  const asked = new Map<number, AbortController>()
  const opened = loadConversation().then(({ openConversation }) =>
    openConversation(begun, { relay, onRequest: heard }),
  )

  function heard(request: ReceivedRequest, judge: VerifyAccount): void {
    const update = parseSessionUpdate(request)
    // Before the approval nobody has a session that could change.
    if (update !== undefined && terms.peerId !== '' && !ended.signal.aborted)
      listener.updated(update, judge)
  }

  async function shakeHands({ peer, judge }: Conversation): Promise<void> {
    const { clientId: peerId, clientMeta: peerMeta, handshakeId, handshakeTopic } = begun
    const request = sessionRequest(handshakeId, { peerId, peerMeta, chainId: null })
    const options = { silent: true, signal: ended.signal }
    const outcome = parseHandshakeAnswer(await peer.request(handshakeTopic, request, options))
    if (ended.signal.aborted) return
    if (outcome?.kind === 'approved') {
      const { approval } = outcome
      const { chainId, peerId: wallet, peerMeta: introduction } = approval
      terms = { ...terms, peerId: wallet, peerMeta: introduction, chainId }
    }
    listener.answered(outcome ?? UNREADABLE, judge)
  }

  opened
    .then((conversation) => (begun.peerId === '' ? shakeHands(conversation) : undefined))
    .catch((error: unknown) => {
      // A link that was closed meanwhile has nobody left to tell.
      if (!ended.signal.aborted) report(error)
    })

  return {
    ready: opened,
    terms: () => terms,
    async request(request, limitMs) {
      const { id } = request
      const own = new AbortController()
      const stop = after(limitMs, () =>
        own.abort(new WalletError('timed-out', 'Request timed out')),
      )
      asked.set(id, own)
      try {
        const { peer, verify } = await opened
        const signal = AbortSignal.any([own.signal, ended.signal])
        const answer = await peer.request(terms.peerId, request, { signal })
        if (answer.kind === 'success') return { result: answer.result, verify }
        throw new WalletError('refused', answer.message, { data: answer.code })
      } finally {
        stop()
        asked.delete(id)
      }
    },
    withdraw: (id) => asked.get(id)?.abort(new WalletError('refused', 'Request withdrawn')),
    close({ goodbye }) {
      if (ended.signal.aborted) return
      ended.abort(new WalletError('closed', 'Session currently disconnected'))
      const leaving = opened
        .then(({ peer }) => {
          if (goodbye && terms.peerId !== '') {
            peer.send(terms.peerId, JSON.stringify(sessionEnd(newRpcId())))
          }
          return peer.close()
        })
        // A peer that could not be opened has been reported, and needs no closing.
        .catch(() => undefined)
      last.resolve(leaving)
    },
    closed: last.promise,
  }
}
