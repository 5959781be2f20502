import type { FeatureDefinition, FeatureRule } from '@growthbook/growthbook'
import type { ExperimentFile } from './experiment-file.ts'

/** Whom an experiment says yes to, and whom it is compared with, where its file names no variants. */
const ENABLED = 'enabled'
const CONTROL = 'control'

/** An experiment in the form that the evaluating library takes. */
export function featureOf(file: ExperimentFile): FeatureDefinition<boolean> {
  return { defaultValue: false, rules: file.on ? [ruleOf(file)] : [] }
}

function ruleOf(file: ExperimentFile): FeatureRule<boolean> {
  const share = file.percent / 100
  const dealing = {
    key: file.key,
    // A seed of its own, or the same visitors would be first in every experiment.
    seed: file.key,
    hashVersion: 2,
    ...(file.onlyOrganizations || file.exceptOrganizations ? { condition: targeted(file) } : {}),
  }
  if (file.variants === undefined) {
    return {
      ...dealing,
      variations: [true, false],
      meta: [{ key: ENABLED }, { key: CONTROL }],
      // One place on one line: whoever lies before the share also lies before a greater one.
      ranges: [
        [0, share],
        [share, 1],
      ],
    }
  }
  return {
    ...dealing,
    variations: file.variants.map(({ enabled }) => enabled),
    meta: file.variants.map(({ name }) => ({ key: name })),
    weights: file.variants.map(({ weight }) => weight / 100),
    coverage: share,
  }
}

function targeted({ onlyOrganizations, exceptOrganizations = [] }: ExperimentFile) {
  return {
    organization: {
      ...(onlyOrganizations ? { $in: onlyOrganizations } : {}),
      $nin: exceptOrganizations,
    },
  }
}
