import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startRedis } from '../tools/machine/redis.ts'
import { SERVER_FLAGS } from '../tools/setup/server-flags.mjs'
import { child } from './child.ts'
import { type Figure, figure, latencyFigure, perSecond, short } from './figure.ts'
import { measureAlternately, median } from './pairs.ts'
import { openIdle, putRelayLoad, type RelayLoad } from './relay-load.ts'
import type { Served } from './sites.ts'
import type { Spread } from './spread.ts'
import { megabytes, memoryOf, runMain } from './start-figures.ts'

const WARM_UP_MS = 1000
const FOR_MS = 3000
const PACED_SHARE = 0.5
const IDLE_CONNECTIONS = 10_000
/** After two rounds of pings. */
const IDLE_MS = 22_000
const IDLE_BUDGET_MB = 250

/** One page and wallet with many messages in flight, and a thousand pages and wallets with one each. */
const SHAPES = [
  { name: '1 to 1', pairs: 1, inFlight: 64 },
  { name: '1,000 pairs', pairs: 1000, inFlight: 1 },
] as const

type Ports = RelayLoad['ports']

/** The relay on one node, and on two through Redis, against a bare echo with the same websocket library. */
export async function relayFigures(rounds: number): Promise<Figure[]> {
  return [
    ...(await onOneNode(rounds)),
    ...(await onTwoNodes(rounds)),
    ...(await idleFigures(Math.min(rounds, 3))),
  ]
}

async function onOneNode(rounds: number): Promise<Figure[]> {
  await using folders = temporaryFolders()
  await using node = await aNode(folders.next(), {})
  await using echo = await served('echo-process.ts', {})
  return await compared({ on: 'one node', rounds, nodes: [node], echo, budget: 0.6 })
}

async function onTwoNodes(rounds: number): Promise<Figure[]> {
  const redis = await startRedis()
  try {
    await using folders = temporaryFolders()
    const environment = { REDIS_URL: redis.url }
    await using one = await aNode(folders.next(), environment)
    await using two = await aNode(folders.next(), environment)
    await using echo = await served('echo-process.ts', {})
    return await compared({ on: 'two nodes and Redis', rounds, nodes: [one, two], echo })
  } finally {
    await redis.stop()
  }
}

async function compared(parts: {
  readonly on: string
  readonly rounds: number
  readonly nodes: readonly Served[]
  readonly echo: Served
  readonly budget?: number
}): Promise<Figure[]> {
  const { on, rounds, nodes, echo, budget } = parts
  const [first, last = first] = nodes
  if (first === undefined || last === undefined) throw new Error('A relay needs a node')
  const ports = {
    ours: [first.port, last.port] as Ports,
    bare: [echo.port, echo.port] as Ports,
  }
  const figures: Figure[] = []
  for (const { name, pairs, inFlight } of SHAPES) {
    const load = { pairs, inFlight, warmUpMs: WARM_UP_MS, forMs: FOR_MS }
    const work = { ours: [] as number[], bare: [] as number[] }
    const most = await measureAlternately(rounds, {
      bare: () => worked([echo], { ...load, ports: ports.bare, echo: true }, work.bare),
      ours: () => worked(nodes, { ...load, ports: ports.ours, echo: false }, work.ours),
    })
    figures.push(
      figure({
        figure: `Relayed messages, ${name}; a bare echo`,
        on,
        ours: most.ours,
        baseline: most.bare,
        write: perSecond,
        ...(budget === undefined
          ? {}
          : { budget: { text: `at least ${budget}`, isMet: ({ ratio }) => ratio >= budget } }),
      }),
      figure({
        figure: `Processor time of a relayed message, ${name}; of an echoed one`,
        on,
        ours: work.ours,
        baseline: work.bare,
        write: (us) => `${short(us)} µs`,
      }),
    )
    // Both at the same rate: different rates would compare loads instead of relays.
    const pace = median(most.ours) * PACED_SHARE
    const paced = { ...load, perSecond: pace }
    const spreads = { ours: [] as Spread[], bare: [] as Spread[] }
    for (let round = 0; round < rounds; round += 1) {
      const bare = await putRelayLoad({ ...paced, ports: ports.bare, echo: true })
      const ours = await putRelayLoad({ ...paced, ports: ports.ours, echo: false })
      spreads.bare.push(bare.latency)
      spreads.ours.push(ours.latency)
    }
    figures.push(
      latencyFigure({
        figure: `Time of a relayed message at half of that, ${name}, p50 / p95 / p99; of an echoed one at the same rate`,
        on,
        ours: spreads.ours,
        baseline: spreads.bare,
      }),
    )
  }
  return figures
}

/** Puts load on servers and returns the processor time per message. */
async function worked(
  servers: readonly Served[],
  load: RelayLoad,
  times: number[],
): Promise<number> {
  const used = async () =>
    (await Promise.all(servers.map((server) => server.processorMs()))).reduce((a, b) => a + b, 0)
  let before = 0
  const outcome = await putRelayLoad(load, async () => {
    before = await used()
  })
  times.push((((await used()) - before) * 1000) / outcome.messages)
  return outcome.perSecond
}

async function idleFigures(rounds: number): Promise<Figure[]> {
  const withConnections = async (
    { port, pid }: { readonly port: number; readonly pid: number },
    subscribed: boolean,
  ) => {
    await using _connections = await openIdle(port, IDLE_CONNECTIONS, subscribed)
    await wait(IDLE_MS)
    return memoryOf(pid)
  }
  await using folders = temporaryFolders()
  const { ours, bare } = await measureAlternately(rounds, {
    bare: async () => {
      await using echo = await served('echo-process.ts', {})
      return await withConnections(echo, false)
    },
    // As run in production: the sources would need more memory.
    ours: async () => {
      await using running = await runMain(environmentOf(folders.next()))
      const port = Number(new URL(running.url).port)
      return await withConnections({ port, pid: running.pid }, true)
    },
  })
  return [
    figure({
      figure: `Memory with ${IDLE_CONNECTIONS.toLocaleString('en')} idle, subscribed connections; a bare echo with as many`,
      on: 'one node',
      ours,
      baseline: bare,
      write: megabytes,
      budget: { text: `under ${IDLE_BUDGET_MB} MB`, isMet: (pair) => pair.ours < IDLE_BUDGET_MB },
    }),
  ]
}

async function aNode(
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<Served> {
  return served('product-process.ts', {
    ...environmentOf(folder),
    PORTICO_TEST_RELAY_UNLIMITED: '1',
    ...environment,
  })
}

const environmentOf = (folder: string) => ({
  DATA_DIR: folder,
  PORT: '0',
  BOT_CHECK: 'off',
  TRUSTED_PROXIES: '127.0.0.1',
  MASTER_KEY: randomBytes(32).toString('base64'),
})

async function served(
  file: string,
  environment: Readonly<Record<string, string>>,
): Promise<Served> {
  const server = child(file, { environment, node: SERVER_FLAGS })
  const { port } = await server.receive<{ port: number }>()
  return {
    port,
    pid: server.pid,
    async processorMs() {
      const { user, system } = await server.ask<NodeJS.CpuUsage>({})
      return (user + system) / 1000
    },
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  }
}

function temporaryFolders() {
  const made: string[] = []
  return {
    next(): string {
      const folder = mkdtempSync(path.join(tmpdir(), 'portico-bench-'))
      made.push(folder)
      return folder
    },
    async [Symbol.asyncDispose]() {
      for (const folder of made) rmSync(folder, { recursive: true, force: true })
    },
  }
}
