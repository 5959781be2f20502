/**
 * One side of a wallet connection, page or wallet: it seals what it sends, opens what arrives, and brings each answer to
 * whoever asked. Messages leave and are heard in order, though sealing takes its time. What does not open, or is no
 * JSON-RPC, or answers nothing that was asked, is dropped without a word.
 */
import { type EnvelopeKey, open, seal } from '../protocol/envelope.ts'
import { WalletError } from '../protocol/errors.ts'
import type { Frame } from '../protocol/frame.ts'
import {
  parseRpc,
  type ReceivedAnswer,
  type ReceivedRequest,
  type RpcId,
  type RpcRequest,
} from '../protocol/json-rpc.ts'
import { openRelaySocket, type RelaySocketOptions } from './relay-socket.ts'

/** How a peer is opened. */
export interface PeerOptions extends Omit<RelaySocketOptions, 'onFrame'> {
  readonly key: EnvelopeKey
  /** Hears every request of the other side, and the topic it came on. */
  readonly onRequest: (request: ReceivedRequest, topic: string) => void
}

/** One side of a connection. */
export interface Peer {
  /**
   * Asks the other side and gives its answer, be it a success or an error.
   *
   * @throws WalletError - `closed`, when the peer is closed before an answer came; or the reason of the signal
   */
  readonly request: (
    topic: string,
    request: RpcRequest,
    options?: { readonly silent?: boolean; readonly signal?: AbortSignal | undefined },
  ) => Promise<ReceivedAnswer>
  /** Sends what is not answered, silently: an answer, an update, the end. */
  readonly send: (topic: string, text: string) => void
  /** Subscribes to a topic that `topics` has just begun to name. */
  readonly subscribe: (topic: string) => void
  /** Sends what is still to be sent and closes; whoever waits for an answer is told. */
  readonly close: () => Promise<void>
}

interface Waiting {
  readonly answered: (answer: ReceivedAnswer) => void
  readonly failed: (reason: unknown) => void
}

/** Opens one side of a connection. */
export function openPeer({ key, onRequest, ...options }: PeerOptions): Peer {
  const asked = new Map<RpcId, Waiting>()
  const socket = openRelaySocket({ ...options, onFrame: (frame) => receive(frame) })
  let outbox = Promise.resolve()
  let inbox = Promise.resolve()
  let closed = false

  function receive({ topic, payload }: Frame): void {
    const opening = open(key, payload)
    inbox = inbox.then(async () => {
      const text = await opening
      const message = text === undefined ? undefined : parseRpc(text)
      if (message === undefined || closed) return
      if (message.kind === 'request') onRequest(message, topic)
      else asked.get(message.id)?.answered(message)
    })
  }

  function publish(topic: string, text: string, silent: boolean): void {
    const sealing = seal(key, text)
    outbox = outbox.then(async () => void socket.publish(topic, await sealing, silent))
  }

  return {
    request(topic, request, { silent = false, signal } = {}) {
      const { promise, resolve, reject } = Promise.withResolvers<ReceivedAnswer>()
      if (closed) return Promise.reject(closedError())
      if (signal?.aborted) return Promise.reject(reasonOf(signal))
      const aborted = () => signal && reject(reasonOf(signal))
      signal?.addEventListener('abort', aborted)
      asked.set(request.id, { answered: resolve, failed: reject })
      publish(topic, JSON.stringify(request), silent)
      return promise.finally(() => {
        asked.delete(request.id)
        signal?.removeEventListener('abort', aborted)
      })
    },
    send: (topic, text) => publish(topic, text, true),
    subscribe: socket.subscribe,
    async close() {
      closed = true
      for (const { failed } of asked.values()) failed(closedError())
      await outbox
      await socket.close()
    },
  }
}

function closedError(): WalletError {
  return new WalletError('closed', 'The connection was closed before the other side answered.')
}

/** The reason of an abort is whatever was handed in; a rejection is always an error. */
function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason
  return reason instanceof Error ? reason : new WalletError('closed', String(reason))
}
