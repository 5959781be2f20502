import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { DatabaseSync } from 'node:sqlite'
import {
  beginTelemetrySession,
  type EventPayload,
  type SessionKey,
  sendTelemetryEvent,
} from '@portico/contracts/telemetry'
import pg from 'pg'
import { type Figure, figure, perSecond } from './figure.ts'
import { anotherNetwork, putLoad, wireRequest } from './load.ts'
import { measureAlternately } from './pairs.ts'

import type { Engine } from './seeds.ts'
import { aSite, type Product, type Site } from './sites.ts'

/** The numbers of visits and networks of the events. */
const VISITS = 1000
const CONNECTIONS = 64
const WARM_UP_MS = 500
const FOR_MS = 3000
/** Rows per commit of the bare insert, as in the product under load. */
const ROWS = 64

const COLUMNS =
  'id, session_uuid, organization_code, event, event_type, domain, page_path, query_params, event_properties, created_at'
const WIDTH = COLUMNS.split(', ').length

/** Acknowledged events per second, against rows inserted into the same table with only the driver. */
export async function telemetryFigures(engine: Engine, rounds: number): Promise<Figure[]> {
  await using site = await aSite(engine, 1)
  await using bareSite = await aSite(engine, 1)
  await using product = await site.serve()
  const requests = events(product.port, await visits(product))
  const bare = await openBare(bareSite)
  try {
    const { one, many, ours } = await measureAlternately(rounds, {
      one: () => bare.insert(1),
      many: () => bare.insert(ROWS),
      ours: () => stored(product, requests),
    })
    const against = { on: engine, ours, write: perSecond }
    return [
      figure({
        ...against,
        figure: 'Telemetry events stored; bare inserts, one per commit',
        baseline: one,
      }),
      figure({
        ...against,
        figure: `Telemetry events stored; bare inserts, ${ROWS} per commit`,
        baseline: many,
      }),
    ]
  } finally {
    await bare.close()
  }
}

async function visits({ port }: Product): Promise<SessionKey[]> {
  const body = {
    platform: 'WEB',
    libVersion: '2.2.24',
    referrer: '',
    queryParams: {},
    screenWidth: 1440,
    screenHeight: 900,
    windowWidth: 1440,
    windowHeight: 800,
    appVersion: '0.1.0',
  }
  const requests = Array.from({ length: VISITS }, () =>
    wireRequest({
      method: 'POST',
      path: beginTelemetrySession.external.path,
      port,
      headers: { origin: `http://127.0.0.1:${port}`, ...anotherNetwork() },
      body,
    }),
  )
  const { answers } = await putLoad({ port, requests, connections: CONNECTIONS, keep: true })
  return answers.map((answer) => (JSON.parse(answer.body) as { sessionKey: SessionKey }).sessionKey)
}

const events = (port: number, keys: readonly SessionKey[]): string[] =>
  keys.map((sessionKey) => {
    const body: EventPayload = {
      domain: 'login.lender.example',
      queryParams: { flow: 'new-user' },
      pagePath: '/auth/login',
      event: 'page_view',
      eventType: 'PAGE_VIEW',
      eventProperties: { method: 'password' },
      dontDedupe: true,
      sessionKey,
    }
    return wireRequest({
      method: 'POST',
      path: sendTelemetryEvent.external.path,
      port,
      headers: {
        origin: `http://127.0.0.1:${port}`,
        cookie: `portico-tracker=${sessionKey.trackerUuid}`,
        ...anotherNetwork(),
      },
      body,
    })
  })

/** Sends events at full speed; a missing acknowledged event is a defect. */
async function stored(product: Product, requests: readonly string[]): Promise<number> {
  const before = await storedSoFar(product)
  const { counted, sent, seconds } = await putLoad({
    port: product.port,
    requests,
    connections: CONNECTIONS,
    warmUpMs: WARM_UP_MS,
    forMs: FOR_MS,
  })
  const there = (await storedSoFar(product)) - before
  if (there < counted) throw new Error(`Of ${sent} events ${there} are stored`)
  return counted / seconds
}

async function storedSoFar({ port }: Product): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return Number(/portico_telemetry_events_total\{outcome="stored"\} (\d+)/.exec(metrics)?.[1] ?? 0)
}

type Bare = {
  /** Inserts the given number of rows per commit for a while; returns rows per second. */
  readonly insert: (rows: number) => Promise<number>
  readonly close: () => Promise<void>
}

/** The same table in another installation, written with only its driver, each commit synced. */
async function openBare({ engine, environment }: Site): Promise<Bare> {
  const { DATA_DIR = '', DATABASE_URL } = environment
  if (engine === 'embedded') {
    const database = new DatabaseSync(path.join(DATA_DIR, 'portico.sqlite'))
    database.exec('pragma journal_mode = wal; pragma synchronous = full')
    return {
      async insert(rows) {
        const statement = database.prepare(insertion(rows, () => '?'))
        return rowsPerSecond(rows, () => void statement.run(...values(rows)))
      },
      close: async () => database.close(),
    }
  }
  const client = new pg.Client({ connectionString: DATABASE_URL })
  await client.connect()
  return {
    insert(rows) {
      const text = insertion(rows, (at) => `$${at}`)
      return rowsPerSecond(rows, () =>
        client.query({ name: `insert ${rows}`, text, values: values(rows) }),
      )
    },
    close: () => client.end(),
  }
}

function insertion(rows: number, placeholder: (at: number) => string): string {
  const row = (index: number) =>
    `(${Array.from({ length: WIDTH }, (_, column) => placeholder(index * WIDTH + column + 1)).join(', ')})`
  return `insert into telemetry_events (${COLUMNS}) values ${Array.from({ length: rows }, (_, index) => row(index)).join(', ')}`
}

const values = (rows: number): (string | number)[] =>
  Array.from({ length: rows }, () => [
    randomUUID(),
    randomUUID(),
    'FIGURE',
    'page_view',
    'PAGE_VIEW',
    '127.0.0.1',
    '/auth/login',
    '{"flow":"new-user"}',
    '{"method":"password"}',
    Date.now(),
  ]).flat()

async function rowsPerSecond(rows: number, insert: () => unknown): Promise<number> {
  const begin = performance.now()
  let count = 0
  while (performance.now() - begin < FOR_MS) {
    await insert()
    count += rows
  }
  return (count * 1000) / (performance.now() - begin)
}
