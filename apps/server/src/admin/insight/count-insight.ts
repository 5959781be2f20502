/**
 * Counts telemetry and the audit log by hour and by day. Each row is marked as counted in the transaction that adds it to the
 * counts, so it is counted exactly once, even if it arrives late, on several nodes and after a crash. Counts contain no
 * identities.
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
const COUNT_INTERVAL_MS = 5000
const HOUR_MS = 60 * 60 * 1000

const COUNTED: ReadonlySet<string> = new Set(COUNTED_KINDS)
/** Unknown errors and errors without a server response. */
export const OTHER_REASONS = ['unreachable', 'timed-out', 'unreadable', 'other'] as const

interface CountingDeps {
  readonly stores: TransactionalStores<'insightCounting'>
  readonly clock: Clock
}

type Counting = Pick<Stores, 'insightCounting'>

/** A count's dimensions. */
interface Dimensions {
  readonly organizationCode: string
  readonly label: string
  readonly device: string
}

/** An action in a visit, or by a person outside a visit. */
interface VisitAction {
  readonly visit: string
  readonly marks: number
  readonly at: number
}

/** Counts all new rows. Returns their number. */
export async function countInsight({ stores, clock }: CountingDeps): Promise<number> {
  let total = 0
  while (await stores.insightCounting.hasUncounted()) {
    const counted = await stores.atomically((transaction) => countBatch(transaction, clock()))
    if (counted === 0) break
    total += counted
  }
  return total
}

/** Counts periodically. Returns a function that stops it. */
export function startCounting(deps: CountingDeps & { readonly log: Logger }): () => Promise<void> {
  let running: Promise<unknown> | undefined
  const counting = setInterval(() => {
    running ??= countInsight(deps)
      .catch((error: unknown) => deps.log.error({ err: error }, 'insight could not be counted'))
      .finally(() => {
        running = undefined
      })
  }, COUNT_INTERVAL_MS)
  return async () => {
    clearInterval(counting)
    await running
  }
}

async function countBatch({ insightCounting: store }: Counting, at: number): Promise<number> {
  const { auditSequence } = await store.lock()
  const counts = countsByTime()

  const sessions = await store.claimSessions(BATCH, at)
  for (const session of sessions) counts.add('visits', session.createdAt, dimensionsOf(session))

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
  const actions = [
    ...events.map((event) => ({
      visit: event.sessionUuid,
      marks: marksOfEvent(event),
      at: event.createdAt,
    })),
    ...(await auditedActions(store, lines)),
  ]
  const visits = await visitsOf(store, actions)
  for (const event of events) {
    const visit = visits.get(event.sessionUuid)
    const dimensions = visit?.dimensions ?? {
      organizationCode: event.organizationCode,
      label: '',
      device: '',
    }
    if (event.event === 'page_view') counts.add('page-views', event.createdAt, dimensions)
    if (event.event === 'problem') {
      counts.add('problems', event.createdAt, dimensions)
      const funnel = funnelOfPath(event.pagePath)
      if (funnel !== undefined) {
        const reason = knownReason(fieldOf(event.eventProperties, 'reason'))
        counts.add(problemMetric(funnel, reason), event.createdAt, dimensions)
      }
    }
  }

  const completed: Completion[] = []
  for (const {
    uuid,
    marks: before,
    dimensions,
    startedAt,
    trackerUuid,
    identityId,
    actions: own,
  } of visits.values()) {
    const marks = own.reduce((all, action) => all | action.marks, before)
    if (marks === before) continue
    await store.updateMarks(uuid, marks)
    const [from, to] = [reachedSteps(before), reachedSteps(marks)]
    for (const funnel of FUNNELS) {
      // A visit that turns out to be excluded loses its steps.
      for (
        let step = Math.min(from[funnel], to[funnel]);
        step < Math.max(from[funnel], to[funnel]);
        step++
      ) {
        counts.add(
          stepMetric(funnel, step),
          startedAt,
          dimensions,
          to[funnel] > from[funnel] ? 1 : -1,
        )
      }
      if (isCompleted(funnel, to[funnel]) && !isCompleted(funnel, from[funnel])) {
        completed.push({ trackerUuid, identityId, funnel, at: completionOf(funnel, before, own) })
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

/** The audited actions of people, assigned to the visits linked to their identities. */
async function auditedActions(
  store: Stores['insightCounting'],
  lines: Awaited<ReturnType<Stores['insightCounting']['listAudit']>>,
): Promise<VisitAction[]> {
  const actions: VisitAction[] = []
  for (const { kind, identityId, details, createdAt } of lines) {
    if (identityId === null) continue
    const marks = marksOfAudit(kind, fieldOf(details, 'method'))
    const visit = marks === 0 ? undefined : await store.findVisit(identityId, createdAt, DAY_MS)
    if (visit !== undefined) actions.push({ visit, marks, at: createdAt })
  }
  return actions
}

async function visitsOf(store: Stores['insightCounting'], actions: readonly VisitAction[]) {
  const byVisit = Map.groupBy(actions, ({ visit }) => visit)
  if (byVisit.size === 0) return new Map<string, never>()
  const sessions = await store.listSessions([...byVisit.keys()])
  return new Map(
    sessions.map((session) => [
      session.uuid,
      {
        uuid: session.uuid,
        trackerUuid: session.trackerUuid,
        identityId: session.identityId,
        marks: session.marks,
        startedAt: session.createdAt,
        dimensions: dimensionsOf(session),
        actions: (byVisit.get(session.uuid) ?? []).toSorted((one, other) => one.at - other.at),
      },
    ]),
  )
}

/** When the actions of a visit completed a funnel. */
function completionOf(funnel: Funnel, before: number, actions: readonly VisitAction[]): number {
  let marks = before
  for (const action of actions) {
    marks |= action.marks
    if (isCompleted(funnel, reachedSteps(marks)[funnel])) return action.at
  }
  return actions.at(-1)?.at ?? 0
}

/** A visit that completed a funnel. */
interface Completion {
  readonly trackerUuid: string
  /** Every funnel has an audited step, so only visits of a person complete one. */
  readonly identityId: string | null
  readonly funnel: Funnel
  readonly at: number
}

/**
 * The variants of visitors who completed a funnel after exposure to a run, each outcome once per visitor and per person: a
 * client with one account could otherwise decide a run with invented trackers.
 */
async function outcomesOf(
  store: Stores['insightCounting'],
  completed: readonly Completion[],
): Promise<(readonly [string, string, string, string])[]> {
  if (completed.length === 0) return []
  const exposures = Map.groupBy(
    await store.listExposures([...new Set(completed.map(({ trackerUuid }) => trackerUuid))]),
    ({ trackerUuid }) => trackerUuid,
  )
  const reached: (readonly [string, string, string, string])[] = []
  for (const { trackerUuid, identityId, funnel, at } of completed) {
    if (identityId === null) continue
    for (const exposure of exposures.get(trackerUuid) ?? []) {
      const { runId, variant, organizationCode, exposedAt, endedAt, stopsAt } = exposure
      const end = Math.min(endedAt ?? Number.POSITIVE_INFINITY, stopsAt ?? Number.POSITIVE_INFINITY)
      if (at < exposedAt || at >= end) continue
      if (
        await store.insertOutcome({
          runId,
          trackerUuid,
          identityId,
          outcome: funnel,
          reachedAt: at,
        })
      ) {
        reached.push([runId, variant, organizationCode, funnel])
      }
    }
  }
  return reached
}

function dimensionsOf(session: {
  readonly organizationCode: string
  readonly queryParams: string
  readonly windowWidth: number
}): Dimensions {
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

/** Unknown values count as `other`: a client can send anything, such as a name. */
function knownReason(reason: unknown): string {
  const isKnown =
    typeof reason === 'string' &&
    (Object.hasOwn(ERROR_CATALOG, reason) || OTHER_REASONS.some((other) => other === reason))
  return isKnown ? reason : 'other'
}

function fieldOf(json: string, name: string): unknown {
  return (parseJson(json) as Readonly<Record<string, unknown>> | undefined)?.[name] // Stored as a JSON object.
}

/** Counts by composite key. */
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
        // The same order on all nodes and in all transactions prevents deadlocks.
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([text, count]) => [JSON.parse(text) as Key, count]), // As `add` wrote it.
  }
}

/** Counts of metrics by hour and by day. */
function countsByTime() {
  const counts =
    countsByKey<readonly ['insightHours' | 'insightDays', string, number, string, string, string]>()
  return {
    add(metric: string, at: number, { organizationCode, label, device }: Dimensions, count = 1) {
      const dimensions = [organizationCode, label, device] as const
      counts.add(['insightHours', metric, at - (at % HOUR_MS), ...dimensions], count)
      counts.add(['insightDays', metric, at - (at % DAY_MS), ...dimensions], count)
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
