/** Fakes for unit tests: a relay in memory that behaves as protocol 3.4 says, and time that passes when told to. */
import { type Frame, formatFrame, parseFrame } from '../protocol/frame.ts'
import type { After, RelayPorts, RelayWebSocket } from './ports.ts'

/** A relay in memory, and what it saw. */
export interface FakeRelay {
  readonly WebSocket: new (url: string) => RelayWebSocket
  /** The addresses of all connections that were tried. */
  readonly urls: readonly string[]
  /** Every frame that any client sent, in order. */
  readonly frames: readonly Frame[]
  /** Connections that are open now. */
  readonly connections: () => number
  /** Cuts every connection; new ones are still accepted. */
  readonly cut: () => void
  /** Cuts every connection and takes no new one, until it is up again. */
  readonly down: () => void
  readonly up: () => void
  /** Sends a text to all subscribers of a topic, as somebody who knows the relay only could. */
  readonly inject: (topic: string, text: string) => void
  /** Leaves out the next messages to be forwarded, as a connection does that died without a word. */
  readonly loseNext: (messages: number) => void
}

/** Makes a relay. */
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
        this.dispatchEvent(new Event('close'))
      })
    }

    deliver(text: string): void {
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
      for (const queued of queues.get(frame.topic) ?? []) from.deliver(queued)
      queues.delete(frame.topic)
    }
    if (frame.type === 'pub') forward(frame.topic, formatFrame(frame))
  }

  function forward(topic: string, text: string): void {
    if (losing > 0) {
      losing -= 1
      return
    }
    const sockets = subscribers.get(topic)
    if (sockets?.size) for (const socket of sockets) socket.deliver(text)
    else queues.set(topic, [...(queues.get(topic) ?? []), text])
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

/** Time that passes when told to. */
export interface FakeTime {
  readonly after: After
  readonly now: () => number
  /** Lets time pass and calls whatever falls due, in order. */
  readonly pass: (milliseconds: number) => void
  /** The waits that are running, in milliseconds from now. */
  readonly waits: () => readonly number[]
}

/** Makes a time of its own that begins at an epoch millisecond. */
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

/** A relay and a time of their own, ready to be handed in. */
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
    online: () => () => undefined,
  }
  return { relay, time, ports }
}
