/** Acts that need a second operator: which can, and what the call of such an act answers instead of doing it. */
import * as z from 'zod/mini'
import { Uuid } from '../text.ts'

/**
 * The calls for which a deployment can require a second operator. Calls that answer a secret are not among them: the answer
 * would have to be stored until the operator who asked returns.
 */
export const APPROVABLE_ACTS = [
  'unlockPerson',
  'lockPerson',
  'endPersonSessions',
  'resetPersonFactor',
  'changePersonOrganization',
  'deletePerson',
  'publishOrganization',
  'undoOrganization',
  'publishBanner',
  'endBanner',
  'startExperiment',
  'endExperiment',
  'grantRole',
  'revokeRole',
  'revokeServiceToken',
] as const

export type ApprovableAct = (typeof APPROVABLE_ACTS)[number]

/** Nothing was done yet: another operator has to approve the act first. */
export const ApprovalNeeded = z.object({
  outcome: z.literal('approval-needed'),
  requestUuid: Uuid,
  /** When the request ends if no one has decided about it. */
  expiresAt: z.number(),
})

export type ApprovalNeeded = z.output<typeof ApprovalNeeded>
