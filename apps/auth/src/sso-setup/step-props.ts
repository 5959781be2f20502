import type { Setup } from '@portico/contracts/sso-setup'
import type { CheckedDomain, Job } from './sso-setup.flow.ts'

/** The props of a step's form. */
export interface StepProps {
  readonly setup: Setup
  /** The job in progress. */
  readonly job: Job | undefined
  readonly check: CheckedDomain | undefined
  /** The directory's new token. */
  readonly token: string | undefined
  readonly onRequest: (job: Job) => void
  readonly onRecheck: (domain: string) => void
  readonly now: number
}
