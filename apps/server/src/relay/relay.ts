/**
 * The wallet relay (§7.4; protocol 3) passes messages between a page and a wallet by topic and queues them for an
 * absent peer. The messages are ciphertext, which the relay neither reads nor logs.
 */
import type { Socket } from 'node:net'
import { type RawData, WebSocket, WebSocketServer } from 'ws'
import type { Clock } from '../clock.ts'
import type { RefusedUpgrade, Upgrade } from '../http/upgrade.ts'
import { CLOSE_CODES, type CloseReason } from './close-codes.ts'
import {
  type Exchange,
  type Message,
  type OpenExchange,
  type PublishResult,
  queuedCost,
} from './exchange.ts'
import { readFrame } from './frame.ts'
import { FrameMeter } from './frame-meter.ts'
import type { RelayLimits } from './limits.ts'
import type { RelayMetrics } from './metrics.ts'
import { type NetworkBudget, networkBudgets } from './network-budgets.ts'
import { TokenBucket } from './token-bucket.ts'
import { type Inbox, unacknowledgedMessages } from './unacknowledged.ts'
import type { Webhooks } from './webhooks.ts'

export interface Relay {
  /** Completes a WebSocket upgrade. */
  readonly accept: (upgrade: Upgrade) => void
  readonly addWebhook: Exchange['addWebhook']
  readonly ready: () => Promise<boolean>
  /**
   * Open connections and topics with a reader, of this node, and topics with queued messages, of all nodes; NaN if Redis
   * did not answer.
   */
  readonly state: () => Promise<{
    readonly connections: number
    readonly topics: number
    readonly waitingTopics: number
  }>
  /** Closes all connections; clients reconnect to another node, or to this one after a restart. */
  readonly close: () => Promise<void>
}

interface Connection extends Inbox {
  readonly socket: WebSocket
  /** The socket under the WebSocket. */
  readonly wire: Socket
  readonly budget: NetworkBudget
  readonly frames: TokenBucket
  readonly meter: FrameMeter
  /** When the incomplete message began. */
  unfinishedSince: number
  /** The messages that this connection has queued for absent peers. */
  queuedMessages: number
  queuedBytes: number
  /** Whether to skip webhooks while the peer is connected. */
  readonly silenceActive: boolean
  answered: boolean
}

/** Connections are pinged in groups, because pinging all at once would delay messages. */
const GROUPS = 10
/** How long the closing handshake may take. */
const CLOSE_TIMEOUT_MS = 2000
const SWEEP_EVERY_ROUNDS = 6

export function openRelay(deps: {
  readonly exchange: OpenExchange
  readonly webhooks: Webhooks
  readonly metrics: RelayMetrics
  readonly limits: RelayLimits
  readonly clock: Clock
  /** Called with the topic of a message that is not silent and was queued, because nothing reads it. */
  readonly onUnread: (topic: string) => void
  readonly onRefused: (refused: RefusedUpgrade) => void
}): Relay {
  const { webhooks, metrics, limits, clock, onUnread, onRefused } = deps
  const groups = Array.from({ length: GROUPS }, () => new Set<Connection>())
  const topics = new Map<string, Set<Connection>>()
  const networks = networkBudgets(limits, clock)
  const unacknowledged = unacknowledgedMessages(limits, clock)
  const exchange = deps.exchange(deliver)
  // @types/ws does not yet declare closeTimeout, maxFragments and maxBufferedChunks.
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
  let pingRounds = 0
  /** The bytes of all incomplete messages. */
  let unfinished = 0
  let isStopping = false
  const pinging = setInterval(ping, limits.pingEveryMs / GROUPS)
  pinging.unref()
  const countConnections = () => groups.reduce((sum, { size }) => sum + size, 0)
  metrics.addGauge('connections', 'Open connections of this node.', countConnections)
  metrics.addGauge('topics', 'Topics with a reader on this node.', () => topics.size)
  metrics.addGauge('waiting_topics', 'Topics with queued messages.', () => exchange.waiting())

  function open(socket: WebSocket, { socket: wire, network, request }: Upgrade): void {
    // `ws` closes the connection after an error; there is nothing else to do.
    socket.on('error', () => undefined)
    if (isStopping) return close({ socket, wire }, 'stopping')
    const budget = networks.enter(network)
    if (budget === undefined) {
      onRefused({ request, network, reason: 'network-connections' })
      return close({ socket, wire }, 'network-connections')
    }
    const connection: Connection = {
      socket,
      wire,
      budget,
      frames: new TokenBucket(limits.framesAtOnce, limits.framesPerSecond, clock),
      meter: new FrameMeter(),
      unfinishedSince: 0,
      queuedMessages: 0,
      queuedBytes: 0,
      topics: new Map(),
      deliveries: [],
      unacknowledgedBytes: 0,
      acknowledges: false,
      silenceActive: isSilencedWhileActive(request.url ?? ''),
      answered: true,
    }
    const group = groups.reduce((least, each) => (each.size < least.size ? each : least))
    group.add(connection)
    // Measured before the library reads it, because incomplete messages and control frames emit no 'message' event.
    wire.prependListener('data', (chunk: Buffer) => measure(connection, chunk))
    socket.on('message', (data, isBinary) => receive(connection, data, isBinary))
    socket.on('pong', () => {
      connection.answered = true
    })
    socket.once('close', () => {
      group.delete(connection)
      budget.connections -= 1
      unfinished -= connection.meter.unfinished
      for (const topic of connection.topics.keys()) {
        leave(connection, topic)
        requeue(connection, topic, unacknowledged.leave(connection, topic))
      }
    })
  }

  function close({ socket, wire }: Pick<Connection, 'socket' | 'wire'>, reason: CloseReason): void {
    if (socket.readyState !== WebSocket.OPEN) return
    socket.close(CLOSE_CODES[reason], reason)
    if (reason === 'stopping') return
    metrics.countDrops(reason)
    // Further data is discarded unread until the client closes as well or the timeout passes.
    wire.removeAllListeners('data')
    wire.resume()
    wire.end()
  }

  /** Counts all incoming data. */
  function measure(connection: Connection, chunk: Buffer): void {
    const { meter, budget, socket } = connection
    if (socket.readyState !== WebSocket.OPEN) return
    const before = meter.unfinished
    const frames = meter.read(chunk)
    unfinished += meter.unfinished - before
    if (!connection.frames.take(frames)) return close(connection, 'too-many-frames')
    // Each chunk costs at least as much as a frame.
    const cost = chunk.length + Math.max(frames, 1) * limits.frameCostBytes
    if (!budget.traffic.take(cost)) return close(connection, 'network-traffic')
    if (meter.unfinished === 0) return
    const isNew = before === 0 || meter.unfinished !== before + chunk.length
    if (isNew) connection.unfinishedSince = clock()
    if (meter.unfinished > limits.unfinishedBytes) return close(connection, 'message-unfinished')
    if (unfinished > limits.unfinishedBytesPerNode) close(connection, 'relay-full')
  }

  function receive(connection: Connection, data: RawData, isBinary: boolean): void {
    const { readyState } = connection.socket
    // Ignore data after the frame that closed the connection, except what a client acknowledges to a node that stops.
    if (readyState !== WebSocket.OPEN && !isStopping) return
    const text = (data as Buffer).toString() // `ws` returns a Buffer by default.
    if (isBinary) return metrics.countDrops('binary')
    const frame = readFrame(text)
    if (frame === undefined) return metrics.countDrops('unreadable')
    if (frame === 'ignored') return
    if (frame.type === 'ack') return unacknowledged.acknowledge(connection, frame.topic)
    if (readyState !== WebSocket.OPEN) return
    if (frame.type === 'sub') return subscribe(connection, frame.topic)
    const { topic, silent } = frame
    exchange.publish({ topic, text, withWebhooks: !silent }, (published) => {
      handleResult(connection, topic, published)
      if (published.outcome === 'queued' && !silent) onUnread(topic)
    })
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
    connection.topics.set(topic, 0)
    connection.budget.topics += 1
    topics.set(topic, readers.add(connection))
    if (readers.size === 1) exchange.listen(topic)
  }

  /** Delivers no more messages; those already delivered may be acknowledged until the socket closes. */
  function leave(connection: Connection, topic: string): void {
    const readers = topics.get(topic)
    if (readers?.delete(connection) !== true) return
    connection.budget.topics -= 1
    if (readers.size > 0) return
    topics.delete(topic)
    exchange.leave(topic)
  }

  /** Queues what a reader that is gone has received but not acknowledged. */
  function requeue({ budget }: Connection, topic: string, lost: readonly Message[]): void {
    // Otherwise a client that publishes to itself could queue more than its network may.
    const affordable = lost.filter(({ text }) => budget.queued.take(queuedCost(text)))
    if (affordable.length < lost.length) {
      metrics.countDrops('network-queued', lost.length - affordable.length)
    }
    if (affordable.length === 0) return
    exchange.requeue(topic, affordable, ({ text }) => {
      const frame = readFrame(text)
      if (isStopping || typeof frame !== 'object' || frame.silent) return
      onUnread(topic)
    })
  }

  function handleResult(
    connection: Connection,
    topic: string,
    { outcome, webhooks: urls, cost }: PublishResult,
  ): void {
    metrics.countMessage(outcome)
    if (!(connection.silenceActive && outcome === 'delivered')) {
      for (const url of urls) webhooks.call(url, topic)
    }
    if (outcome === 'relay-full') return close(connection, outcome)
    if (outcome === 'queue-full') {
      // An attacker who fills a topic's queue must not close the connections of its legitimate users.
      const isItsOwn =
        connection.queuedMessages * 2 >= limits.queuedMessagesPerTopic ||
        connection.queuedBytes * 2 >= limits.queuedBytesPerTopic
      return isItsOwn ? close(connection, outcome) : metrics.countDrops(outcome)
    }
    if (outcome !== 'queued') return
    connection.queuedMessages += 1
    connection.queuedBytes += cost
    if (!connection.budget.queued.take(cost)) close(connection, 'network-queued')
  }

  function deliver(topic: string, message: Message): boolean {
    const receivers: Connection[] = []
    // All readers share this buffer, even if many are slow.
    let bytes: Buffer | undefined
    for (const reader of topics.get(topic) ?? []) {
      const { socket } = reader
      if (socket.readyState !== WebSocket.OPEN) {
        // It is closing and must not count as a reader.
        leave(reader, topic)
      } else if (socket.bufferedAmount > limits.unreadBytes) {
        metrics.countDrops('slow-reader')
        leave(reader, topic)
        // A close frame would only queue behind the unread data.
        socket.terminate()
      } else {
        bytes ??= Buffer.from(message.text)
        corkUntilNextTick(reader.wire)
        socket.send(bytes, { binary: false })
        receivers.push(reader)
      }
    }
    if (receivers.length === 0) return false
    unacknowledged.add(topic, message, receivers)
    return true
  }

  function ping(): void {
    const now = clock()
    for (const connection of groups[pingRounds % GROUPS] ?? []) {
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
    pingRounds += 1
    if (pingRounds % (GROUPS * SWEEP_EVERY_ROUNDS) === 0) {
      exchange.sweep()
      unacknowledged.sweep()
      networks.sweep()
    }
  }

  return {
    accept(upgrade) {
      const { request, socket, head, network } = upgrade
      let isAccepted = false
      // The library calls back at once, or responds itself to a handshake that is not valid.
      server.handleUpgrade(request, socket, head, (accepted) => {
        isAccepted = true
        open(accepted, upgrade)
      })
      if (!isAccepted && !socket.destroyed) onRefused({ request, network, reason: 'handshake' })
    },
    addWebhook: exchange.addWebhook,
    ready: exchange.ready,
    state: async () => ({
      connections: countConnections(),
      topics: topics.size,
      waitingTopics: await exchange.waiting(),
    }),
    async close() {
      isStopping = true
      clearInterval(pinging)
      const all = groups.flatMap((group) => [...group])
      const gone = all.map(({ socket }) => new Promise((resolve) => socket.once('close', resolve)))
      for (const connection of all) close(connection, 'stopping')
      await Promise.all(gone)
      webhooks.close()
      await exchange.close()
    },
  }
}

/**
 * Whether to skip webhooks while the peer is connected: in the path, or in the query for older clients (protocol 3.7).
 */
function isSilencedWhileActive(url: string): boolean {
  const [path = '', query = ''] = url.split('?', 2)
  return (
    /\/silenceActive\/?$/.test(path) || new URLSearchParams(query).get('silenceActive') === 'true'
  )
}

/**
 * The reader that a newcomer displaces: one of the network with the most readers. Otherwise an attacker who learned a
 * topic could take every place and lock out its users.
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

/** Combines the writes of one event loop turn, because a system call costs more than anything else here. */
function corkUntilNextTick(wire: Socket): void {
  if (wire.writableCorked > 0) return
  wire.cork()
  process.nextTick(uncork, wire)
}

function uncork(wire: Socket): void {
  wire.uncork()
}
