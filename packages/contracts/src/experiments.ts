import * as z from 'zod/mini'
import { call } from './call.ts'
import { EXPERIMENT_KEYS, EXPOSURE_PATH } from './experiment-keys.ts'
import { Uuid, visibleText } from './text.ts'

/** Whom a decision is for (§7.8). What else a client tells about its user decides nothing and is left unread. */
const OptimizeUser = z.object({
  trackerId: Uuid,
  organization: z.optional(visibleText({ max: 40 })),
})

/** A question for a decision. */
export const Decision = z.strictObject({
  optimizeUser: OptimizeUser,
  experimentKey: visibleText({ max: 64 }),
})

/** Whether the visitor sees the experiment. */
export const DecisionAnswer = z.strictObject({ flagEnabled: z.boolean() })

/**
 * Decides an experiment for a tracker (§7.8). An experiment that is off, one that is for others and one that does not
 * exist look alike: the answer tells nothing about the rule behind it.
 */
export const decideExternally = call({
  name: 'decideExternally',
  summary:
    'Decide an experiment for a tracker, under the organization that is named or else the host’s.',
  method: 'POST',
  path: '/service-optimize/external/api/v2/decision',
  auth: 'none',
  body: Decision,
  answer: DecisionAnswer,
})

/** The same for somebody who may be signed in, whose own organization then counts, whatever the body says. */
export const decideInternally = call({
  name: 'decideInternally',
  summary:
    'Decide an experiment for a tracker, under the organization of the session where there is one.',
  method: 'POST',
  path: '/service-optimize/internal/api/v2/decision',
  auth: 'cookie',
  body: Decision,
  answer: DecisionAnswer,
})

/**
 * Says that the visitor sees what an experiment decided; counted once per visitor. The visitor is who the tracker's
 * cookie names, never who a body names, and what was decided the server finds by itself.
 */
export const recordExposure = call({
  name: 'recordExposure',
  summary: 'Record that the visitor sees what an experiment decided, once per visitor.',
  method: 'POST',
  path: EXPOSURE_PATH,
  auth: 'none',
  body: z.strictObject({ experimentKey: z.enum(EXPERIMENT_KEYS) }),
})

/** The calls of experiments. */
export const EXPERIMENT_CALLS = [decideExternally, decideInternally, recordExposure] as const
