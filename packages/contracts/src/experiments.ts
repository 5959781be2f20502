import * as z from 'zod/mini'
import { call } from './call.ts'
import { EXPERIMENT_KEYS, EXPOSURE_PATH } from './experiment-keys.ts'
import { Uuid, visibleText } from './text.ts'

/** The visitor to decide for (§7.8). Other user fields that a client sends are ignored. */
const OptimizeUser = z.object({
  trackerId: Uuid,
  organization: z.optional(visibleText({ max: 40 })),
})

export const Decision = z.strictObject({
  optimizeUser: OptimizeUser,
  experimentKey: visibleText({ max: 64 }),
})

/** Whether the visitor sees the experiment. */
export const DecisionAnswer = z.strictObject({ flagEnabled: z.boolean() })

/**
 * Decides an experiment for a tracker (§7.8). The response is the same for an experiment that is off, one for other
 * visitors and one that does not exist, so it reveals nothing about the rule.
 */
export const decideExternally = call({
  name: 'decideExternally',
  summary: 'Decide an experiment for a tracker, for the named organization or else the host’s.',
  method: 'POST',
  path: '/service-optimize/external/api/v2/decision',
  auth: 'none',
  body: Decision,
  answer: DecisionAnswer,
})

/**
 * The same for our own pages. Uses the page's organization, never the one in the body, so that decisions agree with
 * exposures.
 */
export const decideInternally = call({
  name: 'decideInternally',
  summary: 'Decide an experiment for a tracker, for the organization of the page.',
  method: 'POST',
  path: '/service-optimize/internal/api/v2/decision',
  auth: 'none',
  body: Decision,
  answer: DecisionAnswer,
})

/**
 * Records that the visitor sees what an experiment decided, once per visitor. The visitor comes from the tracker's
 * cookie, never from the body, and the server determines the decision itself.
 */
export const recordExposure = call({
  name: 'recordExposure',
  summary: 'Record that the visitor sees what an experiment decided, once per visitor.',
  method: 'POST',
  path: EXPOSURE_PATH,
  auth: 'none',
  body: z.strictObject({ experimentKey: z.enum(EXPERIMENT_KEYS) }),
})

export const EXPERIMENT_CALLS = [decideExternally, decideInternally, recordExposure] as const
