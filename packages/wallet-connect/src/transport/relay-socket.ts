/**
 * A connection to a relay (protocol 3) that mends itself. After every reconnect all live topics are subscribed again,
 * first of all; what is published meanwhile waits, in order and bounded.
 *
 * What it cannot know: a script cannot ping, so a connection that died without a word counts as open until the machine
 * gives it up, and what was written to it is lost. Whoever asks something therefore sets a time limit of its own.
 */
import { type Frame, formatFrame, parseFrame } from '../protocol/frame.ts'
import { afterTimeout, onlineEvent, type RelayPorts, type RelayWebSocket } from './ports.ts'
import { relayUrl } from './relay-url.ts'

/** How a relay connection is opened. */
export interface RelaySocketOptions extends RelayPorts {
  /** An http, https, ws or wss address, as a connection URI names it. */
  readonly bridge: string
  /** The topics that matter now; frames on others are dropped. */
  readonly topics: () => readonly string[]
  /** Hears every message on a live topic. */
  readonly onFrame: (frame: Frame) => void
  readonly onState?: ((state: 'open' | 'closed') => void) | undefined
}

/** A connection to a relay. */
export interface RelaySocket {
  /** Publishes now or when the connection is back. False where it is closed for good or too much is waiting already. */
  readonly publish: (topic: string, payload: string, silent: boolean) => boolean
  /** Subscribes to a topic that `topics` has just begun to name; while disconnected that happens by itself. */
  readonly subscribe: (topic: string) => void
  /** Closes for good. What still waits is given a few seconds to leave. */
  readonly close: () => Promise<void>
}

const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 30_000

// A connection that has lasted this long was a good one: the next failure begins again with the first wait.
const STEADY_MS = 10_000

// Browsers give up on a connection that is never accepted only after minutes.
const CONNECT_LIMIT_MS = 15_000

// How long `close` waits: for frames that are still to leave, and then for the other side to say goodbye.
const LINGER_MS = 5000
const GOODBYE_MS = 2000

const WAITING_MAXIMUM = 200

/** Opens a connection to a relay and keeps it open until it is closed. */
export function openRelaySocket(options: RelaySocketOptions): RelaySocket {
  const after = options.after ?? afterTimeout
  const random = options.random ?? Math.random
  const WebSocketClass: new (url: string) => RelayWebSocket = options.WebSocket ?? WebSocket
  const url = relayUrl(options.bridge, globalThis.location?.host)

  const waiting: string[] = []
  let socket: RelayWebSocket | undefined
  let open = false
  let failures = 0
  let cancelTimer = () => {}
  let closing: { readonly finish: () => void } | undefined

  function connect(): void {
    cancelTimer()
    const made = newSocket()
    socket = made
    if (made === undefined) return connectLater()
    cancelTimer = after(CONNECT_LIMIT_MS, () => made.close())
    // A socket that was given up may still speak; only the present one is heard. An error is always followed by a close.
    made.addEventListener('open', () => made === socket && opened(made))
    made.addEventListener('close', () => made === socket && lost())
    made.addEventListener('message', ({ data }) => {
      if (made === socket && typeof data === 'string') received(made, data)
    })
  }

  function newSocket(): RelayWebSocket | undefined {
    try {
      return new WebSocketClass(url)
    } catch {
      // Refused before anything was sent, as by a content security policy: a failure like any other.
      return undefined
    }
  }

  function opened(made: RelayWebSocket): void {
    open = true
    cancelTimer()
    cancelTimer = after(STEADY_MS, () => {
      failures = 0
    })
    for (const topic of options.topics()) made.send(subscription(topic))
    for (const text of waiting.splice(0)) made.send(text)
    if (closing === undefined) options.onState?.('open')
    else made.close()
  }

  function lost(): void {
    const wasOpen = open
    open = false
    socket = undefined
    cancelTimer()
    if (closing !== undefined && (waiting.length === 0 || wasOpen)) return closing.finish()
    if (wasOpen) options.onState?.('closed')
    connectLater()
  }

  function connectLater(): void {
    const wait = Math.min(FIRST_WAIT_MS * 2 ** failures * (1 + random() / 2), LONGEST_WAIT_MS)
    failures += 1
    cancelTimer = after(wait, connect)
  }

  function received(from: RelayWebSocket, text: string): void {
    const frame = parseFrame(text)
    if (frame?.type !== 'pub' || !options.topics().includes(frame.topic)) return
    // As the public clients do; a relay may forget the message now.
    from.send(formatFrame({ topic: frame.topic, type: 'ack', payload: '', silent: true }))
    if (closing === undefined) options.onFrame(frame)
  }

  function send(text: string): boolean {
    if (closing !== undefined) return false
    if (open) socket?.send(text)
    else if (waiting.length < WAITING_MAXIMUM) waiting.push(text)
    else return false
    return true
  }

  const stopListening = (options.online ?? onlineEvent)(() => {
    if (socket !== undefined) return
    failures = 0
    connect()
  })
  connect()

  let closed: Promise<void> | undefined

  function close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    let cancelGoodbye = () => {}
    closing = {
      finish() {
        stopListening()
        cancelTimer()
        cancelGoodbye()
        const last = socket
        socket = undefined
        last?.close()
        resolve()
      },
    }
    const { finish } = closing
    if (!open && waiting.length === 0) finish()
    else cancelGoodbye = after(open ? GOODBYE_MS : LINGER_MS, finish)
    if (open) socket?.close()
    return promise
  }

  return {
    publish: (topic, payload, silent) => send(formatFrame({ topic, type: 'pub', payload, silent })),
    subscribe(topic) {
      if (open) send(subscription(topic))
    },
    close: () => (closed ??= close()),
  }
}

function subscription(topic: string): string {
  return formatFrame({ topic, type: 'sub', payload: '', silent: true })
}
