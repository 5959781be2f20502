/**
 * Experiment runs: start, end and results. A run cannot be changed, because data from different splits is not comparable.
 */
import { randomUUID } from 'node:crypto'
import {
  type Afterwards,
  type ExperimentList,
  type ExperimentResultAnswer,
  type ExperimentsServer,
  type Run,
  RunSplit,
} from '@portico/contracts/admin/experiments'
import { FUNNELS } from '@portico/contracts/admin/insight'
import { ALL_ORGANIZATIONS, type Permission } from '@portico/contracts/admin/permissions'
import { Refusal } from '@portico/contracts/errors'
import { EXPERIMENT_KEYS, type ExperimentKey } from '@portico/contracts/experiment-keys'
import { parseJson } from '@portico/contracts/parse-json'
import { experimentResult } from '@portico/rules/experiment-statistics'
import { includesScope, isInScope } from '@portico/rules/operator-permissions'
import type { Organizations } from '../../brands/brands.ts'
import type { Clock } from '../../clock.ts'
import type { ExperimentFile } from '../../experiments/experiment-file.ts'
import type { RunRow } from '../../experiments/experiment-runs.store.ts'
import { CONTROL, ENABLED, LEFT_OUT } from '../../experiments/to-feature.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { TransactionalStores } from '../../stores.ts'
import type { Operator } from '../operators/operators.ts'

const MAX_RUNS = 50

interface Actor {
  readonly operator: Operator
  readonly visitor: Visitor
}

interface Start {
  readonly key: ExperimentKey
  readonly split: RunSplit
  readonly startsAt?: number | undefined
  readonly stopsAt?: number | undefined
  readonly reason: string
}

export function experimentRuns(deps: {
  readonly stores: TransactionalStores<'audit' | 'experimentRuns'>
  readonly files: readonly ExperimentFile[]
  readonly organizations: Pick<Organizations, 'withCode'>
  readonly clock: Clock
  /** Applies a change on this node at once; other nodes follow within seconds. */
  readonly refresh: () => Promise<void>
  readonly server: () => ExperimentsServer | undefined
}) {
  const { stores, files, organizations, clock, refresh } = deps

  const runOf = (row: RunRow): Run => {
    const at = clock()
    const endedAt = row.endedAt ?? (row.stopsAt !== null && row.stopsAt <= at ? row.stopsAt : null)
    return {
      runId: row.id,
      key: row.experimentKey as ExperimentKey, // Validated when it was stored.
      split: RunSplit.parse(parseJson(row.split)),
      state: endedAt === null ? (row.startsAt > at ? 'scheduled' : 'running') : 'ended',
      startsAt: row.startsAt,
      stopsAt: row.stopsAt,
      endedAt,
      afterwards: endedAt === null ? null : (row.afterwards ?? 'file'),
      createdAt: row.createdAt,
      reason: row.reason,
      endReason: row.endReason,
    }
  }

  /** Whether an operator may read a run: one for all organizations or for one of the operator's. */
  const isReadable = ({ split }: Run, operator: Operator) =>
    split.organizations === undefined ||
    split.organizations.some((code) => isInScope(operator.scopeOf('experiments.read'), code))

  /** Whether the whole audience is in the operator's scope. */
  const covers = (operator: Operator, permission: Permission, { organizations }: RunSplit) =>
    includesScope(
      operator.scopeOf(permission),
      organizations === undefined ? { all: true } : { organizationCodes: organizations },
    )

  /** The change is stored even if the database becomes unavailable now; this node then sees it on its next poll. */
  const refreshOrPoll = () => refresh().catch(() => undefined)

  async function findRun(runId: string, operator: Operator): Promise<Run> {
    const row = await stores.experimentRuns.findById(runId)
    const run = row && runOf(row)
    if (run === undefined || !isReadable(run, operator)) throw new Refusal('not-found')
    return run
  }

  async function findWritable(runId: string, operator: Operator): Promise<Run> {
    const run = await findRun(runId, operator)
    if (!covers(operator, 'experiments.write', run.split)) throw new Refusal('not-found')
    return run
  }

  /** When the run would start and stop, if the operator may start it. */
  function plannedTimes({ split, ...body }: Start, operator: Operator) {
    const at = clock()
    const startsAt = Math.max(at, body.startsAt ?? at)
    const stopsAt = body.stopsAt ?? null
    // An unknown organization is refused like one outside the scope.
    const unknown = (split.organizations ?? []).some(
      (code) => organizations.withCode(code) === undefined,
    )
    if (unknown || !covers(operator, 'experiments.write', split)) throw new Refusal('not-found')
    if (stopsAt !== null && stopsAt <= startsAt) {
      throw new Refusal('invalid-request', { errors: ['The run must stop after it starts.'] })
    }
    return { startsAt, stopsAt }
  }

  return {
    async list(operator: Operator): Promise<ExperimentList> {
      const items = EXPERIMENT_KEYS.map(async (key) => {
        const file = files.find((each) => each.key === key)
        const rows = await stores.experimentRuns.list(key, MAX_RUNS)
        return {
          key,
          file: file ? { description: file.description, on: file.on, percent: file.percent } : null,
          runs: rows.map(runOf).filter((run) => isReadable(run, operator)),
        }
      })
      const server = deps.server()
      return { items: await Promise.all(items), ...(server && { server }) }
    },

    async start(body: Start, { operator, visitor }: Actor): Promise<Run> {
      const { key, split, reason } = body
      const at = clock()
      const { startsAt, stopsAt } = plannedTimes(body, operator)
      const row = {
        id: randomUUID(),
        experimentKey: key,
        split: JSON.stringify(split),
        startsAt,
        stopsAt,
        createdAt: at,
        createdBy: operator.id,
        reason,
      }
      await stores.atomically(async ({ audit, experimentRuns: runs }) => {
        await runs.endStopped(key, at)
        if (!(await runs.insert(row))) throw new Refusal('experiment-running')
        await audit.record(
          'experiment-started',
          {
            identityId: null,
            at,
            organizationCode: split.organizations?.[0] ?? ALL_ORGANIZATIONS,
            operator,
            details: { experiment: key, run: row.id, percent: split.percent, reason },
          },
          visitor,
        )
      })
      await refreshOrPoll()
      return runOf({ ...row, endedAt: null, endedBy: null, endReason: null, afterwards: null })
    },

    async end(
      { runId, afterwards, reason }: { runId: string; afterwards: Afterwards; reason: string },
      { operator, visitor }: Actor,
    ): Promise<Run> {
      const run = await findWritable(runId, operator)
      const at = clock()
      await stores.atomically(async ({ audit, experimentRuns: runs }) => {
        const end = { endedAt: at, endedBy: operator.id, endReason: reason, afterwards }
        if (!(await runs.end(runId, end))) throw new Refusal('experiment-ended')
        await audit.record(
          'experiment-ended',
          {
            identityId: null,
            at,
            organizationCode: run.split.organizations?.[0] ?? ALL_ORGANIZATIONS,
            operator,
            details: { experiment: run.key, run: runId, afterwards, reason },
          },
          visitor,
        )
      })
      await refreshOrPoll()
      return { ...run, state: 'ended', endedAt: at, afterwards, endReason: reason }
    },

    /** The subject of a start. Throws like `start`, except for a run that has not ended. */
    checkStart(body: Start, operator: Operator) {
      plannedTimes(body, operator)
      return subjectOf(body)
    },

    /** @throws Refusal - `not-found`, `experiment-ended` */
    async checkEnd(runId: string, operator: Operator) {
      const run = await findWritable(runId, operator)
      if (run.state === 'ended') throw new Refusal('experiment-ended')
      return subjectOf(run)
    },

    async result(runId: string, operator: Operator): Promise<ExperimentResultAnswer> {
      const run = await findRun(runId, operator)
      const scope = operator.scopeOf('experiments.read')
      const counts = await stores.experimentRuns.counts(
        runId,
        scope.all ? undefined : scope.organizationCodes,
      )
      const visitorsOf = (variant: string, outcome: string) =>
        counts.find((each) => each.variant === variant && each.outcome === outcome)?.visitors ?? 0
      const armOf = (name: string, weight: number) => {
        const visitors = visitorsOf(name, '')
        // An outcome may be counted shortly before its visitor.
        return {
          name,
          weight,
          visitors,
          outcomes: Math.min(visitors, visitorsOf(name, run.split.outcome)),
        }
      }
      const { percent } = run.split
      const control = armOf(CONTROL, 100 - percent)
      const enabled = armOf(ENABLED, percent)
      const { verdict, effects } = experimentResult([control, enabled])
      return {
        run,
        verdict: { kind: verdict.kind, arm: verdict.kind === 'winner' ? verdict.arm : null },
        arms: [control, enabled].map(({ name, weight, visitors, outcomes }) => ({
          name,
          percent: weight,
          visitors,
          outcomes,
          rate: visitors === 0 ? null : outcomes / visitors,
          effect: effects.get(name) ?? null,
        })),
        leftOutExposures: visitorsOf(LEFT_OUT, ''),
        otherOutcomes: FUNNELS.filter((outcome) => outcome !== run.split.outcome).flatMap(
          (outcome) =>
            [CONTROL, ENABLED].map((arm) => ({ outcome, arm, outcomes: visitorsOf(arm, outcome) })),
        ),
      }
    },
  }
}

const subjectOf = ({ key, split }: { readonly key: string; readonly split: RunSplit }) => ({
  name: key,
  organizationCodes: split.organizations ?? [ALL_ORGANIZATIONS],
})
