// The load generator of the relay: it writes prebuilt frames and checks only the length of
// received data, because a full websocket client would cost as much as the measured server.
import { randomBytes, randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { RelayLoad, RelayOutcome } from './relay-load.ts'
import { spread } from './spread.ts'

const PATH = '/service-wallet-connect-bridge/ws/external?env=node&protocol=wc&version=1'
/** The size of an encrypted signing request. */
const SEALED_BYTES = 400
/** A connection that is silent for this long has failed. */
const TIMEOUT_MS = 30_000
/** Concurrent handshakes. */
const OPENING = 100
const SETTLE_MS = 1000

type Idle = { readonly port: number; readonly count: number; readonly subscribed: boolean }

type Command = { readonly load: RelayLoad } | { readonly go: true } | Idle

let go: (() => Promise<RelayOutcome>) | undefined

process.on('message', (command: Command) => {
  handle(command).then(
    (outcome) => process.send?.(outcome),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})
process.once('SIGTERM', () => process.exit(0))
process.once('disconnect', () => process.exit(0))

async function handle(command: Command): Promise<object> {
  if ('load' in command) {
    const lanes = await openLanes(command.load)
    go = () => run(command.load, lanes)
    return { open: lanes.length }
  }
  if (!('go' in command)) return idle(command)
  if (go === undefined) throw new Error('There is nothing to begin')
  return go()
}

async function idle({ port, count, subscribed }: Idle): Promise<{ open: number }> {
  let open = 0
  while (open < count) {
    const some = Math.min(OPENING, count - open)
    const sockets = await Promise.all(
      Array.from({ length: some }, (_, each) => openSocket(port, open + each)),
    )
    if (subscribed)
      for (const socket of sockets) socket.write(maskedFrame(subscription(randomUUID())))
    for (const socket of sockets) answerPings(socket)
    open += some
  }
  return { open }
}

async function openLanes({ ports, echo, pairs }: RelayLoad): Promise<readonly Lane[]> {
  const lanes: Lane[] = []
  for (let each = 0; each < pairs; each += 1) {
    const page = await openSocket(ports[0], each)
    if (echo) {
      lanes.push(lane(page, page, randomUUID()))
    } else {
      const wallet = await openSocket(ports[1], each)
      lanes.push(lane(page, wallet, randomUUID()), lane(wallet, page, randomUUID()))
    }
  }
  // Subscriptions must arrive before their messages.
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  return lanes
}

async function run(load: RelayLoad, lanes: readonly Lane[]): Promise<RelayOutcome> {
  const { echo, inFlight, perSecond, warmUpMs, forMs } = load
  const latencies: number[] = []
  const begin = performance.now()
  const from = begin + warmUpMs
  const end = from + forMs
  let counted = 0
  let messages = 0

  return new Promise((resolve, reject) => {
    const failed = setTimeout(
      () => reject(new Error('Messages were lost')),
      warmUpMs + forMs + TIMEOUT_MS,
    )
    for (const [index, each] of lanes.entries()) {
      // An echo responds by itself; otherwise the receiver of a pair responds on the paired connection.
      const answer = (echo ? undefined : lanes[index ^ 1]) ?? each
      each.onMessage = (sentAt) => {
        const now = performance.now()
        messages += 1
        if (now >= from && now <= end) {
          counted += 1
          latencies.push(now - sentAt)
        }
        if (perSecond === undefined && now < end) answer.send(now)
      }
      each.failed = reject
      if (perSecond !== undefined || (!echo && index % 2 === 1)) continue
      for (let sent = 0; sent < inFlight; sent += 1) each.send(begin)
    }
    let next = 0
    const timer = setInterval(() => {
      const now = performance.now()
      const due = Math.floor(((Math.min(now, end) - begin) / 1000) * (perSecond ?? 0))
      // A message is timed from when it was due.
      for (; next < due; next += 1) {
        lanes[next % lanes.length]?.send(begin + (next * 1000) / (perSecond ?? 1))
      }
      if (now < end || lanes.some((each) => each.inFlight() > 0)) return
      clearInterval(timer)
      clearTimeout(failed)
      resolve({ messages, perSecond: counted / (forMs / 1000), latency: spread(latencies) })
    }, 1)
  })
}

/** A publisher and a subscriber; the same connection for an echo. */
type Lane = {
  readonly send: (at: number) => void
  readonly inFlight: () => number
  onMessage: (sentAt: number) => void
  failed: (error: Error) => void
}

function lane(publisher: Socket, reader: Socket, topic: string): Lane {
  if (reader !== publisher) reader.write(maskedFrame(subscription(topic)))
  const text = publication(topic)
  const frame = maskedFrame(text)
  const length = Buffer.byteLength(text) + 4 // Server frames are not masked.
  const sent: number[] = []
  let left = length
  let waiting: Buffer[] = []
  const flush = () => {
    const frames = waiting
    waiting = []
    publisher.write(frames.length === 1 ? (frames[0] ?? frame) : Buffer.concat(frames))
  }
  const self: Lane = {
    send(at) {
      sent.push(at)
      // Frames due at the same time are written together, as if from many machines.
      if (waiting.push(frame) === 1) setImmediate(flush)
    },
    inFlight: () => sent.length,
    onMessage: () => undefined,
    failed: () => undefined,
  }
  reader.on('data', (chunk: Buffer) => {
    let rest = chunk.length
    while (rest >= left) {
      rest -= left
      left = length
      const at = sent.shift()
      if (at === undefined) return self.failed(new Error('More messages received than sent'))
      self.onMessage(at)
    }
    left -= rest
  })
  for (const socket of [publisher, reader]) {
    socket.on('close', () => self.failed(new Error('The server closed a connection')))
  }
  return self
}

/** Performs the handshake; each connection claims another network. */
function openSocket(port: number, index: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () =>
      socket.write(
        [
          `GET ${PATH} HTTP/1.1`,
          `Host: 127.0.0.1:${port}`,
          'Connection: Upgrade',
          'Upgrade: websocket',
          'Sec-WebSocket-Version: 13',
          `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
          `X-Forwarded-For: 10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
          '\r\n',
        ].join('\r\n'),
      ),
    )
    socket.once('error', reject)
    socket.once('data', (head: Buffer) => {
      if (head.toString('latin1').startsWith('HTTP/1.1 101')) resolve(socket)
      else reject(new Error(head.toString('latin1').slice(0, 100)))
    })
  })
}

/** Pings have no payload, so all pongs are equal. */
function answerPings(socket: Socket): void {
  const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])
  socket.on('data', () => socket.write(pong))
}

const subscription = (topic: string) =>
  JSON.stringify({ topic, type: 'sub', payload: '', silent: true })

const publication = (topic: string) =>
  JSON.stringify({
    topic,
    type: 'pub',
    payload: JSON.stringify({
      data: randomBytes(SEALED_BYTES).toString('hex'),
      hmac: randomBytes(32).toString('hex'),
      iv: randomBytes(16).toString('hex'),
    }),
    silent: true,
  })

/** A text frame as a client writes it (RFC 6455, 5.2). */
function maskedFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  const mask = randomBytes(4)
  const head =
    payload.length < 126
      ? Buffer.from([0x81, 0x80 | payload.length])
      : Buffer.from([0x81, 0x80 | 126, payload.length >> 8, payload.length & 255])
  const masked = payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0))
  return Buffer.concat([head, mask, masked])
}
