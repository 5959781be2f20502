/**
 * Experiments (§7.8), evaluated in this process with rules from files under `config/experiments` or a GrowthBook
 * server. A decision depends only on the tracker and the experiment, so every node decides alike and nothing is stored.
 * Decisions are synchronous and never fail.
 */
import { type FeatureApiResponse, GrowthBookClient } from '@growthbook/growthbook'
import type { UserType } from '@portico/contracts/broker'
import { EXPERIMENT_KEYS, type ExperimentKey } from '@portico/contracts/experiment-keys'
import type { Logger } from 'pino'
import type { ExperimentFile } from './experiment-file.ts'
import { fetchFeatures } from './fetch-features.ts'
import { toFeature } from './to-feature.ts'

interface Subject {
  readonly trackerUuid: string
  readonly orgCode: string
}

/** A decision. Only participants have a variant and are counted. */
interface Decision {
  readonly enabled: boolean
  readonly variant: string | undefined
}

export interface Experiments {
  /** Decides one experiment; an unknown key is treated like an experiment that is off. */
  readonly decide: (key: string, subject: Subject) => Decision
  /** Decides all experiments for a page. Untracked visitors (undefined) take part in none. */
  readonly decideAll: (subject: Subject | undefined) => Record<ExperimentKey, boolean>
  /** Fetches the server's rules; if that fails, the current rules stay. */
  readonly refresh: () => Promise<void>
}

/** The experiment that decides whether users of a type log in with their organization's identity provider (§4.4). */
export const PROVIDER_EXPERIMENTS = {
  customer: 'broker-customer-login',
  agent: 'broker-agent-login',
} as const satisfies Record<UserType, ExperimentKey>

const NOT_TAKING_PART: Decision = { enabled: false, variant: undefined }

/** @param deps.serverUrl - a GrowthBook endpoint with rules that take precedence over the files */
export function openExperiments(deps: {
  readonly files: readonly ExperimentFile[]
  readonly serverUrl: string | undefined
  readonly log: Logger
}): Experiments {
  const { files, serverUrl, log } = deps
  const fromFiles = Object.fromEntries(files.map((file) => [file.key, toFeature(file)]))
  const own = evaluator({ features: fromFiles })
  let current = own

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
        const { features, savedGroups } = await fetchFeatures(serverUrl)
        current = evaluator({ features: { ...fromFiles, ...features }, savedGroups })
      } catch (error) {
        log.warn({ err: error }, 'the experiments server could not be read; the current rules stay')
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
