import { hash } from 'node:crypto'
import { searchAudit } from '@portico/contracts/admin/audit'
import {
  COUNTED_KINDS,
  DEVICES,
  FUNNELS,
  readFunnel,
  readSeries,
  SERIES,
} from '@portico/contracts/admin/insight'
import { findPeople, readPerson } from '@portico/contracts/admin/people'
import { PERMISSIONS } from '@portico/contracts/admin/permissions'
import { DAY_MS } from '@portico/contracts/limits'
import { FUNNEL_STEPS, stepMetric } from '@portico/rules/funnels'
import { type Figure, latencyFigure } from './figure.ts'
import { anotherNetwork, putLoad, wireRequest } from './load.ts'
import { type Engine, emailOf, rowsOf, UUIDS } from './seeds.ts'
import { aSite, type Product } from './sites.ts'
import type { Spread } from './spread.ts'

const HOUR_MS = 60 * 60 * 1000

interface Size {
  readonly people: number
  /** Of the audit log. */
  readonly lines: number
  /** Of telemetry. */
  readonly events: number
  /** Days of counts. */
  readonly days: number
}

const LARGE: Size = { people: 1_000_000, lines: 10_000_000, events: 10_000_000, days: 400 }
const SMALL: Size = { people: 1000, lines: 10_000, events: 10_000, days: 30 }
const HOURS_KEPT_DAYS = 40

const ORGANIZATIONS = 20
const OPERATORS = 20
const NETWORKS = 50_000
/** The 95th percentile that every list, search and page must stay below. */
const BUDGET_MS = 150
const REQUESTS = 200

const ALL_TOKEN = 'ptk_bench-of-all-organizations-0000000000000'
const SOME_TOKEN = 'ptk_bench-of-some-organizations-000000000000'
const codeOf = (number: number) => `LENDER_${number}`

/** Operators' reads with very many people, audit entries and events, against the same with few. */
export async function adminFigures(engine: Engine, rounds: number): Promise<Figure[]> {
  const few = await measure(engine, SMALL, rounds)
  const many = await measure(engine, LARGE, rounds)
  return [...many].map(([name, ours]) =>
    latencyFigure({
      figure: `Admin API, p50 / p95 / p99: ${name}; of ${inWords(SMALL)}`,
      on: engine,
      ours,
      baseline: few.get(name) ?? [],
      budget: {
        text: `p95 under ${BUDGET_MS} ms`,
        isMet: ({ p95 }) => p95 < BUDGET_MS,
      },
    }),
  )
}

const inWords = ({ people, lines }: Size) =>
  `${people.toLocaleString('en')} people and ${lines.toLocaleString('en')} audit lines`

async function measure(
  engine: Engine,
  size: Size,
  rounds: number,
): Promise<ReadonlyMap<string, readonly Spread[]>> {
  await using site = await aSite(engine, size.people)
  const now = Date.now()
  await site.execute(seeds(engine, size, now))
  const ids = await site.query<{ id: string }>(
    `select id from bench_people where n % ${Math.max(1, Math.floor(size.people / REQUESTS))} = 0 limit ${REQUESTS}`,
  )
  await using product = await site.serve()
  const spreads = new Map<string, Spread[]>()
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, requests] of Object.entries(
      readings(product, { ids: ids.map(({ id }) => id), now, size }),
    )) {
      const { latency } = await putLoad({ port: product.port, requests, connections: 1 })
      // The first round only warms up.
      if (round > 0) spreads.set(name, [...(spreads.get(name) ?? []), latency])
    }
  }
  return spreads
}

/** Requests of each kind, spread over the lists. */
function readings(
  { port }: Product,
  {
    ids,
    now,
    size,
  }: { readonly ids: readonly string[]; readonly now: number; readonly size: Size },
): Readonly<Record<string, readonly string[]>> {
  const get = (
    call: { readonly path: string },
    query: Readonly<Record<string, string>>,
    token = ALL_TOKEN,
  ) =>
    wireRequest({
      path: `${call.path}?${new URLSearchParams(query)}`,
      port,
      headers: { authorization: `Bearer ${token}`, ...anotherNetwork() },
    })
  const each = (make: (index: number) => string) =>
    Array.from({ length: REQUESTS }, (_, index) => make(index))
  const id = (index: number) => ids[index % ids.length] ?? ''
  const anywhere = (index: number) =>
    `${now - Math.floor((index / REQUESTS) * 90 * DAY_MS)}.${id(index)}`
  const person = (index: number) => Math.floor((index / REQUESTS) * size.people)
  const kind = (index: number) => KINDS[index % KINDS.length] ?? ''
  const organization = (index: number) => codeOf(index % ORGANIZATIONS)
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
  const range = (days: number) => ({ from: dayOf(now - (days - 1) * DAY_MS), to: dayOf(now) })
  return {
    'a page of people': each((index) => get(findPeople, { after: anywhere(index) })),
    'a page of people of three organizations': each((index) =>
      get(findPeople, { after: anywhere(index) }, SOME_TOKEN),
    ),
    'people by e-mail address': each((index) =>
      get(findPeople, { search: emailOf(person(index)) }),
    ),
    'people by wallet': each((index) =>
      get(findPeople, { search: `tp1bench${String(person(index)).padStart(12, '0')}` }),
    ),
    'people by phone': each((index) =>
      get(findPeople, { search: `+1555${String(person(index)).padStart(7, '0')}` }),
    ),
    'one person': each((index) => get(readPerson, { identityUuid: id(index) })),
    'a page of the audit log': each((index) => get(searchAudit, { after: anywhere(index) })),
    'audit lines of three organizations': each((index) =>
      get(searchAudit, { after: anywhere(index) }, SOME_TOKEN),
    ),
    'audit lines of a kind and an organization': each((index) =>
      get(searchAudit, {
        kind: kind(index),
        organizationCode: organization(index),
        after: anywhere(index),
      }),
    ),
    'audit lines of a person': each((index) => get(searchAudit, { identityUuid: id(index) })),
    'audit lines of an operator and a kind': each((index) =>
      get(searchAudit, { operatorId: `operator-${index % OPERATORS}`, kind: kind(index) }),
    ),
    'audit lines of a network and a kind': each((index) =>
      get(searchAudit, { network: networkOf(index), kind: kind(index) }),
    ),
    'audit lines that no one wrote': each((index) =>
      get(searchAudit, { kind: 'no-such-kind', organizationCode: organization(index) }),
    ),
    'a funnel of 30 days': each((index) =>
      get(readFunnel, { funnel: FUNNELS[index % FUNNELS.length] ?? '', ...range(30) }),
    ),
    'a funnel of 400 days': each((index) =>
      get(readFunnel, { funnel: FUNNELS[index % FUNNELS.length] ?? '', ...range(400) }),
    ),
    'a series of 30 days by organization': each((index) =>
      get(readSeries, {
        metric: SERIES[index % SERIES.length] ?? '',
        by: 'organization',
        ...range(30),
      }),
    ),
    'a series of three days by hour': each((index) =>
      get(readSeries, { metric: SERIES[index % SERIES.length] ?? '', by: 'device', ...range(3) }),
    ),
  }
}

const KINDS = [
  'signed-in',
  'signed-in',
  'signed-in',
  'sign-in-refused',
  'registered',
  'password-set',
  'wallet-attached',
  'new-device',
] as const
const networkOf = (number: number) => `10.1.${number >> 8}.${number & 255}`

const METRICS = [
  ...SERIES.filter((metric) => !(COUNTED_KINDS as readonly string[]).includes(metric)),
  ...FUNNELS.flatMap((funnel) =>
    FUNNEL_STEPS[funnel].steps.map((_, step) => stepMetric(funnel, step)),
  ),
  ...FUNNELS.flatMap((funnel) =>
    ['network-error', 'wrong-password', 'other'].map((reason) => `problem.${funnel}.${reason}`),
  ),
]

/** A statement that adds a service token with all permissions for these organizations. */
export const insertServiceToken = (token: string, codes: readonly string[], now: number): string =>
  `insert into service_tokens (id, name, token_hash, permissions, organization_codes, created_by, created_at, expires_at)
    values ('${token}', 'bench', '${hash('sha256', token, 'base64url')}', '${JSON.stringify(PERMISSIONS)}', '${JSON.stringify(codes)}', 'bench', ${now}, ${now + DAY_MS})`

/** Statements that give the people organizations, wallets, phones, mail and telemetry, and fill the audit log. */
function seeds(engine: Engine, { people, lines, events, days }: Size, now: number): string[] {
  const uuid = UUIDS[engine]
  const embedded = engine === 'embedded'
  const random = (below: number) =>
    embedded ? `abs(random() % ${below})` : `floor(random() * ${below})::bigint`
  const oneOf = (values: readonly string[], number: string) =>
    `case (${number}) % ${values.length} ${values.map((value, index) => `when ${index} then '${value}'`).join(' ')} end`
  const digits = (length: number) =>
    embedded ? `substr('${'0'.repeat(length)}' || n, -${length})` : `lpad(n::text, ${length}, '0')`
  const rows = (count: number) => rowsOf(engine, 0, count)
  const text = (value: string) => `cast(${value} as text)`
  const organization = (number: string) => `'LENDER_' || (${number}) % ${ORGANIZATIONS}`
  // Spreads consecutive lines over the people.
  const personOf = (number: string) => `((${number}) * 7919) % ${people}`
  const span = 90 * DAY_MS
  const network = (number: string) =>
    `'10.1.' || ((${number}) % ${NETWORKS}) / 256 || '.' || ((${number}) % ${NETWORKS}) % 256`
  const counts = (table: string, everyMs: number, over: number) =>
    METRICS.map(
      (metric) => `insert into ${table} (metric, starts_at, organization_code, label, device, count)
        select '${metric}', ${Math.floor(now / everyMs) * everyMs} - i * ${everyMs}, 'LENDER_' || lender, '', device, 7
        from ${rows(over)} cross join (select i as lender from ${rows(ORGANIZATIONS)}) as lenders
        cross join (${DEVICES.map((device) => `select '${device}' as device`).join(' union all ')}) as devices`,
    )
  return [
    ...(embedded ? ['pragma journal_mode = off', 'pragma cache_size = -4000000', 'begin'] : []),
    // The sealer has nothing to catch up on: all entries are already in the chain.
    'delete from audit_events',
    `update identities set organization_code = ${organization(random(ORGANIZATIONS))}, created_at = ${now} - ${random(span)}`,
    'create table bench_people (n integer primary key, id text not null, email text not null)',
    `insert into bench_people select cast(substr(email, 8, length(email) - 21) as integer), id, email
      from identities where email like 'person.%@bench.example'`,
    `insert into aliases (id, identity_id, type, value, verified_at, created_at)
      select ${uuid}, id, 'Phone', '+1555' || ${digits(7)}, ${now}, ${now} from bench_people where n % 5 = 0`,
    `insert into wallets (identity_id, address, name, type, created_at)
      select id, 'tp1bench' || ${digits(12)}, 'Wallet', 'HOSTED', ${now}
      from bench_people`,
    `insert into messages (id, channel, kind, recipient, content, created_at, sent_at, attempts, next_attempt_at)
      select ${uuid}, 'email', 'passcode', email, '', ${now} - ${random(20 * DAY_MS)}, ${now}, 1, 0 from bench_people`,
    `insert into audit_events (id, created_at, kind, identity_id, organization_code, network, details, operator_id, sequence, hash)
      select ${uuid}, ${now} - (${lines} - i) * ${Math.floor(span / lines)}, ${oneOf(KINDS, 'i')}, bench_people.id, ${organization('i')},
        ${network('i')}, '{}', case when i % 50 = 0 then 'operator-' || (i / 50) % ${OPERATORS} end, i + 1, ${text('i')}
      from ${rows(lines)} join bench_people on n = ${personOf('i')}`,
    `update audit_chain set sequence = ${lines}, hash = ${text(String(lines - 1))}`,
    `update insight_state set audit_sequence = ${lines}`,
    `insert into telemetry_sessions (uuid, tracker_uuid, organization_code, platform, lib_version, app_version, referrer, query_params,
        screen_width, screen_height, window_width, window_height, created_at, counted_at)
      select ${uuid}, ${uuid}, ${organization('i')}, 'WEB', '2', '1', '', '{}', 1440, 900, 1440, 800, ${now} - ${random(span)}, ${now}
      from ${rows(Math.ceil(events / 10))}`,
    `insert into telemetry_events (id, session_uuid, organization_code, event, event_type, domain, page_path, query_params,
        event_properties, created_at, counted_at)
      select ${uuid}, ${uuid}, ${organization('i')}, 'page_view', 'PAGE_VIEW', 'login.lender.example', '/auth/login', '{}', '{}',
        ${now} - (${events} - i) * ${Math.floor(span / events)}, ${now}
      from ${rows(events)}`,
    ...counts('insight_hours', HOUR_MS, Math.min(days, HOURS_KEPT_DAYS) * 24),
    ...counts('insight_days', DAY_MS, days * 2),
    insertServiceToken(ALL_TOKEN, ['*'], now),
    insertServiceToken(SOME_TOKEN, [codeOf(1), codeOf(2), codeOf(3)], now),
    ...(embedded
      ? ['commit', 'analyze bench_people', 'delete from sqlite_stat1', 'pragma journal_mode = wal']
      : ['vacuum analyze']),
  ]
}
