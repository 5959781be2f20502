import type { FeatureDefinition, FeatureRule } from '@growthbook/growthbook'
import type { ExperimentFile } from './experiment-file.ts'

/** The variant names of an experiment if its file defines none. */
const ENABLED = 'enabled'
const CONTROL = 'control'

/** Converts an experiment to a GrowthBook feature. */
export function toFeature(file: ExperimentFile): FeatureDefinition<boolean> {
  return { defaultValue: false, rules: file.on ? [toRule(file)] : [] }
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
