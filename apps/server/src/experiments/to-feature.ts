import type { ConditionInterface, FeatureDefinition, FeatureRule } from '@growthbook/growthbook'
import type { RunSplit } from '@portico/contracts/admin/experiments'
import type { ExperimentFile } from './experiment-file.ts'

/** The variant names of an experiment if its file defines none. */
export const ENABLED = 'enabled'
/** Stands for a variant in the counts of a run: exposures that were not counted, because their network had too many visitors. */
export const LEFT_OUT = 'left-out'
export const CONTROL = 'control'

/** Converts an experiment to a GrowthBook feature. */
export function toFeature(file: ExperimentFile): FeatureDefinition<boolean> {
  return { defaultValue: false, rules: file.on ? [toRule(file)] : [] }
}

/** A run's rule. It has its own seed, so that visitors are assigned independently of earlier runs. */
export function runRule(runId: string, split: RunSplit): FeatureRule<boolean> {
  const share = split.percent / 100
  return {
    key: runId,
    seed: runId,
    hashVersion: 2,
    ...audience(split),
    variations: [true, false],
    meta: [{ key: ENABLED }, { key: CONTROL }],
    ranges: [
      [0, share],
      [share, 1],
    ],
  }
}

/** The rule for everyone outside of these audiences. */
export function exceptFor(
  audiences: readonly ConditionInterface[],
  rule: FeatureRule<boolean>,
): FeatureRule<boolean> {
  return audiences.length === 0
    ? rule
    : { ...rule, condition: { ...rule.condition, $nor: [...audiences] } }
}

/** The rule after a run: everyone in its audience gets it, or no one. */
export function forcedRule(enabled: boolean, split: RunSplit): FeatureRule<boolean> {
  return { force: enabled, ...audience(split) }
}

/** The visitors that a run covers, as a rule's condition; none if it covers everyone. */
export function audience({ organizations, labels }: RunSplit): {
  readonly condition?: ConditionInterface
} {
  return organizations === undefined && labels === undefined
    ? {}
    : {
        condition: {
          ...(organizations === undefined ? {} : { organization: { $in: organizations } }),
          ...(labels === undefined ? {} : { label: { $in: labels } }),
        },
      }
}

function toRule(file: ExperimentFile): FeatureRule<boolean> {
  const share = file.percent / 100
  const rule = {
    key: file.key,
    // With a shared seed the same visitors would be selected in every experiment.
    seed: file.key,
    hashVersion: 2,
    ...(file.onlyOrganizations || file.exceptOrganizations ? { condition: targeting(file) } : {}),
  }
  if (file.variants === undefined) {
    return {
      ...rule,
      variations: [true, false],
      meta: [{ key: ENABLED }, { key: CONTROL }],
      // Each visitor has a fixed position from 0 to 1, so raising the share keeps all current participants.
      ranges: [
        [0, share],
        [share, 1],
      ],
    }
  }
  return {
    ...rule,
    variations: file.variants.map(({ enabled }) => enabled),
    meta: file.variants.map(({ name }) => ({ key: name })),
    weights: file.variants.map(({ weight }) => weight / 100),
    coverage: share,
  }
}

function targeting({ onlyOrganizations, exceptOrganizations = [] }: ExperimentFile) {
  return {
    organization: {
      ...(onlyOrganizations ? { $in: onlyOrganizations } : {}),
      $nin: exceptOrganizations,
    },
  }
}
