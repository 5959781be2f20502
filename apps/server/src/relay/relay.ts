/**
 * The wallet relay (§7.4; protocol 3): it passes messages between a page and a wallet by topic and keeps them for
 * a peer that is absent. It sees ciphertext only, and nothing of a frame but its topic is ever looked at or logged.
 */
import type { Socket } from 'node:net'
import { type RawData, WebSocket, WebSocketServer } from 'ws'
import type { Clock } from '../clock.ts'
import type { Upgrade } from '../http/upgrade.ts'
import { Bucket } from './bucket.ts'
import { CLOSE_CODES, type CloseReason } from './close-codes.ts'
import type { Exchange, OpenExchange, Published } from './exchange.ts'
import { readFrame } from './frame.ts'
import { FrameMeter } from './frame-meter.ts'
import type { RelayLimits } from './limits.ts'
import type { RelayMetrics } from './metrics.ts'
import { type NetworkBudget, networkBudgets } from './networks.ts'
import { textFrame } from './text-frame.ts'
import type { Webhooks } from './webhooks.ts'

/** The relay as the server knows it. */
export interface Relay {
  /** Turns a request into a connection. */
  readonly accept: (upgrade: Upgrade) => void
  readonly addWebhook: Exchange['addWebhook']
  readonly ready: () => Promise<boolean>
  /** Ends every connection; their clients come back to another node, or to this one when it is there again. */
  readonly close: () => Promise<void>
}

interface Connection {
  readonly socket: WebSocket
  /** What the websocket writes to. */
  readonly wire: Socket
  readonly budget: NetworkBudget
  readonly frames: Bucket
  readonly meter: FrameMeter
  /** When the message began that has not ended. */
  unfinishedSince: number
  /** What it has left behind for absent peers. */
  queuedMessages: number
  queuedBytes: number
  readonly topics: Set<string>
  /** Whether no webhook is called while its peer is there. */
  readonly silenceActive: boolean
  answered: boolean
}

/** Connections are pinged in so many groups, one after the other: all at once would hold up the messages meanwhile. */
const GROUPS = 10
/** How long a connection that was closed may take to say goodbye. */
const CLOSE_TIMEOUT_MS = 2000
const SWEEP_EVERY_ROUNDS = 6

/** Opens the relay. */
export function openRelay(deps: {
  readonly exchange: OpenExchange
  readonly webhooks: Webhooks
  readonly metrics: RelayMetrics
  readonly limits: RelayLimits
  readonly clock: Clock
}): Relay {
  const { webhooks, metrics, limits, clock } = deps
  const groups = Array.from({ length: GROUPS }, () => new Set<Connection>())
  const topics = new Map<string, Set<Connection>>()
  const networks = networkBudgets(limits, clock)
  const exchange = deps.exchange(deliver)
  // @types/ws does not know the time-out of closing and the bounds on pieces yet.
  const options = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.frameBytes,
    maxFragments: limits.fragmentsPerMessage,
    maxBufferedChunks: limits.piecesPerFrame,
    closeTimeout: CLOSE_TIMEOUT_MS,
  }
  const server = new WebSocketServer(options)
  let beats = 0
  /** Bytes of all messages that have not ended. */
  let unfinished = 0
  let isStopping = false
  const beating = setInterval(beat, limits.pingEveryMs / GROUPS)
  beating.unref()
  metrics.show('connections', 'Open connections of this node.', () =>
    groups.reduce((sum, { size }) => sum + size, 0),
  )
  metrics.show('topics', 'Topics with a reader on this node.', () => topics.size)
  metrics.show('waiting_topics', 'Topics for which messages wait.', () => exchange.waiting())

  function open(socket: WebSocket, { socket: wire, network, request }: Upgrade): void {
    // A connection that breaks is closed; what broke it is its own business.
    socket.on('error', () => undefined)
    if (isStopping) return close({ socket, wire }, 'stopping')
    const budget = networks.enter(network)
    if (budget === undefined) return close({ socket, wire }, 'network-connections')
    const connection: Connection = {
      socket,
      wire,
      budget,
      frames: new Bucket(limits.framesAtOnce, limits.framesPerSecond, clock),
      meter: new FrameMeter(),
      unfinishedSince: 0,
      queuedMessages: 0,
      queuedBytes: 0,
      topics: new Set(),
      silenceActive: isSilencedWhileActive(request.url ?? ''),
      answered: true,
    }
    const group = groups.reduce((least, each) => (each.size < least.size ? each : least))
    group.add(connection)
    // Before the library reads it: a message that never ends, and what no message is, reach no other listener.
    wire.prependListener('data', (chunk: Buffer) => measure(connection, chunk))
    socket.on('message', (data, isBinary) => hear(connection, data, isBinary))
    socket.on('pong', () => {
      connection.answered = true
    })
    socket.once('close', () => {
      group.delete(connection)
      budget.connections -= 1
      unfinished -= connection.meter.unfinished
      for (const topic of connection.topics) leave(connection, topic)
    })
  }

  function close({ socket, wire }: Pick<Connection, 'socket' | 'wire'>, reason: CloseReason): void {
    if (socket.readyState !== WebSocket.OPEN) return
    socket.close(CLOSE_CODES[reason], reason)
    if (reason === 'stopping') return
    metrics.countDrops(reason)
    // What it goes on sending is thrown away unread, until it ends too or its time is over.
    wire.removeAllListeners('data')
    wire.resume()
    wire.end()
  }

  /** Counts all that arrives, whatever it is. */
  function measure(connection: Connection, chunk: Buffer): void {
    const { meter, budget, socket } = connection
    if (socket.readyState !== WebSocket.OPEN) return
    const before = meter.unfinished
    const frames = meter.read(chunk)
    unfinished += meter.unfinished - before
    if (!connection.frames.take(frames)) return close(connection, 'too-many-frames')
    // A frame that arrives in many pieces is read as often.
    const cost = chunk.length + Math.max(frames, 1) * limits.frameCostBytes
    if (!budget.traffic.take(cost)) return close(connection, 'network-traffic')
    if (meter.unfinished === 0) return
    const isNew = before === 0 || meter.unfinished !== before + chunk.length
    if (isNew) connection.unfinishedSince = clock()
    if (meter.unfinished > limits.unfinishedBytes) return close(connection, 'message-unfinished')
    if (unfinished > limits.unfinishedBytesPerNode) close(connection, 'relay-full')
  }

  function hear(connection: Connection, data: RawData, isBinary: boolean): void {
    // What arrives behind the frame that closed the connection counts no more.
    if (connection.socket.readyState !== WebSocket.OPEN) return
    const text = (data as Buffer).toString() // `ws` gives a Buffer unless it is told otherwise.
    if (isBinary) return metrics.countDrops('binary')
    const frame = readFrame(text)
    if (frame === undefined) return metrics.countDrops('unreadable')
    if (frame === 'ignored') return
    if (frame.type === 'sub') return subscribe(connection, frame.topic)
    const { topic, silent } = frame
    exchange.publish({ topic, text, withWebhooks: !silent }, (published) =>
      settle(connection, topic, published),
    )
  }

  function subscribe(connection: Connection, topic: string): void {
    if (connection.topics.has(topic)) return
    if (connection.topics.size >= limits.topicsPerConnection) {
      return close(connection, 'too-many-topics')
    }
    if (connection.budget.topics >= limits.topicsPerNetwork) {
      return close(connection, 'network-topics')
    }
    const readers = topics.get(topic) ?? new Set()
    if (readers.size >= limits.connectionsPerTopic) {
      const crowding = crowdingReader(readers, connection) ?? connection
      close(crowding, 'topic-crowded')
      if (crowding === connection) return
      leave(crowding, topic)
    }
    connection.topics.add(topic)
    connection.budget.topics += 1
    topics.set(topic, readers.add(connection))
    if (readers.size === 1) exchange.listen(topic)
  }

  function leave(connection: Connection, topic: string): void {
    const readers = topics.get(topic)
    if (connection.topics.delete(topic)) connection.budget.topics -= 1
    if (readers?.delete(connection) !== true || readers.size > 0) return
    topics.delete(topic)
    exchange.leave(topic)
  }

  function settle(
    connection: Connection,
    topic: string,
    { outcome, webhooks: urls, kept }: Published,
  ): void {
    metrics.countMessage(outcome)
    if (!(connection.silenceActive && outcome === 'delivered')) {
      for (const url of urls) webhooks.call(url, topic)
    }
    if (outcome === 'relay-full') return close(connection, outcome)
    if (outcome === 'queue-full') {
      // A stranger who fills the queue of a topic must not close the connections of those who use it.
      const isItsOwn =
        connection.queuedMessages * 2 >= limits.queuedMessagesPerTopic ||
        connection.queuedBytes * 2 >= limits.queuedBytesPerTopic
      return isItsOwn ? close(connection, outcome) : metrics.countDrops(outcome)
    }
    if (outcome !== 'queued') return
    connection.queuedMessages += 1
    connection.queuedBytes += kept
    if (!connection.budget.queued.take(kept)) close(connection, 'network-queued')
  }

  function deliver(topic: string, text: string): boolean {
    let isDelivered = false
    // All readers share these bytes, however many of them are slow.
    let frame: Buffer | undefined
    for (const reader of topics.get(topic) ?? []) {
      const { socket } = reader
      if (socket.readyState !== WebSocket.OPEN) {
        // It is about to be gone, and must not count as somebody who heard.
        leave(reader, topic)
      } else if (socket.bufferedAmount > limits.unreadBytes) {
        metrics.countDrops('slow-reader')
        leave(reader, topic)
        // A closing frame would only wait behind what is not read.
        socket.terminate()
      } else {
        frame ??= textFrame(text)
        writeTogether(reader.wire)
        // Past the library, which would write head and text as two pieces: one of them costs the system less.
        reader.wire.write(frame)
        isDelivered = true
      }
    }
    return isDelivered
  }

  function beat(): void {
    const now = clock()
    for (const connection of groups[beats % GROUPS] ?? []) {
      const { meter, unfinishedSince } = connection
      if (meter.unfinished > 0 && now - unfinishedSince >= limits.unfinishedMs) {
        close(connection, 'message-unfinished')
      } else if (connection.answered) {
        connection.answered = false
        connection.socket.ping()
      } else {
        metrics.countDrops('no-pong')
        connection.socket.terminate()
      }
    }
    beats += 1
    if (beats % (GROUPS * SWEEP_EVERY_ROUNDS) === 0) {
      exchange.sweep()
      networks.sweep()
    }
  }

  return {
    accept(upgrade) {
      const { request, socket, head } = upgrade
      server.handleUpgrade(request, socket, head, (accepted) => open(accepted, upgrade))
    },
    addWebhook: exchange.addWebhook,
    ready: exchange.ready,
    async close() {
      isStopping = true
      clearInterval(beating)
      const all = groups.flatMap((group) => [...group])
      const gone = all.map(({ socket }) => new Promise((resolve) => socket.once('close', resolve)))
      for (const connection of all) close(connection, 'stopping')
      await Promise.all(gone)
      webhooks.close()
      await exchange.close()
    },
  }
}

/** No webhook while the peer is there: said by the path, and by older clients in the query (protocol 3.7). */
function isSilencedWhileActive(url: string): boolean {
  const [path = '', query = ''] = url.split('?', 2)
  return (
    /\/silenceActive\/?$/.test(path) || new URLSearchParams(query).get('silenceActive') === 'true'
  )
}

/**
 * The reader that a newcomer displaces: one of the network that reads the topic most. Otherwise a stranger who learned a
 * topic could take every place and keep its owner out.
 */
function crowdingReader(
  readers: ReadonlySet<Connection>,
  newcomer: Connection,
): Connection | undefined {
  const networks = Map.groupBy(readers, ({ budget }) => budget)
  const crowd = [...networks.values()].reduce((most, each) =>
    each.length > most.length ? each : most,
  )
  const own = networks.get(newcomer.budget)?.length ?? 0
  return crowd.length > own + 1 ? crowd.at(-1) : undefined
}

/** What is written in one turn of the event loop goes out in one piece: a system call costs more than all else here. */
function writeTogether(wire: Socket): void {
  if (wire.writableCorked > 0) return
  wire.cork()
  process.nextTick(uncork, wire)
}

function uncork(wire: Socket): void {
  wire.uncork()
}
