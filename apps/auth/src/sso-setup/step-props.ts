import type { Setup } from '@portico/contracts/sso-setup'
import type { CheckedDomain, Job } from './sso-setup.flow.ts'

/** What the form of a step is given. */
export interface StepProps {
  readonly setup: Setup
  /** The job that is being done. */
  readonly job: Job | undefined
  readonly check: CheckedDomain | undefined
  /** The directory's new token. */
  readonly token: string | undefined
  readonly onRequest: (job: Job) => void
  readonly onRecheck: (domain: string) => void
  readonly now: number
}
