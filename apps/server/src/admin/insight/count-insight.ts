/**
 * Counts telemetry and the audit log by hour and by day. Each row is marked as counted in the transaction that adds it to the
 * counts, so it counts exactly once: late or early, on any node, and after a crash. Counts say how many, never who.
 */
import { COUNTED_KINDS, type Device, FUNNELS, type Funnel } from '@portico/contracts/admin/insight'
import { ERROR_CATALOG } from '@portico/contracts/error-catalog'
import { DAY_MS } from '@portico/contracts/limits'
import { Label } from '@portico/contracts/organization'
import { parseJson } from '@portico/contracts/parse-json'
import {
  funnelOfPath,
  isCompleted,
  marksOfAudit,
  marksOfEvent,
  problemMetric,
  reachedSteps,
  stepMetric,
} from '@portico/rules/funnels'
import type { Logger } from 'pino'
import type { Clock } from '../../clock.ts'
import type { Stores, TransactionalStores } from '../../stores.ts'

const BATCH = 1000
const COUNT_EVERY_MS = 5000
const HOUR_MS = 60 * 60 * 1000

const COUNTED: ReadonlySet<string> = new Set(COUNTED_KINDS)
/** Errors without a response of ours, and those that are not known. */
export const OTHER_REASONS = ['unreachable', 'timed-out', 'unreadable', 'other'] as const

interface CountingDeps {
  readonly stores: TransactionalStores<'insightCounting'>
  readonly clock: Clock
}

type Counting = Pick<Stores, 'insightCounting'>

/** By what counts are divided. */
interface Division {
  readonly organizationCode: string
  readonly label: string
  readonly device: string
}

/** Something that a visit, or a person outside a visit, did. */
interface Deed {
  readonly visit: string
  readonly marks: number
  readonly at: number
}

/** Counts all that is not counted. Returns how many rows that were. */
export async function countInsight({ stores, clock }: CountingDeps): Promise<number> {
  let total = 0
  while (await stores.insightCounting.hasUncounted()) {
    const counted = await stores.atomically((transaction) => countBatch(transaction, clock()))
    if (counted === 0) break
    total += counted
  }
  return total
}

/** Counts regularly. Returns the function that stops it. */
export function startCounting(deps: CountingDeps & { readonly log: Logger }): () => Promise<void> {
  let running: Promise<unknown> | undefined
  const counting = setInterval(() => {
    running ??= countInsight(deps)
      .catch((error: unknown) => deps.log.error({ err: error }, 'insight could not be counted'))
      .finally(() => {
        running = undefined
      })
  }, COUNT_EVERY_MS)
  return async () => {
    clearInterval(counting)
    await running
  }
}

async function countBatch({ insightCounting: store }: Counting, at: number): Promise<number> {
  const { auditSequence } = await store.lock()
  const counts = countsByTime()

  const sessions = await store.claimSessions(BATCH, at)
  for (const session of sessions) counts.add('visits', session.createdAt, divisionOf(session))

  const visitors = await store.claimVisitors(BATCH, at)
  const visitorCounts = countsByKey<readonly [string, string, string, string]>()
  for (const { runId, variant, organizationCode } of visitors) {
    visitorCounts.add([runId, variant, organizationCode, ''], 1)
  }

  const events = await store.claimEvents(BATCH, at)
  const lines = await store.listAudit(auditSequence, BATCH)
  for (const { kind, organizationCode, createdAt } of lines) {
    if (COUNTED.has(kind)) {
      counts.add(kind, createdAt, { organizationCode, label: '', device: '' })
    }
  }
  const deeds = [
    ...events.map((event) => ({
      visit: event.sessionUuid,
      marks: marksOfEvent(event),
      at: event.createdAt,
    })),
    ...(await deedsOfAudit(store, lines)),
  ]
  const visits = await visitsOf(store, deeds)
  for (const event of events) {
    const visit = visits.get(event.sessionUuid)
    const division = visit?.division ?? {
      organizationCode: event.organizationCode,
      label: '',
      device: '',
    }
    if (event.event === 'page_view') counts.add('page-views', event.createdAt, division)
    if (event.event === 'problem') {
      counts.add('problems', event.createdAt, division)
      const funnel = funnelOfPath(event.pagePath)
      if (funnel !== undefined) {
        const reason = knownReason(fieldOf(event.eventProperties, 'reason'))
        counts.add(problemMetric(funnel, reason), event.createdAt, division)
      }
    }
  }

  const completed: { trackerUuid: string; funnel: Funnel; at: number }[] = []
  for (const {
    uuid,
    marks: before,
    division,
    startedAt,
    trackerUuid,
    deeds: own,
  } of visits.values()) {
    const marks = own.reduce((all, deed) => all | deed.marks, before)
    if (marks === before) continue
    await store.updateMarks(uuid, marks)
    const [from, to] = [reachedSteps(before), reachedSteps(marks)]
    for (const funnel of FUNNELS) {
      // A visit can also lose steps, when it turns out to be excluded.
      for (
        let step = Math.min(from[funnel], to[funnel]);
        step < Math.max(from[funnel], to[funnel]);
        step++
      ) {
        counts.add(
          stepMetric(funnel, step),
          startedAt,
          division,
          to[funnel] > from[funnel] ? 1 : -1,
        )
      }
      if (isCompleted(funnel, to[funnel]) && !isCompleted(funnel, from[funnel])) {
        completed.push({ trackerUuid, funnel, at: completionOf(funnel, before, own) })
      }
    }
  }
  for (const reached of await outcomesOf(store, completed)) visitorCounts.add(reached, 1)

  for (const { table, ...row } of counts.rows()) await store.addCount(table, row)
  for (const [
    [runId, variant, organizationCode, outcome],
    visitorsCount,
  ] of visitorCounts.entries()) {
    await store.addVisitors({ runId, variant, organizationCode, outcome, visitors: visitorsCount })
  }
  const last = lines.at(-1)
  if (last !== undefined) await store.updateAuditSequence(last.sequence)
  return sessions.length + visitors.length + events.length + lines.length
}

/** What people did according to the audit log, in the visits that their identities are linked to. */
async function deedsOfAudit(
  store: Stores['insightCounting'],
  lines: Awaited<ReturnType<Stores['insightCounting']['listAudit']>>,
): Promise<Deed[]> {
  const deeds: Deed[] = []
  for (const { kind, identityId, details, createdAt } of lines) {
    if (identityId === null) continue
    const marks = marksOfAudit(kind, fieldOf(details, 'method'))
    const visit = marks === 0 ? undefined : await store.findVisit(identityId, createdAt, DAY_MS)
    if (visit !== undefined) deeds.push({ visit, marks, at: createdAt })
  }
  return deeds
}

async function visitsOf(store: Stores['insightCounting'], deeds: readonly Deed[]) {
  const byVisit = Map.groupBy(deeds, ({ visit }) => visit)
  if (byVisit.size === 0) return new Map<string, never>()
  const sessions = await store.listSessions([...byVisit.keys()])
  return new Map(
    sessions.map((session) => [
      session.uuid,
      {
        uuid: session.uuid,
        trackerUuid: session.trackerUuid,
        marks: session.marks,
        startedAt: session.createdAt,
        division: divisionOf(session),
        deeds: (byVisit.get(session.uuid) ?? []).toSorted((one, other) => one.at - other.at),
      },
    ]),
  )
}

/** When the deeds of a visit completed a funnel. */
function completionOf(funnel: Funnel, before: number, deeds: readonly Deed[]): number {
  let marks = before
  for (const deed of deeds) {
    marks |= deed.marks
    if (isCompleted(funnel, reachedSteps(marks)[funnel])) return deed.at
  }
  return deeds.at(-1)?.at ?? 0
}

/** The variants of the visitors who completed a funnel after they were exposed to a run, each outcome once. */
async function outcomesOf(
  store: Stores['insightCounting'],
  completed: readonly {
    readonly trackerUuid: string
    readonly funnel: Funnel
    readonly at: number
  }[],
): Promise<(readonly [string, string, string, string])[]> {
  if (completed.length === 0) return []
  const exposures = Map.groupBy(
    await store.listExposures([...new Set(completed.map(({ trackerUuid }) => trackerUuid))]),
    ({ trackerUuid }) => trackerUuid,
  )
  const reached: (readonly [string, string, string, string])[] = []
  for (const { trackerUuid, funnel, at } of completed) {
    for (const exposure of exposures.get(trackerUuid) ?? []) {
      const { runId, variant, organizationCode, exposedAt, endedAt, stopsAt } = exposure
      const end = Math.min(endedAt ?? Number.POSITIVE_INFINITY, stopsAt ?? Number.POSITIVE_INFINITY)
      if (at < exposedAt || at >= end) continue
      if (await store.insertOutcome({ runId, trackerUuid, outcome: funnel, reachedAt: at })) {
        reached.push([runId, variant, organizationCode, funnel])
      }
    }
  }
  return reached
}

function divisionOf(session: {
  readonly organizationCode: string
  readonly queryParams: string
  readonly windowWidth: number
}): Division {
  return {
    organizationCode: session.organizationCode,
    label: Label.safeParse(fieldOf(session.queryParams, 'label')).data ?? '',
    device: deviceOf(session.windowWidth),
  }
}

function deviceOf(width: number): Device {
  if (width < 600) return 'phone'
  return width < 1024 ? 'tablet' : 'desktop'
}

/** A client can send any word, which would be a count of its own, or a name. */
function knownReason(reason: unknown): string {
  const isKnown =
    typeof reason === 'string' &&
    (Object.hasOwn(ERROR_CATALOG, reason) || OTHER_REASONS.some((other) => other === reason))
  return isKnown ? reason : 'other'
}

function fieldOf(json: string, name: string): unknown {
  return (parseJson(json) as Readonly<Record<string, unknown>> | undefined)?.[name] // An object or nothing.
}

/** Numbers by keys of several texts. */
function countsByKey<Key extends readonly unknown[]>() {
  const counts = new Map<string, number>()
  return {
    add(key: Key, count: number) {
      const text = JSON.stringify(key)
      counts.set(text, (counts.get(text) ?? 0) + count)
    },
    entries: (): (readonly [Key, number])[] =>
      [...counts]
        .filter(([, count]) => count !== 0)
        // In one order on all nodes and in all transactions.
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([text, count]) => [JSON.parse(text) as Key, count]), // As `add` wrote it.
  }
}

/** Counts of metrics, each by the hour and by the day. */
function countsByTime() {
  const counts =
    countsByKey<readonly ['insightHours' | 'insightDays', string, number, string, string, string]>()
  return {
    add(metric: string, at: number, { organizationCode, label, device }: Division, count = 1) {
      const division = [organizationCode, label, device] as const
      counts.add(['insightHours', metric, at - (at % HOUR_MS), ...division], count)
      counts.add(['insightDays', metric, at - (at % DAY_MS), ...division], count)
    },
    rows: () =>
      counts
        .entries()
        .map(([[table, metric, startsAt, organizationCode, label, device], count]) => ({
          table,
          metric,
          startsAt,
          organizationCode,
          label,
          device,
          count,
        })),
  }
}
