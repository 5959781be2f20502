/** Fakes for unit tests: an in-memory relay that behaves as protocol 3.4 specifies, and a manually advanced clock. */
import { type Frame, formatFrame, parseFrame } from '../protocol/frame.ts'
import type { After, RelayPorts, RelayWebSocket } from './ports.ts'

/**
 * An in-memory relay that records its traffic. Beyond protocol 3.4, it tracks acknowledgements: what was delivered to a topic's
 * only connection, if that has acknowledged before, and was not acknowledged until it closed, is delivered again.
 */
export interface FakeRelay {
  readonly WebSocket: new (url: string) => RelayWebSocket
  /** The URLs of all attempted connections. */
  readonly urls: readonly string[]
  /** All frames that clients sent, in order. */
  readonly frames: readonly Frame[]
  /** The number of open connections. */
  readonly connections: () => number
  /** Drops every connection; new ones are still accepted. */
  readonly cut: () => void
  /** Drops every connection and rejects new ones until `up` is called. */
  readonly down: () => void
  readonly up: () => void
  /** Sends a text to all subscribers of a topic, as an attacker with access to the relay but without the key could. */
  readonly inject: (topic: string, text: string) => void
  /** Drops the next forwarded messages, as a silently dead connection does. */
  readonly loseNext: (messages: number) => void
}

function fakeRelay(): FakeRelay {
  const urls: string[] = []
  const frames: Frame[] = []
  const live = new Set<FakeSocket>()
  const subscribers = new Map<string, Set<FakeSocket>>()
  const queues = new Map<string, string[]>()
  let accepting = true
  let losing = 0

  class FakeSocket extends EventTarget implements RelayWebSocket {
    private ended = false
    acknowledges = false
    readonly unacknowledged: { readonly topic: string; readonly text: string }[] = []

    constructor(url: string) {
      super()
      urls.push(url)
      queueMicrotask(() => {
        if (!accepting) return this.close()
        live.add(this)
        this.dispatchEvent(new Event('open'))
      })
    }

    send(text: string): void {
      if (!live.has(this)) throw new Error('InvalidStateError: the socket is not open')
      queueMicrotask(() => arrived(this, text))
    }

    close(): void {
      if (this.ended) return
      this.ended = true
      queueMicrotask(() => {
        live.delete(this)
        for (const sockets of subscribers.values()) sockets.delete(this)
        for (const { topic, text } of this.unacknowledged) {
          if (!subscribers.get(topic)?.size) enqueue(topic, text)
        }
        this.dispatchEvent(new Event('close'))
      })
    }

    deliver(topic: string, text: string): void {
      if (this.acknowledges) this.unacknowledged.push({ topic, text })
      queueMicrotask(
        () => live.has(this) && this.dispatchEvent(new MessageEvent('message', { data: text })),
      )
    }
  }

  function arrived(from: FakeSocket, text: string): void {
    const frame = parseFrame(text)
    if (frame === undefined) return
    frames.push(frame)
    if (frame.type === 'sub') {
      const sockets = subscribers.get(frame.topic) ?? new Set()
      subscribers.set(frame.topic, sockets.add(from))
      for (const queued of queues.get(frame.topic) ?? []) from.deliver(frame.topic, queued)
      queues.delete(frame.topic)
    }
    if (frame.type === 'ack') {
      from.acknowledges = true
      const index = from.unacknowledged.findIndex(({ topic }) => topic === frame.topic)
      if (index >= 0) from.unacknowledged.splice(index, 1)
    }
    if (frame.type === 'pub') forward(frame.topic, formatFrame(frame))
  }

  function forward(topic: string, text: string): void {
    if (losing > 0) {
      losing -= 1
      return
    }
    const sockets = subscribers.get(topic)
    if (sockets?.size) for (const socket of sockets) socket.deliver(topic, text)
    else enqueue(topic, text)
  }

  function enqueue(topic: string, text: string): void {
    queues.set(topic, [...(queues.get(topic) ?? []), text])
  }

  const cut = () => {
    for (const socket of live) socket.close()
  }

  return {
    WebSocket: FakeSocket,
    urls,
    frames,
    connections: () => live.size,
    cut,
    down() {
      accepting = false
      cut()
    },
    up() {
      accepting = true
    },
    inject: (topic, text) => forward(topic, text),
    loseNext(messages) {
      losing = messages
    },
  }
}

/** A manually advanced clock. */
export interface FakeTime {
  readonly after: After
  readonly now: () => number
  /** Advances the clock and calls the timers that are due, in order. */
  readonly pass: (milliseconds: number) => void
  /** The remaining times of all timers in milliseconds. */
  readonly waits: () => readonly number[]
}

/** Creates a clock that starts at an epoch millisecond. */
function fakeTime(begin = 1_800_000_000_000): FakeTime {
  const timers = new Map<() => void, number>()
  let now = begin
  return {
    now: () => now,
    waits: () => [...timers.values()].map((due) => due - now),
    after(milliseconds, callback) {
      const timer = () => callback()
      timers.set(timer, now + milliseconds)
      return () => void timers.delete(timer)
    },
    pass(milliseconds) {
      const end = now + milliseconds
      for (;;) {
        const due = [...timers].filter(([, at]) => at <= end).sort((one, two) => one[1] - two[1])[0]
        if (due === undefined) break
        timers.delete(due[0])
        now = Math.max(now, due[1])
        due[0]()
      }
      now = end
    },
  }
}

/** A new fake relay and clock, and the ports that use them. */
export function fakePorts(): {
  readonly relay: FakeRelay
  readonly time: FakeTime
  readonly ports: RelayPorts
} {
  const relay = fakeRelay()
  const time = fakeTime()
  const ports = {
    WebSocket: relay.WebSocket,
    after: time.after,
    random: () => 0,
    onReturn: () => () => undefined,
  }
  return { relay, time, ports }
}

/**
 * Waits until all frames, encryption and listeners have been processed: until for several turns of the event loop no frame has
 * arrived and no cryptography is running, regardless of the machine's load.
 */
export async function quiescence(framesSeen: () => number): Promise<void> {
  let frames = framesSeen()
  for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    if (running > 0 || framesSeen() !== frames) quiet = 0
    frames = framesSeen()
  }
}

// Between two frames of an exchange, decrypting one message and encrypting the next take four steps.
const QUIET_TURNS = 16

let running = 0

// WebCrypto runs on separate threads, so running calls are counted.
for (const name of ['decrypt', 'encrypt', 'importKey', 'sign', 'verify'] as const) {
  const original: (...values: never[]) => Promise<unknown> = crypto.subtle[name]
  const counted = async (...values: never[]) => {
    running += 1
    try {
      return await original.apply(crypto.subtle, values)
    } finally {
      running -= 1
    }
  }
  Object.defineProperty(crypto.subtle, name, { value: counted, configurable: true })
}
