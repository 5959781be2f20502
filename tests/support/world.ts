/**
 * The world of a journey: a real server in this process on the run's database, a clock that tests control, a mailbox
 * and browsers:
 *
 * @example
 * await using world = await aWorld().withCustomer({ email, password })
 */
import { randomBytes, randomInt } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { ApiError } from '@portico/client/api-error'
import { type Config, parseConfig } from '@portico/server/config'
import { type Data, loadData } from '@portico/server/load-data'
import { openLog } from '@portico/server/log'
import type { MailTransport } from '@portico/server/mail-transport'
import { buildServer, type Server, type ServerParts } from '@portico/server/server'
import { inject } from 'vitest'
import { type Browser, type Credentials, openBrowser } from './browser.ts'
import { copyPrepared, PLAIN_APPLICATIONS, worldEnvironment } from './prepared-world.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { queryEmbedded, testDatabase } from './test-database.ts'

const REDIS_URL = process.env.PORTICO_TEST_REDIS_URL

/** Whether this run has Redis, so that several nodes can share a relay. */
export const ON_REDIS = REDIS_URL !== undefined

/** Strong passwords. */
export const PASSWORD = 'marble-kettle-58-outpost'
export const OTHER_PASSWORD = 'velvet-harbour-93-lantern'

/** A message in the mailbox. */
interface Message {
  readonly id: string
  readonly channel: string
  readonly to: string
  readonly from: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly sentAt: string
}

/** One of the servers that share a database. */
interface Node {
  readonly server: Server
  readonly url: string
}

interface World extends AsyncDisposable {
  /** The first node's URL. */
  readonly url: string
  /** The origin that browsers see. */
  readonly origin: string
  readonly server: Server
  readonly nodes: readonly Node[]
  /** For building another node on the same database. */
  readonly config: Config
  readonly parts: ServerParts
  /** Queries the database directly. */
  readonly query: (sql: string) => Promise<readonly Record<string, unknown>[]>
  readonly dataDir: string
  readonly clock: { readonly now: () => number; readonly pass: (ms: number) => void }
  /** Log lines, if the world has a log. */
  readonly log: readonly string[]
  /** A new browser, optionally with extra headers or another node. */
  readonly browser: (start?: {
    readonly headers?: Readonly<Record<string, string>>
    readonly node?: () => Node | undefined
  }) => Browser
  /** Mail to an address, newest first. */
  readonly mail: (to: string) => Promise<readonly Message[]>
  /** The newest passcode mailed to an address. */
  readonly passcode: (to: string) => Promise<string>
  readonly lock: (email: string) => Promise<void>
}

/** The builder of a world, which opens when it is awaited. */
interface Description extends Promise<World> {
  /** Adds a customer who registered a day ago. */
  readonly withCustomer: (who: Credentials) => Description
  /** Adds environment variables. */
  readonly withSettings: (environment: Readonly<Record<string, string>>) => Description
  /** Production mode: no demonstration, a public https URL, mail through `transport`. */
  readonly inProduction: (transport: MailTransport) => Description
  /** Collects log lines from this level up. */
  readonly withLog: (level: 'info' | 'trace') => Description
  /** Overrides limits of the relay. */
  readonly withRelayLimits: (limits: NonNullable<ServerParts['relayLimits']>) => Description
  /** Adds clients of the OpenID provider to the shipped ones, as their files would be parsed. */
  readonly withClients: (clients: Data['clients']) => Description
  /** Starts several servers on one database at once. */
  readonly withNodes: (count: number) => Description
  /** Sets the clock, and prepares the database before the first start. */
  readonly after: (at: number, prepare: (config: Config) => Promise<void>) => Description
}

interface Plan {
  environment: Record<string, string>
  readonly customers: Credentials[]
  transport: MailTransport | undefined
  production: boolean
  logLevel: string
  relayLimits: ServerParts['relayLimits']
  clients: Data['clients']
  nodes: number
  at: number
  prepare: ((config: Config) => Promise<void>) | undefined
}

/** Starts building a world. */
export function aWorld(): Description {
  const plan: Plan = {
    environment: {},
    customers: [],
    transport: undefined,
    production: false,
    logLevel: 'silent',
    relayLimits: undefined,
    clients: [],
    nodes: 1,
    at: Date.now(),
    prepare: undefined,
  }
  // The builder chain is synchronous, so the plan is complete when the first microtask runs.
  const opening = Promise.resolve().then(() => open(plan))
  const described = (change: () => void): Description => {
    change()
    return description
  }
  const description: Description = Object.assign(opening, {
    withCustomer: (who: Credentials) => described(() => plan.customers.push(who)),
    withSettings: (environment: Readonly<Record<string, string>>) =>
      described(() => Object.assign(plan.environment, environment)),
    inProduction: (transport: MailTransport) =>
      described(() => Object.assign(plan, { production: true, transport })),
    withLog: (level: 'info' | 'trace') => described(() => Object.assign(plan, { logLevel: level })),
    withRelayLimits: (limits: NonNullable<ServerParts['relayLimits']>) =>
      described(() => Object.assign(plan, { relayLimits: limits })),
    withClients: (clients: Data['clients']) => described(() => Object.assign(plan, { clients })),
    withNodes: (count: number) => described(() => Object.assign(plan, { nodes: count })),
    after: (at: number, prepare: (config: Config) => Promise<void>) =>
      described(() => Object.assign(plan, { at, prepare })),
  })
  return description
}

/** The error that a call is refused with; throws if the call succeeds. */
export async function refusal(
  call: Promise<unknown>,
): Promise<{ status: number; code: string | undefined; retryAfterS: number | undefined }> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ApiError)) throw new Error('The call was not refused', { cause: error })
  const { status, reason, retryAfterS } = error
  return { status, code: reason, retryAfterS }
}

/** Unique credentials. */
export function newPerson(name = 'person'): Credentials {
  return { email: `${name}.${randomBytes(4).toString('hex')}@people.example`, password: PASSWORD }
}

async function open(plan: Plan): Promise<World> {
  const folder = temporaryFolder()
  const prepared = isPrepared(plan) ? inject('preparedWorld') : undefined
  const database =
    prepared === undefined ? await testDatabase() : await copyPrepared(prepared, folder.path)
  // Each reading advances by a millisecond, so that successive events have distinct times.
  let now = plan.at
  const clock = () => ++now
  const log: string[] = []
  const config: Config = {
    ...parseConfig({
      ...worldEnvironment(folder.path, database),
      MASTER_KEY: prepared?.masterKey ?? randomBytes(32).toString('base64'),
      ...(REDIS_URL === undefined ? {} : { REDIS_URL: `${REDIS_URL}/${randomInt(1, 65_536)}` }),
      ...(plan.production ? { PUBLIC_URL: 'https://login.lender.example' } : {}),
      ...plan.environment,
    }),
    // parseConfig would require a database and a mail server for production, which these tests do not need.
    production: plan.production,
  }
  const parts: ServerParts = {
    log: openLog(plan.logLevel, (line) => log.push(line)),
    clock,
    applications: PLAIN_APPLICATIONS,
    ...(await defaultData(config, plan)),
    ...(plan.transport === undefined ? {} : { mailTransport: plan.transport }),
    ...(plan.relayLimits === undefined ? {} : { relayLimits: plan.relayLimits }),
  }
  await plan.prepare?.(config)
  const nodes = await Promise.all(Array.from({ length: plan.nodes }, () => start(config, parts)))
  const [first] = nodes
  if (first === undefined) throw new Error('A world needs a node')
  const origin = config.publicUrl ?? first.url

  async function mail(to: string): Promise<readonly Message[]> {
    const response = await fetch(`${first?.url}/dev/mailbox/messages?to=${encodeURIComponent(to)}`)
    return (await response.json()) as Message[]
  }
  async function passcode(to: string): Promise<string> {
    const codes = (await mail(to)).map(({ text }) => /^\d{6}$/m.exec(text)?.[0])
    const newest = codes.find((code) => code !== undefined)
    if (newest === undefined) throw new Error(`No passcode was mailed to ${to}`)
    return newest
  }
  const world: World = {
    url: first.url,
    origin,
    server: first.server,
    nodes,
    config,
    parts,
    query: database?.query ?? ((sql) => queryEmbedded(folder.path, sql)),
    dataDir: folder.path,
    clock: {
      now: () => now,
      pass: (ms) => {
        now += ms
      },
    },
    log,
    browser: ({ headers = {}, node } = {}) => {
      const at = () => node?.() ?? first
      return openBrowser({
        url: () => at().url,
        origin: () => config.publicUrl ?? at().url,
        passcode,
        headers,
      })
    },
    mail,
    passcode,
    async lock(email) {
      const identity = await first.server.stores.identities.findByEmail(email)
      if (identity === undefined) throw new Error(`No identity has the address ${email}`)
      await first.server.stores.identities.updateLocked(identity.id, clock())
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(nodes.map(({ server }) => server.close()))
      await database?.drop()
      folder.remove()
    },
  }
  for (const who of plan.customers) await world.browser().register(who)
  if (plan.customers.length > 0) world.clock.pass(24 * 60 * 60 * 1000)
  return world
}

/** Whether the plan can use the prepared database. */
const isPrepared = ({ production, prepare, environment }: Plan) =>
  !production &&
  prepare === undefined &&
  !['MASTER_KEY', 'CHAIN_URL'].some((name) => name in environment)

let loaded: Promise<Data> | undefined

/** The repository's brands and experiments, read once per file of tests. */
async function defaultData(
  config: Config,
  { environment, clients }: Pick<Plan, 'environment' | 'clients'>,
): Promise<Pick<ServerParts, 'data'>> {
  if (['CONFIG_DIR', 'SUPPORT_PHONE'].some((name) => name in environment)) return {}
  loaded ??= loadData(config)
  const data = await loaded
  return { data: { ...data, clients: [...data.clients, ...clients] } }
}

async function start(config: Config, parts: ServerParts): Promise<Node> {
  const server = await buildServer(config, parts)
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.app.server.address() as AddressInfo // A listening TCP server has this type.
  return { server, url: `http://127.0.0.1:${port}` }
}
