import { afterEach, expect, test, vi } from 'vitest'
import type { Frame } from '../protocol/frame.ts'
import {
  openRelaySocket,
  type RelaySocket,
  type RelaySocketOptions,
  relayUrl,
} from './relay-socket.ts'
import { fakePorts } from './testing.ts'

const settled = () => new Promise((resolve) => setTimeout(resolve))
const opened: RelaySocket[] = []

afterEach(() => {
  for (const socket of opened.splice(0)) void socket.close()
})

function aSocket(topics: readonly string[] = ['mine'], others: Partial<RelaySocketOptions> = {}) {
  const { relay, time, ports } = fakePorts()
  const received: Frame[] = []
  const states: string[] = []
  let backOnline = () => {}
  const socket = openRelaySocket({
    ...ports,
    onReturn(listener) {
      backOnline = listener
      return () => {
        backOnline = () => {}
      }
    },
    bridge: 'https://relay.example',
    topics: () => topics,
    onFrame: (frame) => received.push(frame),
    onState: (state) => states.push(state),
    ...others,
  })
  opened.push(socket)
  const sent = (type: string) =>
    relay.frames.filter((frame) => frame.type === type).map(({ topic }) => topic)
  return { relay, time, socket, received, states, sent, online: () => backOnline() }
}

test('protocol 3.3: on open every current topic is subscribed, then queued messages are published in order', async () => {
  const { relay, socket } = aSocket(['mine', 'handshake'])
  socket.publish('theirs', '1', true)
  socket.publish('theirs', '2', false)
  await settled()
  expect(
    relay.frames.map(({ type, topic, payload, silent }) => [type, topic, payload, silent]),
  ).toEqual([
    ['sub', 'mine', '', true],
    ['sub', 'handshake', '', true],
    ['pub', 'theirs', '1', true],
    ['pub', 'theirs', '2', false],
  ])
})

test('protocol 3.3: every message received is acknowledged on its topic', async () => {
  const { relay, received, sent } = aSocket()
  await settled()
  relay.inject('mine', '{"topic":"mine","type":"pub","payload":"x"}')
  await settled()
  expect(received).toEqual([{ topic: 'mine', type: 'pub', payload: 'x', silent: false }])
  expect(sent('ack')).toEqual(['mine'])
})

test('protocol 3.3: frames on other topics, other frame types and invalid frames are dropped', async () => {
  const { relay, received, sent } = aSocket()
  await settled()
  for (const text of [
    '',
    'Error: bad frame',
    '{}',
    '{"topic":"other","type":"pub","payload":"x"}',
    '{"topic":"mine","type":"ack","payload":""}',
  ]) {
    relay.inject('mine', text)
  }
  await settled()
  expect(received).toEqual([])
  expect(sent('ack')).toEqual([])
})

test('protocol 3.3: after a reconnect all current topics are subscribed again, not only the own one', async () => {
  const { relay, time, sent, states } = aSocket(['mine', 'handshake'])
  await settled()
  relay.cut()
  await settled()
  time.pass(1000)
  await settled()
  expect(sent('sub')).toEqual(['mine', 'handshake', 'mine', 'handshake'])
  expect(states).toEqual(['open', 'closed', 'open'])
  expect(relay.connections()).toBe(1)
})

test('protocol 3.3: a send while disconnected is queued and opens no second socket', async () => {
  const { relay, time, socket, sent } = aSocket()
  await settled()
  relay.cut()
  await settled()
  expect(socket.publish('theirs', '1', true)).toBe(true)
  await settled()
  expect(relay.urls).toHaveLength(1)
  time.pass(1000)
  await settled()
  expect(relay.urls).toHaveLength(2)
  expect(sent('pub')).toEqual(['theirs'])
})

test('an unreachable relay is retried after 1 s with backoff up to 30 s', async () => {
  const { relay, time } = aSocket()
  await settled()
  relay.down()
  await settled()
  const waits: number[] = []
  for (let attempt = 0; attempt < 8; attempt += 1) {
    waits.push(time.waits()[0] ?? 0)
    time.pass(30_000)
    await settled()
  }
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
})

test('delays have jitter, so that a thousand pages do not reconnect at the same time', async () => {
  const { relay, time, ports } = fakePorts()
  relay.down()
  opened.push(
    openRelaySocket({
      ...ports,
      random: () => 0.5,
      bridge: 'ws://a.example',
      topics: () => [],
      onFrame: () => {},
    }),
  )
  await settled()
  expect(time.waits()).toEqual([1250])
})

test('a stable connection resets the backoff, one that is dropped immediately does not', async () => {
  const { relay, time } = aSocket()
  await settled()
  relay.cut()
  await settled()
  time.pass(1000)
  await settled()
  relay.cut()
  await settled()
  expect(time.waits()).toEqual([2000])
  time.pass(2000)
  await settled()
  time.pass(10_000)
  relay.cut()
  await settled()
  expect(time.waits()).toEqual([1000])
})

test('protocol 3.3: when the network is back it connects immediately, and keeps an open connection', async () => {
  const { relay, online } = aSocket()
  await settled()
  online()
  await settled()
  expect(relay.urls).toHaveLength(1)
  relay.down()
  await settled()
  relay.up()
  online()
  await settled()
  expect(relay.connections()).toBe(1)
})

test.each(['online', 'focus', 'visibilitychange'])(
  'protocol 3.3: after long failures, the event %s of the page connects immediately; a closed connection ignores it',
  async (event) => {
    const page = new EventTarget()
    vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
    vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
    const { relay, time, socket } = aSocket(['mine'], { onReturn: undefined })
    await settled()
    relay.down()
    await settled()
    for (const wait of [1000, 2000, 4000, 8000]) {
      time.pass(wait)
      await settled()
    }
    relay.up()
    page.dispatchEvent(new Event(event))
    await settled()
    expect(relay.connections()).toBe(1)
    await socket.close()
    page.dispatchEvent(new Event(event))
    await settled()
    expect(relay.connections()).toBe(0)
  },
)

test('protocol 3.3: what is sent after long failures is sent at once, also by a client that closes then', async () => {
  const { relay, time, socket } = aSocket()
  await settled()
  relay.down()
  await settled()
  for (const wait of [1000, 2000, 4000]) {
    time.pass(wait)
    await settled()
  }
  relay.up()
  expect(socket.publish('theirs', 'the answer', false)).toBe(true)
  void socket.close()
  await settled()
  expect(relay.frames.at(-1)).toMatchObject({ topic: 'theirs', payload: 'the answer' })
})

test('a connection that is never accepted times out and is retried', async () => {
  const { time, ports } = fakePorts()
  const closed = vi.fn<() => void>()
  const created: string[] = []
  class NeverOpens {
    private listeners = new Map<string, (event: Event) => void>()
    constructor(url: string) {
      created.push(url)
    }
    addEventListener(type: string, listener: (event: Event) => void) {
      this.listeners.set(type, listener)
    }
    send() {}
    close() {
      closed()
      this.listeners.get('close')?.(new Event('close'))
    }
  }
  opened.push(
    openRelaySocket({
      ...ports,
      WebSocket: NeverOpens,
      bridge: 'ws://a.example',
      topics: () => [],
      onFrame: () => {},
    }),
  )
  time.pass(15_000)
  expect(closed).toHaveBeenCalledOnce()
  time.pass(1000)
  expect(created).toHaveLength(2)
})

test('a URL that the browser refuses to connect to is retried like any failure', async () => {
  const { time, ports } = fakePorts()
  class Refused {
    constructor() {
      throw new DOMException('mixed content', 'SecurityError')
    }
    addEventListener() {}
    send() {}
    close() {}
  }
  opened.push(
    openRelaySocket({
      ...ports,
      WebSocket: Refused,
      bridge: 'ws://a.example',
      topics: () => [],
      onFrame: () => {},
    }),
  )
  expect(time.waits()).toEqual([1000])
})

test('the queue is bounded, and publishing to a full queue returns false', async () => {
  const { relay, socket } = aSocket()
  relay.down()
  await settled()
  const accepted = Array.from({ length: 300 }, (_, index) =>
    socket.publish('theirs', String(index), true),
  )
  expect(accepted.filter(Boolean)).toHaveLength(200)
  expect(accepted.indexOf(false)).toBe(200)
})

test('closing ends the connection, timers and listeners, and accepts no more messages', async () => {
  const { relay, time, socket, states, online } = aSocket()
  await settled()
  await socket.close()
  await socket.close()
  expect(socket.publish('theirs', '1', true)).toBe(false)
  online()
  await settled()
  expect([relay.connections(), relay.urls.length, time.waits()]).toEqual([0, 1, []])
  expect(states).toEqual(['open'])
})

test('closing while disconnected ends immediately', async () => {
  const { relay, time, socket } = aSocket()
  relay.down()
  await settled()
  await socket.close()
  time.pass(60_000)
  expect([relay.urls.length, time.waits()]).toEqual([1, []])
})

test('protocol 6.1: a queued end of session gets five seconds to be sent', async () => {
  const { relay, time, socket, sent } = aSocket()
  await settled()
  relay.cut()
  await settled()
  socket.publish('theirs', 'end', true)
  const closing = socket.close()
  time.pass(1000)
  await closing
  await settled()
  expect(sent('pub')).toEqual(['theirs'])
  expect(relay.connections()).toBe(0)

  const second = aSocket()
  second.relay.down()
  await settled()
  second.socket.publish('theirs', 'end', true)
  const lost = second.socket.close()
  second.time.pass(5000)
  await lost
  expect(second.time.waits()).toEqual([])
})

test('protocol 3.1: http becomes ws, and the client parameters are added to the query in order', () => {
  expect(relayUrl('https://relay.example', 'dapp.example')).toBe(
    'wss://relay.example/?env=browser&host=dapp.example&protocol=wc&version=1',
  )
  expect(relayUrl('http://127.0.0.1:8080/ws/external', undefined)).toBe(
    'ws://127.0.0.1:8080/ws/external?env=node&protocol=wc&version=1',
  )
})

test('protocol 3.1: existing query parameters are kept', () => {
  expect(relayUrl('wss://relay.example/ws?silenceActive=true', undefined)).toBe(
    'wss://relay.example/ws?silenceActive=true&env=node&protocol=wc&version=1',
  )
})

test('with acknowledge when-handled, messages are acknowledged in order and only once they are handled', async () => {
  const handled: ((isHandled: boolean) => void)[] = []
  const { relay, socket, sent } = aSocket(['mine'], {
    acknowledge: 'when-handled',
    onFrame: () => new Promise<boolean>((resolve) => handled.push(resolve)),
  })
  await settled()
  // One that announces that it acknowledges.
  expect(sent('ack')).toHaveLength(1)
  relay.inject('mine', '{"topic":"mine","type":"pub","payload":"1"}')
  relay.inject('mine', '{"topic":"mine","type":"pub","payload":"2"}')
  await settled()
  handled[1]?.(true)
  const confirmed = socket.confirm()
  await settled()
  expect(sent('ack')).toHaveLength(1)
  handled[0]?.(false)
  await settled()
  expect(sent('ack')).toHaveLength(3)
  expect(await confirmed).toBe(true)
})

test('confirm settles when the relay has processed what was sent before, or when the connection breaks', async () => {
  const { relay, socket, received, sent } = aSocket()
  expect(await socket.confirm()).toBe(false)
  await settled()
  socket.publish('theirs', '1', true)
  expect(await socket.confirm()).toBe(true)
  expect(sent('pub')).toEqual(['theirs', 'mine'])
  expect(received).toEqual([])
  relay.loseNext(1)
  const confirmed = socket.confirm()
  await settled()
  relay.cut()
  expect(await confirmed).toBe(false)
})

test('wake reconnects when the connection was lost silently, and keeps one that works', async () => {
  const { relay, time, socket, states } = aSocket()
  await settled()
  socket.wake()
  await settled()
  time.pass(3000)
  await settled()
  expect(relay.urls).toHaveLength(1)
  relay.loseNext(1)
  socket.wake()
  await settled()
  time.pass(3000)
  await settled()
  expect(relay.urls).toHaveLength(2)
  expect(states).toEqual(['open', 'closed', 'open'])
  expect(relay.connections()).toBe(1)
})

test('wake reconnects immediately while the connection is down', async () => {
  const { relay, socket } = aSocket()
  await settled()
  relay.cut()
  await settled()
  socket.wake()
  await settled()
  expect(relay.connections()).toBe(1)
})
