/**
 * One side of a wallet connection, page or wallet: it encrypts outgoing messages, decrypts incoming ones, and matches responses to
 * requests. Messages are sent and handled in order, although encryption is asynchronous. Messages that cannot be decrypted, are not
 * JSON-RPC, or match no request, are dropped silently.
 */
import { type EnvelopeKey, open, seal } from '../protocol/envelope.ts'
import { WalletError } from '../protocol/errors.ts'
import type { Frame } from '../protocol/frame.ts'
import {
  parseRpc,
  type ReceivedRequest,
  type ReceivedResponse,
  type RpcId,
  type RpcRequest,
} from '../protocol/json-rpc.ts'
import { openRelaySocket, type RelaySocketOptions } from './relay-socket.ts'

/** The options of a peer. */
export interface PeerOptions extends Omit<RelaySocketOptions, 'onFrame'> {
  readonly key: EnvelopeKey
  /**
   * Handles each request of the other side, with the topic it arrived on. With `acknowledge: 'when-handled'`, the request is
   * acknowledged when the returned promise has settled and what was sent before is on its way, and not if it rejects.
   */
  readonly onRequest: (request: ReceivedRequest, topic: string) => unknown
}

/** One side of a wallet connection. */
export interface Peer {
  /**
   * Sends a request and returns the response, which may be a success or an error.
   *
   * @throws WalletError - `closed` if the peer is closed before a response arrives; or the signal's reason
   */
  readonly request: (
    topic: string,
    request: RpcRequest,
    options?: { readonly silent?: boolean; readonly signal?: AbortSignal | undefined },
  ) => Promise<ReceivedResponse>
  /** Sends a message that gets no response, silently: a response, an update or the end of the session. */
  readonly send: (topic: string, text: string) => void
  /** Subscribes to a topic that was just added to `topics`. */
  readonly subscribe: (topic: string) => void
  /** Whether the relay has processed everything that was sent before. False if the connection breaks or is closed. */
  readonly confirm: () => Promise<boolean>
  /** Reconnects now if the connection is broken, which a device that has slept may not have noticed. */
  readonly wake: () => void
  /** Sends pending messages and closes; pending requests are rejected. */
  readonly close: () => Promise<void>
}

interface PendingRequest {
  readonly resolve: (response: ReceivedResponse) => void
  readonly reject: (reason: unknown) => void
}

/** Opens one side of a connection. */
export function openPeer({ key, onRequest, ...options }: PeerOptions): Peer {
  const pending = new Map<RpcId, PendingRequest>()
  const socket = openRelaySocket({ ...options, onFrame: (frame) => receive(frame) })
  let outbox = Promise.resolve()
  let inbox = Promise.resolve()
  let closed = false

  /** Settles with whether the frame is handled. */
  function receive({ topic, payload }: Frame): Promise<boolean> {
    const decryption = open(key, payload)
    let handling: unknown
    inbox = inbox.then(async () => {
      const text = await decryption
      const message = text === undefined ? undefined : parseRpc(text)
      if (message === undefined || closed) return
      if (message.kind === 'request') handling = onRequest(message, topic)
      else pending.get(message.id)?.resolve(message)
    })
    return inbox
      .then(() => handling)
      .then(() => outbox)
      .then(
        () => !closed,
        () => false,
      )
  }

  function publish(topic: string, text: string, silent: boolean): void {
    const encryption = seal(key, text)
    outbox = outbox.then(async () => void socket.publish(topic, await encryption, silent))
  }

  return {
    request(topic, request, { silent = false, signal } = {}) {
      const { promise, resolve, reject } = Promise.withResolvers<ReceivedResponse>()
      if (closed) return Promise.reject(closedError())
      if (signal?.aborted) return Promise.reject(reasonOf(signal))
      const aborted = () => signal && reject(reasonOf(signal))
      signal?.addEventListener('abort', aborted)
      pending.set(request.id, { resolve, reject })
      publish(topic, JSON.stringify(request), silent)
      return promise.finally(() => {
        pending.delete(request.id)
        signal?.removeEventListener('abort', aborted)
      })
    },
    send: (topic, text) => publish(topic, text, true),
    subscribe: socket.subscribe,
    confirm: () => outbox.then(socket.confirm),
    wake: socket.wake,
    async close() {
      closed = true
      for (const { reject } of pending.values()) reject(closedError())
      await outbox
      await socket.close()
    },
  }
}

function closedError(): WalletError {
  return new WalletError('closed', 'The connection was closed before the other side answered.')
}

/** Abort reasons may be any value, but rejections must be errors. */
function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason
  return reason instanceof Error ? reason : new WalletError('closed', String(reason))
}
