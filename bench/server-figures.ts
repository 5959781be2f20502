import { availableParallelism } from 'node:os'
import { performance } from 'node:perf_hooks'
import { measureArgon2 } from './argon2.ts'
import { type Figure, figure, latencyFigure, perSecond, short } from './figure.ts'
import { type Load, type LoadOutcome, putLoad } from './load.ts'
import { measureAlternately, median } from './pairs.ts'
import {
  emptyRequests,
  healthRequests,
  mailboxReads,
  reads,
  redemptions,
  renewedToken,
  type SignedIn,
  sends,
  signedIn,
  signIns,
} from './requests.ts'
import type { Engine } from './seeds.ts'
import { aSite, emptyServer, type Product, type Served, type Site } from './sites.ts'
import type { Spread } from './spread.ts'

const IDENTITIES = 10_000
const HASHING_MS = 5000
const READING_MS = 3000
/** Warm-up of connections before each measurement. */
const WARM_UP_MS = 500
/**
 * Warm-up of both sides before a pair is measured, under the same load: a process interprets its
 * code at first and compiles hot code later, so its first seconds are not representative.
 */
const SETTLING_MS = 8000
const PACED_MS = 5000
const LOAD_SHARE = 0.8
const READERS = 400
/** Reading connections, enough to keep one thread busy. */
const CONNECTIONS = 32
/** Concurrent sign-ins, enough to keep every core hashing. */
const CONCURRENCY = Math.max(8, availableParallelism() * 2)
const PASSCODES = 600
/** Prepared sign-ins per load; a faster machine repeats them. */
const SIGN_INS = 700
/** Past the middle of a token's life, well before its end. */
const SECOND_HALF_MS = 13 * 60 * 1000
const NETWORKS = 4000

/** The product and a bare server. */
type Bench = {
  readonly site: Site
  readonly product: Product
  readonly empty: Served
  readonly rounds: number
  /** Reserves a number of new people and returns the first. */
  readonly people: (count: number) => number
}

const SERVER_FIGURES = {
  'sign-in': signInFigures,
  passcode: passcodeFigures,
  read: readFigures,
  latency: latencyFigures,
} as const

/** Measures figures of the server on one database. */
export async function serverFigures(
  engine: Engine,
  name: keyof typeof SERVER_FIGURES,
  rounds: number,
): Promise<Figure[]> {
  await using site = await aSite(engine, IDENTITIES)
  await using product = await site.serve()
  await using empty = await emptyServer()
  return await SERVER_FIGURES[name]({ site, product, empty, rounds, people: reservations() })
}

function reservations(): Bench['people'] {
  let taken = 0
  return (count) => {
    if (taken + count > IDENTITIES) taken = 0
    taken += count
    return taken - count
  }
}

async function signInFigures({ site, product, rounds, people }: Bench): Promise<Figure[]> {
  const work = { ours: [] as number[], bare: [] as number[] }
  const hashing = {
    hash: site.passwordHash,
    password: site.password,
    concurrency: CONCURRENCY,
    // The hashing process is new each time, so it is warmed up each time.
    settlingMs: SETTLING_MS,
    forMs: HASHING_MS,
  }
  const signingIn = () => ({
    port: product.port,
    requests: signIns(product.port, site, people(SIGN_INS), SIGN_INS),
    connections: CONCURRENCY,
    warmUpMs: WARM_UP_MS,
    forMs: HASHING_MS,
  })
  await putLoad({ ...signingIn(), forMs: SETTLING_MS })
  const { ours, bare } = await measureAlternately(rounds, {
    bare: async () => {
      const hashed = await measureArgon2(hashing)
      work.bare.push(hashed.processorMs)
      return hashed.perSecond
    },
    ours: async () => {
      const { outcome, processorMs } = await workOf(product, signingIn())
      work.ours.push(processorMs)
      return rate(outcome)
    },
  })
  return [
    figure({
      figure: 'Password sign-in, all cores busy; bare argon2id at the same setting',
      on: site.engine,
      ours,
      baseline: bare,
      write: perSecond,
      budget: { text: 'at least 0.85', isMet: ({ ratio }) => ratio >= 0.85 },
    }),
    figure({
      figure: 'Processor time of a password sign-in; of one argon2id',
      on: site.engine,
      ours: work.ours,
      baseline: work.bare,
      write: (ms) => `${short(ms)} ms`,
    }),
  ]
}

async function passcodeFigures(bench: Bench): Promise<Figure[]> {
  const { site, product, empty, rounds, people } = bench
  const [alike = ''] = sends(product.port, 0, 1)
  const bareRequests = emptyRequests(empty.port, alike)
  await settle(empty.port, bareRequests, site)
  const until = performance.now() + SETTLING_MS
  while (performance.now() < until) {
    await passcodeSignIns(product.port, people(PASSCODES), PASSCODES)
  }
  const { ours, bare } = await measureAlternately(rounds, {
    // A sign-in by passcode is two requests.
    bare: async () => (await atFullSpeed(empty.port, bareRequests, site)) / 2,
    ours: () => passcodeSignIns(product.port, people(PASSCODES), PASSCODES),
  })
  return [
    figure({
      figure: 'Sign-in by one-time code (send and redeem); two requests to an empty route',
      on: site.engine,
      ours,
      baseline: bare,
      write: perSecond,
    }),
  ]
}

/** Sends codes to people, reads them from the mailbox (untimed) and redeems them. */
export async function passcodeSignIns(port: number, from: number, count: number): Promise<number> {
  const options = { port, connections: CONNECTIONS, keep: true }
  const sent = await putLoad({ ...options, requests: sends(port, from, count) })
  const mailed = await putLoad({ ...options, requests: mailboxReads(port, from, count) })
  const codes = sent.answers.map(({ body }, index) => ({
    loginUuid: (JSON.parse(body) as { uuid: string }).uuid,
    token: newestCode(mailed.answers[index]?.body ?? '[]'),
  }))
  const redeemed = await putLoad({ ...options, requests: redemptions(port, codes) })
  return count / (sent.seconds + redeemed.seconds)
}

function newestCode(body: string): string {
  const messages = JSON.parse(body) as { text: string }[]
  const code = messages.map(({ text }) => /^\d{6}$/m.exec(text)?.[0]).find(Boolean)
  if (code === undefined) throw new Error('No passcode was mailed')
  return code
}

async function readFigures(bench: Bench): Promise<Figure[]> {
  const { site, product, empty, rounds, people } = bench
  const { port } = product
  const early = await signedIn(port, site, people(READERS), READERS)
  await product.pass(SECOND_HALF_MS)
  const late = await signedIn(port, site, people(READERS), READERS)
  const [alike = ''] = reads(port, late, 1)
  const work = { ours: [] as number[], bare: [] as number[] }
  const worked = async (server: Served, requests: readonly string[], times: number[]) => {
    const { outcome, processorMs } = await workOf(server, readingLoad(server.port, requests, site))
    times.push(processorMs * 1000)
    return rate(outcome)
  }
  const bareRequests = emptyRequests(empty.port, alike)
  await settle(empty.port, bareRequests, site)
  await settle(port, reads(port, late, NETWORKS), site)
  const { bare, health, read, first, renewal } = await measureAlternately(rounds, {
    bare: () => worked(empty, bareRequests, work.bare),
    read: () => worked(product, reads(port, late, NETWORKS), work.ours),
    health: () => atFullSpeed(port, healthRequests(reads(port, late, NETWORKS)), site),
    first: () => readNewTokens(port, early),
    renewal: () => atFullSpeed(port, reads(port, early, NETWORKS), site),
  })
  const against = { on: site.engine, baseline: bare, write: perSecond }
  return [
    figure({
      ...against,
      figure: 'Authenticated identity read; an empty route',
      ours: read,
      budget: { text: 'at least 0.4', isMet: ({ ratio }) => ratio >= 0.4 },
    }),
    figure({
      figure: 'Processor time of an identity read; of an empty route',
      on: site.engine,
      ours: work.ours,
      baseline: work.bare,
      write: (us) => `${short(us)} µs`,
    }),
    figure({
      ...against,
      figure: 'Response without work (health); an empty route',
      ours: health,
    }),
    figure({
      ...against,
      figure: 'Identity read with an uncached token; an empty route',
      ours: first,
    }),
    figure({
      ...against,
      figure: 'Token renewal (with an identity read); an empty route',
      ours: renewal,
    }),
  ]
}

/** Reads once with each of many new tokens, obtained by renewals. */
async function readNewTokens(port: number, people: readonly SignedIn[]): Promise<number> {
  const options = { port, connections: CONNECTIONS }
  const renewed = await putLoad({ ...options, requests: reads(port, people, NETWORKS), keep: true })
  const fresh = renewed.answers.map((answer, index) => ({
    jwt: renewedToken(answer),
    cookie: people[index % people.length]?.cookie ?? '',
  }))
  return rate(await putLoad({ ...options, requests: reads(port, fresh, NETWORKS) }))
}

async function latencyFigures(bench: Bench): Promise<Figure[]> {
  return [await signInLatency(bench), await readLatency(bench)]
}

async function signInLatency({ site, product, rounds, people }: Bench): Promise<Figure> {
  const task = {
    hash: site.passwordHash,
    password: site.password,
    concurrency: CONCURRENCY,
    forMs: HASHING_MS,
  }
  const requests = () => signIns(product.port, site, people(SIGN_INS), SIGN_INS)
  const load = { port: product.port, warmUpMs: WARM_UP_MS, forMs: PACED_MS }
  await putLoad({
    ...load,
    connections: CONCURRENCY,
    requests: requests(),
    forMs: SETTLING_MS,
  })
  const most = await measureAlternately(2, {
    bare: async () => (await measureArgon2(task)).perSecond,
    ours: async () =>
      rate(await putLoad({ ...load, connections: CONCURRENCY, requests: requests() })),
  })
  return compareLatency(
    `Time of a password sign-in at ${LOAD_SHARE * 100} % load, p50 / p95 / p99; bare argon2id at ${LOAD_SHARE * 100} %`,
    site,
    rounds,
    {
      bare: async () =>
        (await measureArgon2({ ...task, perSecond: median(most.bare) * LOAD_SHARE })).latency,
      ours: async () =>
        (
          await putLoad({
            ...load,
            connections: 64,
            requests: requests(),
            perSecond: median(most.ours) * LOAD_SHARE,
          })
        ).latency,
    },
  )
}

async function readLatency({ site, product, empty, rounds, people }: Bench): Promise<Figure> {
  const { port } = product
  const requests = reads(port, await signedIn(port, site, people(READERS), READERS), NETWORKS)
  const [alike = ''] = requests
  const bareRequests = emptyRequests(empty.port, alike)
  await settle(empty.port, bareRequests, site)
  await settle(port, requests, site)
  const most = await measureAlternately(2, {
    bare: () => atFullSpeed(empty.port, bareRequests, site),
    ours: () => atFullSpeed(port, requests, site),
  })
  const load = { connections: 64, warmUpMs: WARM_UP_MS, forMs: PACED_MS }
  return compareLatency(
    `Time of an identity read at ${LOAD_SHARE * 100} % load, p50 / p95 / p99; an empty route at ${LOAD_SHARE * 100} %`,
    site,
    rounds,
    {
      bare: async () =>
        (
          await putLoad({
            ...load,
            port: empty.port,
            requests: bareRequests,
            perSecond: median(most.bare) * LOAD_SHARE,
          })
        ).latency,
      ours: async () =>
        (await putLoad({ ...load, port, requests, perSecond: median(most.ours) * LOAD_SHARE }))
          .latency,
    },
  )
}

async function compareLatency(
  title: string,
  site: Site,
  rounds: number,
  measures: Readonly<Record<'bare' | 'ours', () => Promise<Spread>>>,
): Promise<Figure> {
  const spreads = { bare: [] as Spread[], ours: [] as Spread[] }
  await measureAlternately(rounds, {
    bare: async () => spreads.bare.push(await measures.bare()),
    ours: async () => spreads.ours.push(await measures.ours()),
  })
  return latencyFigure({
    figure: title,
    on: site.engine,
    ours: spreads.ours,
    baseline: spreads.bare,
  })
}

/** Warms up a server under load. */
export async function settle(
  port: number,
  requests: readonly string[],
  site: Pick<Site, 'engine'>,
): Promise<void> {
  await putLoad({ ...readingLoad(port, requests, site), forMs: SETTLING_MS })
}

/** Requests per second when every connection sends the next request after each response. */
export async function atFullSpeed(
  port: number,
  requests: readonly string[],
  site: Pick<Site, 'engine'>,
): Promise<number> {
  return rate(await putLoad(readingLoad(port, requests, site)))
}

function readingLoad(
  port: number,
  requests: readonly string[],
  { engine }: Pick<Site, 'engine'>,
): Load {
  return {
    port,
    requests,
    connections: CONNECTIONS,
    warmUpMs: WARM_UP_MS,
    forMs: READING_MS,
    awake: engine === 'embedded',
  }
}

/** Puts load on a server and returns the processor time per response. */
async function workOf(server: Served, load: Load) {
  const before = await server.processorMs()
  const outcome = await putLoad(load)
  const responses = Object.values(outcome.statuses).reduce((sum, count) => sum + count, 0)
  return { outcome, processorMs: ((await server.processorMs()) - before) / responses }
}

const rate = ({ counted, seconds }: LoadOutcome) => counted / seconds
