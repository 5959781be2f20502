/** The acts that can require a second operator, and the response of a call that is waiting for one. */
import * as z from 'zod/mini'
import { Uuid } from '../text.ts'

/**
 * The calls for which a deployment can require a second operator. Calls that return a secret are excluded, because the
 * secret would have to be stored until the requester returns.
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

/** The names of acts in the console and in mail. */
export const ACT_TITLES: Readonly<Record<ApprovableAct, string>> = {
  unlockPerson: 'Unlock an account',
  lockPerson: 'Lock an account',
  endPersonSessions: 'End all sessions',
  resetPersonFactor: 'Reset a factor',
  changePersonOrganization: 'Move a person',
  deletePerson: 'Delete an account',
  publishOrganization: 'Publish an organization',
  undoOrganization: 'Publish an earlier version',
  publishBanner: 'Publish a banner',
  endBanner: 'End a banner',
  startExperiment: 'Start a run',
  endExperiment: 'End a run',
  grantRole: 'Grant a role',
  revokeRole: 'Revoke a role',
  revokeServiceToken: 'Revoke a service token',
}

/** Another operator must approve the act; nothing has changed yet. */
export const ApprovalNeeded = z.object({
  outcome: z.literal('approval-needed'),
  requestUuid: Uuid,
  /** When the request expires without a decision. */
  expiresAt: z.number(),
})

export type ApprovalNeeded = z.output<typeof ApprovalNeeded>
