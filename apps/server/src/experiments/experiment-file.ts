import { EXPERIMENT_KEYS } from '@portico/contracts/experiment-keys'
import { OrgCode } from '@portico/contracts/organization'
import { visibleText } from '@portico/contracts/text'
import * as z from 'zod/mini'

const PERCENT_ERROR = 'must be a percentage from 0 to 100 with at most two decimals'

/** Visitors are assigned to ten thousand buckets, so finer shares are impossible. */
const Percent = z
  .number(PERCENT_ERROR)
  .check(
    z.refine(
      (share) =>
        share >= 0 && share <= 100 && Math.abs(share * 100 - Math.round(share * 100)) < 1e-6,
      PERCENT_ERROR,
    ),
  )

const Variant = z.strictObject({
  name: z
    .string()
    .check(z.regex(/^[a-z][a-z0-9-]{0,39}$/, 'must be lower-case letters, digits and -')),
  enabled: z.boolean(),
  weight: Percent,
})

/**
 * An experiment, as a file under `config/experiments` describes it. Raising `percent` keeps all current participants.
 *
 * - `on`: if false, every visitor is excluded and nothing is counted.
 * - `percent`: the share of visitors in the treatment group; the others are the control group and are counted as well.
 * - `variants`: if present, the `percent` of visitors who take part is split among them by weight.
 * - `onlyOrganizations`, `exceptOrganizations`: restrict which organizations' visitors take part.
 */
export const ExperimentFile = z.strictObject({
  key: z.enum(EXPERIMENT_KEYS, `must be one of ${EXPERIMENT_KEYS.join(', ')}`),
  description: visibleText({ max: 200 }),
  on: z.boolean(),
  percent: Percent,
  variants: z.optional(
    z.array(Variant).check(
      z.minLength(2, 'must have at least two entries'),
      z.maxLength(10, 'must have at most ten entries'),
      z.refine(
        (variants) => new Set(variants.map(({ name }) => name)).size === variants.length,
        'must have different names',
      ),
      z.refine(
        (variants) => Math.abs(variants.reduce((sum, { weight }) => sum + weight, 0) - 100) < 1e-6,
        'must have weights that add up to 100',
      ),
    ),
  ),
  onlyOrganizations: z.optional(z.array(OrgCode)),
  exceptOrganizations: z.optional(z.array(OrgCode)),
})

export type ExperimentFile = z.output<typeof ExperimentFile>
