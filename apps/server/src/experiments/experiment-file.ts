import { EXPERIMENT_KEYS } from '@portico/contracts/experiment-keys'
import { OrgCode } from '@portico/contracts/organization'
import { visibleText } from '@portico/contracts/text'
import * as z from 'zod/mini'

const SHARE = 'must be a share in percent, from 0 to 100, with two decimals at most'

/** The dealing knows ten thousand places, so a finer share could not be kept. */
const Percent = z
  .number(SHARE)
  .check(
    z.refine(
      (share) =>
        share >= 0 && share <= 100 && Math.abs(share * 100 - Math.round(share * 100)) < 1e-6,
      SHARE,
    ),
  )

const Variant = z.strictObject({
  name: z
    .string()
    .check(z.regex(/^[a-z][a-z0-9-]{0,39}$/, 'must be lower case letters, digits, -')),
  enabled: z.boolean(),
  weight: Percent,
})

/**
 * An experiment as its file under `config/experiments` describes it. Growing `percent` keeps everybody who was in.
 *
 * - `on`: off, it decides no for everybody and counts nobody.
 * - `percent`: the share of visitors it says yes to; the others are its control, and count as well.
 * - `variants`: where there are, `percent` is the share that takes part, and the weights divide those.
 * - `onlyOrganizations`, `exceptOrganizations`: whose visitors take part; without them everybody's.
 */
export const ExperimentFile = z.strictObject({
  key: z.enum(EXPERIMENT_KEYS, `must be one of ${EXPERIMENT_KEYS.join(', ')}`),
  description: visibleText({ max: 200 }),
  on: z.boolean(),
  percent: Percent,
  variants: z.optional(
    z.array(Variant).check(
      z.minLength(2, 'must be two at least'),
      z.maxLength(10, 'must be ten at most'),
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

/** The parsed form of `ExperimentFile`. */
export type ExperimentFile = z.output<typeof ExperimentFile>
