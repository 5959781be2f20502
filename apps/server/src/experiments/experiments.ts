/**
 * Experiments (§7.8), evaluated in this process with rules from files under `config/experiments` or a GrowthBook server. A
 * decision depends only on the tracker and the experiment, so all nodes decide the same and nothing is stored. Decisions are
 * synchronous and never fail.
 */
import {
  type ConditionInterface,
  type FeatureApiResponse,
  type FeatureDefinition,
  type FeatureRule,
  GrowthBookClient,
} from '@growthbook/growthbook'
import { type ExperimentsServer, RunSplit } from '@portico/contracts/admin/experiments'
import type { UserType } from '@portico/contracts/broker'
import { EXPERIMENT_KEYS, type ExperimentKey } from '@portico/contracts/experiment-keys'
import { parseJson } from '@portico/contracts/parse-json'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Stores } from '../stores.ts'
import type { ExperimentFile } from './experiment-file.ts'
import type { RunRow } from './experiment-runs.store.ts'
import { EncryptedFeaturesError, type FetchedFeatures, fetchFeatures } from './fetch-features.ts'
import { audience, exceptFor, forcedRule, runRule, toFeature } from './to-feature.ts'

interface Subject {
  readonly trackerUuid: string
  readonly orgCode: string
  readonly label?: string | undefined
}

/** A decision. Only participants have a variant and are counted. */
interface Decision {
  readonly enabled: boolean
  readonly variant: string | undefined
  /** The run that made the decision, if any. */
  readonly runId?: string | undefined
}

export interface Experiments {
  /** Decides one experiment. An unknown key counts as an experiment that is off. */
  readonly decide: (key: string, subject: Subject) => Decision
  /** Decides all experiments for a page. Untracked visitors (undefined) take part in none. */
  readonly decideAll: (subject: Subject | undefined) => Record<ExperimentKey, boolean>
  /** Fetches the server's rules; if that fails, the current rules stay. */
  readonly refresh: () => Promise<void>
  /** The last attempt of this node to fetch the server's rules; undefined without a server. */
  readonly server: () => ExperimentsServer | undefined
  /** Applies runs that operators started or ended on any node, and their schedules. */
  readonly refreshRuns: () => Promise<void>
}

/** The experiment that decides whether users of a type log in with their organization's identity provider (§4.4). */
export const PROVIDER_EXPERIMENTS = {
  customer: 'broker-customer-login',
  agent: 'broker-agent-login',
} as const satisfies Record<UserType, ExperimentKey>

/** How many of an experiment's newest runs are read. The outcomes of older ones no longer apply. */
const RUNS_READ = 200
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

const NOT_TAKING_PART: Decision = { enabled: false, variant: undefined }

/** @param deps.serverUrl - a GrowthBook endpoint with rules that take precedence over the files */
export function openExperiments(deps: {
  readonly files: readonly ExperimentFile[]
  readonly serverUrl: string | undefined
  readonly runs?: Pick<Stores['experimentRuns'], 'list'>
  readonly clock?: Clock
  readonly log: Logger
}): Experiments {
  const { files, serverUrl, runs, clock = Date.now, log } = deps
  const fromFiles = Object.fromEntries(files.map((file) => [file.key, toFeature(file)]))
  let own = evaluator({ features: fromFiles })
  let current = own
  let fetched: FetchedFeatures | undefined
  let server: ExperimentsServer | undefined
  let runRules: RunRules = {}
  let appliedRules = '{}'

  function rebuild(): void {
    own = evaluator({ features: withRules(fromFiles, runRules) })
    current =
      fetched === undefined
        ? own
        : evaluator({
            features: withRules({ ...fromFiles, ...fetched.features }, runRules),
            savedGroups: fetched.savedGroups,
          })
  }

  const decide = (key: string, subject: Subject): Decision => {
    if (!isExperiment(key)) return NOT_TAKING_PART
    try {
      return evaluate(current, key, subject)
    } catch (error) {
      // The server's rules are not validated, so the library may fail on them.
      log.warn(
        { err: error, experiment: key },
        'an experiment from the server could not be evaluated',
      )
      return evaluate(own, key, subject)
    }
  }

  return {
    decide,
    decideAll(subject) {
      const decided = EXPERIMENT_KEYS.map((key) => [
        key,
        subject !== undefined && decide(key, subject).enabled,
      ])
      return Object.fromEntries(decided) as Record<ExperimentKey, boolean> // One entry per key.
    },
    async refresh() {
      if (serverUrl === undefined) return
      try {
        fetched = await fetchFeatures(serverUrl)
        server = { state: 'read' }
        rebuild()
      } catch (error) {
        const state = error instanceof EncryptedFeaturesError ? 'encrypted' : 'unreadable'
        // Only a change at the server ends it, and until then the warning repeats every minute.
        if (state === 'encrypted' && server?.state !== state) {
          log.error({ err: error }, 'the rules of the experiments server are encrypted')
        }
        server = { state }
        log.warn({ err: error }, 'the experiments server could not be read; the current rules stay')
      }
    },
    server: () => server,
    async refreshRuns() {
      if (runs === undefined) return
      const found = await Promise.all(
        EXPERIMENT_KEYS.map(async (key) => {
          const rows = await runs.list(key, RUNS_READ)
          return [key, currentRules(rows, clock())] as const
        }),
      )
      const rules = Object.fromEntries(found)
      const text = JSON.stringify(rules)
      if (text === appliedRules) return
      runRules = rules
      appliedRules = text
      rebuild()
    },
  }
}

type RunRules = Readonly<Record<string, readonly FeatureRule<boolean>[]>>

/**
 * The rules of the runs that have started, newest first: the split of one that is running, or the outcome of one that has
 * ended. The newest run whose audience includes a visitor decides, so that a run for one organization leaves the outcomes
 * of earlier runs to all others.
 */
function currentRules(rows: readonly RunRow[], at: number): readonly FeatureRule<boolean>[] {
  const rules: FeatureRule<boolean>[] = []
  /** The audiences for which the file decides again. */
  const returned: ConditionInterface[] = []
  for (const { id, split, startsAt, stopsAt, endedAt, afterwards } of rows) {
    const end = endedAt ?? stopsAt ?? Number.POSITIVE_INFINITY
    // A run that ended before it began changed nothing.
    if (startsAt > at || end <= startsAt) continue
    const parsed = RunSplit.parse(parseJson(split))
    const { condition } = audience(parsed)
    if (at < end) rules.push(exceptFor(returned, runRule(id, parsed)))
    else if (afterwards === 'everyone' || afterwards === 'no-one') {
      rules.push(exceptFor(returned, forcedRule(afterwards === 'everyone', parsed)))
    } else if (condition !== undefined) returned.push(condition)
    if (condition === undefined) break
  }
  return rules
}

/** Gives rules of runs precedence over those of the files or the experiments server, which decide for all other visitors. */
function withRules(
  features: Readonly<Record<string, FeatureDefinition>>,
  runRules: RunRules,
): Record<string, FeatureDefinition> {
  const changed = Object.entries(runRules).flatMap(([key, rules]) => {
    const feature = features[key]
    return rules.length === 0
      ? []
      : [[key, { defaultValue: false, ...feature, rules: [...rules, ...(feature?.rules ?? [])] }]]
  })
  return { ...features, ...Object.fromEntries(changed) }
}

function isExperiment(key: string): key is ExperimentKey {
  return EXPERIMENT_KEYS.some((known) => known === key)
}

function evaluator(payload: FeatureApiResponse): GrowthBookClient {
  return new GrowthBookClient().initSync({ payload })
}

function evaluate(client: GrowthBookClient, key: ExperimentKey, subject: Subject): Decision {
  const { on, value, experiment, experimentResult } = client.evalFeature(key, {
    attributes: {
      id: subject.trackerUuid,
      organization: subject.orgCode,
      label: subject.label ?? '',
    },
  })
  return {
    // For the library, every text is on, also 'false'.
    enabled: typeof value === 'string' ? value === 'true' : on,
    variant: experimentResult?.inExperiment ? experimentResult.key : undefined,
    // A run's rule has the run's ID as its key.
    ...(experiment?.key !== undefined && UUID.test(experiment.key)
      ? { runId: experiment.key }
      : {}),
  }
}
