/**
 * A connection to a relay (protocol 3) that reconnects automatically. After each reconnect it first subscribes to all
 * current topics again. Messages published while disconnected are queued in order, up to a limit.
 *
 * Limitation: scripts cannot send WebSocket pings, so a silently dead connection counts as open until the operating system
 * closes it or `wake` detects it, and messages written to it are lost. Callers therefore need timeouts for their requests, or
 * `confirm`.
 */
import { type Frame, formatFrame, parseFrame } from '../protocol/frame.ts'
import { afterTimeout, type RelayPorts, type RelayWebSocket, returnEvents } from './ports.ts'

/** The options of a relay connection. */
export interface RelaySocketOptions extends RelayPorts {
  /** The http, https, ws or wss URL from the connection URI. */
  readonly bridge: string
  /** The current topics; frames on other topics are dropped. */
  readonly topics: () => readonly string[]
  /** Handles each message on a current topic. */
  readonly onFrame: (frame: Frame) => unknown
  /**
   * When a message is acknowledged to the relay: by default on receipt, as the public clients do; or once `onFrame` has
   * settled with true, so that a relay that tracks acknowledgements delivers it again if this process is stopped before.
   */
  readonly acknowledge?: 'on-receipt' | 'when-handled' | undefined
  /** Handles each change: open, closed after it was open, or unreachable after an attempt to connect failed. */
  readonly onState?: ((state: 'open' | 'closed' | 'unreachable') => void) | undefined
}

/** A connection to a relay. */
export interface RelaySocket {
  /** Publishes now or after the next reconnect. False if the connection is closed for good or the queue is full. */
  readonly publish: (topic: string, payload: string, silent: boolean) => boolean
  /** Subscribes to a topic that was just added to `topics`; while disconnected, the next reconnect does. */
  readonly subscribe: (topic: string) => void
  /**
   * Whether the relay has processed everything that was sent before. False if the connection is closed, or breaks before the
   * relay returns a message that this client publishes to itself.
   */
  readonly confirm: () => Promise<boolean>
  /** Reconnects now if the connection is broken, which a device that has slept may not have noticed. */
  readonly wake: () => void
  /** Closes for good, after allowing a few seconds to send the queue. */
  readonly close: () => Promise<void>
}

const FIRST_DELAY_MS = 1000
const LONGEST_DELAY_MS = 30_000

// A connection that lasted this long resets the backoff.
const STABLE_MS = 10_000

// Browsers take minutes to time out a connection that is never accepted.
const CONNECT_LIMIT_MS = 15_000

// How long `close` waits for queued frames to be sent, and then for the closing handshake.
const LINGER_MS = 5000
const CLOSE_HANDSHAKE_MS = 2000

// How long the relay may take to return a message before the connection counts as broken.
const ECHO_LIMIT_MS = 3000

const MAX_QUEUE_LENGTH = 200

/** Opens a connection to a relay and keeps reconnecting until it is closed. */
export function openRelaySocket(options: RelaySocketOptions): RelaySocket {
  const after = options.after ?? afterTimeout
  const random = options.random ?? Math.random
  const WebSocketClass: new (url: string) => RelayWebSocket = options.WebSocket ?? WebSocket
  const url = relayUrl(options.bridge, globalThis.location?.host)

  const queue: string[] = []
  /** The messages to itself that the relay has not returned on the current connection. */
  const echoes = new Map<string, (isReturned: boolean) => void>()
  let socket: RelayWebSocket | undefined
  let open = false
  let failures = 0
  let cancelTimer = () => {}
  let closing: { readonly finish: () => void } | undefined
  let acknowledged = Promise.resolve()

  function connect(): void {
    cancelTimer()
    const created = newSocket()
    socket = created
    if (created === undefined) return failed()
    cancelTimer = after(CONNECT_LIMIT_MS, () => created.close())
    // Abandoned sockets may still emit events; only those of the current one count. `close` always follows `error`.
    created.addEventListener('open', () => created === socket && opened(created))
    created.addEventListener('close', () => created === socket && lost())
    created.addEventListener('message', ({ data }) => {
      if (created === socket && typeof data === 'string') received(created, data)
    })
  }

  function newSocket(): RelayWebSocket | undefined {
    try {
      return new WebSocketClass(url)
    } catch {
      // Blocked before connecting, for example by a Content-Security-Policy: handled like a failed connection.
      return undefined
    }
  }

  function opened(created: RelayWebSocket): void {
    open = true
    cancelTimer()
    cancelTimer = after(STABLE_MS, () => {
      failures = 0
    })
    for (const topic of options.topics()) {
      // Tells a relay that tracks acknowledgements to do so from the first message.
      if (options.acknowledge === 'when-handled') created.send(acknowledgement(topic))
      created.send(subscription(topic))
    }
    for (const text of queue.splice(0)) created.send(text)
    if (closing === undefined) options.onState?.('open')
    else created.close()
  }

  function lost(): void {
    const wasOpen = open
    open = false
    socket = undefined
    cancelTimer()
    for (const settle of echoes.values()) settle(false)
    echoes.clear()
    if (closing !== undefined && (queue.length === 0 || wasOpen)) return closing.finish()
    if (!wasOpen) return failed()
    options.onState?.('closed')
    connectLater()
  }

  function failed(): void {
    if (closing === undefined) options.onState?.('unreachable')
    connectLater()
  }

  function connectLater(): void {
    const delay = Math.min(FIRST_DELAY_MS * 2 ** failures * (1 + random() / 2), LONGEST_DELAY_MS)
    failures += 1
    cancelTimer = after(delay, connect)
  }

  function received(from: RelayWebSocket, text: string): void {
    const frame = parseFrame(text)
    if (frame?.type !== 'pub' || !options.topics().includes(frame.topic)) return
    const acknowledge = () => {
      if (from !== socket || !open) return
      from.send(acknowledgement(frame.topic))
    }
    const settleEcho = echoes.get(frame.payload)
    echoes.delete(frame.payload)
    settleEcho?.(true)
    const isHandled = () =>
      settleEcho !== undefined || closing !== undefined || options.onFrame(frame)
    if (options.acknowledge !== 'when-handled') {
      acknowledge()
      return void isHandled()
    }
    if (closing !== undefined) return
    const handled = isHandled()
    // In order, because an acknowledgement does not name its message.
    acknowledged = acknowledged.then(async () => {
      if ((await handled) === true) acknowledge()
    })
  }

  function confirm(): Promise<boolean> {
    const [topic] = options.topics()
    if (!open || closing !== undefined || topic === undefined) return Promise.resolve(false)
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const payload = `echo ${crypto.randomUUID()}`
    echoes.set(payload, resolve)
    send(formatFrame({ topic, type: 'pub', payload, silent: true }))
    return promise
  }

  function wake(): void {
    if (closing !== undefined) return
    if (socket === undefined) return reconnect()
    if (!open) return
    const current = socket
    const cancelLimit = after(ECHO_LIMIT_MS, () => {
      if (current !== socket || closing !== undefined) return
      // The closing handshake of a broken connection takes minutes, so it is abandoned.
      lost()
      current.close()
      reconnect()
    })
    void confirm().then(cancelLimit)
  }

  function reconnect(): void {
    failures = 0
    connect()
  }

  function send(text: string): boolean {
    if (closing !== undefined) return false
    if (open) {
      socket?.send(text)
      return true
    }
    if (queue.length >= MAX_QUEUE_LENGTH) return false
    queue.push(text)
    // Not after a long delay: a wallet closes once it has answered, and waits only a few seconds for the answer to be sent.
    if (socket === undefined && failures > 1) connect()
    return true
  }

  const stopListening = (options.onReturn ?? returnEvents)(() => {
    if (socket === undefined) reconnect()
  })
  connect()

  let closed: Promise<void> | undefined

  function close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    let cancelCloseTimer = () => {}
    closing = {
      finish() {
        stopListening()
        cancelTimer()
        cancelCloseTimer()
        const last = socket
        socket = undefined
        last?.close()
        resolve()
      },
    }
    const { finish } = closing
    if (!open && queue.length === 0) finish()
    else cancelCloseTimer = after(open ? CLOSE_HANDSHAKE_MS : LINGER_MS, finish)
    if (open) socket?.close()
    return promise
  }

  return {
    publish: (topic, payload, silent) => send(formatFrame({ topic, type: 'pub', payload, silent })),
    subscribe(topic) {
      if (open) send(subscription(topic))
    },
    confirm,
    wake,
    close: () => (closed ??= close()),
  }
}

function acknowledgement(topic: string): string {
  return formatFrame({ topic, type: 'ack', payload: '', silent: true })
}

function subscription(topic: string): string {
  return formatFrame({ topic, type: 'sub', payload: '', silent: true })
}

/**
 * The URL of a relay's WebSocket (protocol 3.1): http becomes ws, and the client parameters of the public clients
 * are added to the query, in their order. Existing query parameters are kept.
 */
export function relayUrl(bridge: string, pageHost: string | undefined): string {
  const url = new URL(bridge.replace(/^http/, 'ws'))
  url.searchParams.set('env', pageHost === undefined ? 'node' : 'browser')
  if (pageHost !== undefined) url.searchParams.set('host', pageHost)
  url.searchParams.set('protocol', 'wc')
  url.searchParams.set('version', '1')
  return url.href
}
