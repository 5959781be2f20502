/**
 * Experiments (§7.8): decided in this process, by files under `config/experiments` or by what a GrowthBook server says.
 * A decision is a function of the tracker and the experiment alone, so it is the same on every node and after a restart,
 * and nothing is kept of it. Deciding waits for nobody and never fails.
 */
import { type FeatureApiResponse, GrowthBookClient } from '@growthbook/growthbook'
import { EXPERIMENT_KEYS, type ExperimentKey } from '@portico/contracts/experiment-keys'
import type { Logger } from 'pino'
import type { ExperimentFile } from './experiment-file.ts'
import { featureOf } from './feature-of.ts'
import { fetchFeatures } from './fetch-features.ts'

/** Whom a decision is for. */
interface Subject {
  readonly trackerUuid: string
  readonly orgCode: string
}

/** What was decided; the variant only of those who take part, who alone are worth counting. */
interface Decision {
  readonly enabled: boolean
  readonly variant: string | undefined
}

/** The experiments of an installation. */
export interface Experiments {
  /** Decides one; whatever is no experiment is decided like one that is off. */
  readonly decide: (key: string, subject: Subject) => Decision
  /** Decides all for a page; nobody in particular, who refused to be tracked, takes part in none. */
  readonly decideAll: (subject: Subject | undefined) => Record<ExperimentKey, boolean>
  /** Asks the server for its rules; where it does not answer properly, those known stay. */
  readonly refresh: () => Promise<void>
}

const NOT_TAKING_PART: Decision = { enabled: false, variant: undefined }

/** Opens the experiments; `serverUrl` is where a GrowthBook server tells its rules, which go before the files'. */
export function openExperiments(deps: {
  readonly files: readonly ExperimentFile[]
  readonly serverUrl: string | undefined
  readonly log: Logger
}): Experiments {
  const { files, serverUrl, log } = deps
  const fromFiles = Object.fromEntries(files.map((file) => [file.key, featureOf(file)]))
  const own = evaluator({ features: fromFiles })
  let current = own

  const decide = (key: string, subject: Subject): Decision => {
    if (!isExperiment(key)) return NOT_TAKING_PART
    try {
      return evaluate(current, key, subject)
    } catch (error) {
      // The server's rules are the library's to judge, and it may meet some that it cannot.
      log.warn({ err: error, experiment: key }, 'an experiment of the server could not be decided')
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
      return Object.fromEntries(decided) as Record<ExperimentKey, boolean> // One entry for each key.
    },
    async refresh() {
      if (serverUrl === undefined) return
      try {
        const { features, savedGroups } = await fetchFeatures(serverUrl)
        current = evaluator({ features: { ...fromFiles, ...features }, savedGroups })
      } catch (error) {
        log.warn({ err: error }, 'the server of experiments did not answer; the known rules stay')
      }
    },
  }
}

function isExperiment(key: string): key is ExperimentKey {
  return EXPERIMENT_KEYS.some((known) => known === key)
}

function evaluator(payload: FeatureApiResponse): GrowthBookClient {
  return new GrowthBookClient().initSync({ payload })
}

function evaluate(client: GrowthBookClient, key: ExperimentKey, subject: Subject): Decision {
  const { on, experimentResult } = client.evalFeature(key, {
    attributes: { id: subject.trackerUuid, organization: subject.orgCode },
  })
  return {
    enabled: on,
    variant: experimentResult?.inExperiment ? experimentResult.key : undefined,
  }
}
