import { WalletError } from '../protocol/errors.ts'
import {
  type HandshakeOutcome,
  parseHandshakeResponse,
  parseSessionUpdate,
  type SessionUpdate,
  sessionEnd,
  sessionRequest,
} from '../protocol/handshake.ts'
import { newRpcId, type ReceivedRequest, type RpcRequest } from '../protocol/json-rpc.ts'
import type { RelayStatus } from './config.ts'
import type { Conversation, Verify, VerifyAccount } from './conversation.ts'
import type { SessionPorts } from './ports.ts'
import type { LinkTerms } from './stored-session.ts'

/** Handlers of a link's messages, which also receive the lazily loaded `verifyAccount`. */
export interface LinkListener {
  readonly responded: (outcome: HandshakeOutcome, verifyAccount: VerifyAccount) => void
  readonly updated: (update: SessionUpdate, verifyAccount: VerifyAccount) => void
  readonly relayChanged: (status: RelayStatus) => void
}

/** A wallet's response, with the function that verifies signatures in it. */
interface LinkResponse {
  readonly result: unknown
  readonly verify: Verify
}

/** The connection to one wallet, before and after its approval. */
export interface Link {
  /** Rejects if the conversation cannot be loaded or WebCrypto is unavailable. */
  readonly ready: Promise<unknown>
  /** The terms to store; complete once the wallet has approved. */
  readonly terms: () => LinkTerms
  /** Sends a request and returns its result; rejects with a WalletError: refused, timed-out or closed. */
  readonly request: (request: RpcRequest, limitMs: number) => Promise<LinkResponse>
  /** Rejects a pending request as if the wallet had refused it. */
  readonly withdraw: (id: number) => void
  /** Stops sending and receiving; with `notifyWallet` it first sends the wallet the end of the session. */
  readonly close: (options: { readonly notifyWallet: boolean }) => void
  /** Settles when a closed link has sent its last message. */
  readonly closed: Promise<unknown>
}

/** A server without a relay may accept the connection and never respond. */
const RELAY_LIMIT_MS = 5000

const UNREADABLE = { kind: 'rejected', message: 'The answer could not be understood' } as const

/** Loads the code that every link uses. */
export const loadConversation = () => import('./conversation.ts')

/** Opens a link. If the terms have no peer yet, it sends a session request and accepts the first wallet that responds. */
export function openLink(
  initialTerms: LinkTerms,
  listener: LinkListener,
  {
    after,
    relay,
    report,
    returnHref,
  }: Pick<SessionPorts, 'after' | 'relay' | 'report' | 'returnHref'>,
): Link {
  let terms = initialTerms
  const closing = Promise.withResolvers<unknown>()
  const ended = new AbortController()
  const pending = new Map<number, AbortController>()
  const cancelRelayLimit = after(RELAY_LIMIT_MS, () => relayChanged('unreachable'))
  const opened = loadConversation().then(({ openConversation }) =>
    openConversation(initialTerms, {
      relay,
      onRequest: handleRequest,
      onState: (state) => {
        cancelRelayLimit()
        relayChanged(state === 'open' ? 'open' : 'unreachable')
      },
    }),
  )

  function relayChanged(status: RelayStatus): void {
    if (!ended.signal.aborted) listener.relayChanged(status)
  }

  function handleRequest(request: ReceivedRequest, verifyAccount: VerifyAccount): void {
    const update = parseSessionUpdate(request)
    // Before the approval there is no session to update.
    if (update !== undefined && terms.peerId !== '' && !ended.signal.aborted)
      listener.updated(update, verifyAccount)
  }

  async function requestSession({ peer, verifyAccount }: Conversation): Promise<void> {
    const { clientId: peerId, clientMeta: peerMeta, handshakeId, handshakeTopic } = initialTerms
    const redirectUrl = returnHref()
    const request = sessionRequest(handshakeId, { peerId, peerMeta, chainId: null, redirectUrl })
    const options = { silent: true, signal: ended.signal }
    const outcome = parseHandshakeResponse(await peer.request(handshakeTopic, request, options))
    if (ended.signal.aborted) return
    if (outcome?.kind === 'approved') {
      const { approval } = outcome
      const { chainId, peerId: wallet, peerMeta: introduction } = approval
      terms = { ...terms, peerId: wallet, peerMeta: introduction, chainId }
    }
    listener.responded(outcome ?? UNREADABLE, verifyAccount)
  }

  opened
    .then((conversation) => (initialTerms.peerId === '' ? requestSession(conversation) : undefined))
    .catch((error: unknown) => {
      // Errors of a link that was closed in the meantime are irrelevant.
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
      pending.set(id, own)
      try {
        const { peer, verify } = await opened
        const signal = AbortSignal.any([own.signal, ended.signal])
        const answer = await peer.request(terms.peerId, request, { signal })
        if (answer.kind === 'success') return { result: answer.result, verify }
        throw new WalletError('refused', answer.message, { data: answer.code })
      } finally {
        stop()
        pending.delete(id)
      }
    },
    withdraw: (id) => pending.get(id)?.abort(new WalletError('refused', 'Request withdrawn')),
    close({ notifyWallet }) {
      if (ended.signal.aborted) return
      cancelRelayLimit()
      ended.abort(new WalletError('closed', 'Session currently disconnected'))
      const leaving = opened
        .then(({ peer }) => {
          if (notifyWallet && terms.peerId !== '') {
            peer.send(terms.peerId, JSON.stringify(sessionEnd(newRpcId())))
          }
          return peer.close()
        })
        // A peer that failed to open was reported above and needs no closing.
        .catch(() => undefined)
      closing.resolve(leaving)
    },
    closed: closing.promise,
  }
}
