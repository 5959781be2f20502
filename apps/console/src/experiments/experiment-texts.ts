import type {
  ExperimentResultAnswer,
  ExperimentsServer,
  Run,
} from '@portico/contracts/admin/experiments'
import type { ExperimentKey } from '@portico/contracts/experiment-keys'

export const EXPERIMENT_TEXTS: Readonly<Record<ExperimentKey, string>> = {
  'broker-agent-login': 'Broker agents log in at their provider',
  'broker-customer-login': 'Customers log in at their provider',
  'partner-simplified-onboarding': 'Shorter onboarding for partner customers',
}

export const RUN_STATES: Readonly<
  Record<Run['state'], { readonly text: string; readonly tone: 'ok' | 'neutral' | 'warn' }>
> = {
  scheduled: { text: 'Scheduled', tone: 'neutral' },
  running: { text: 'Running', tone: 'ok' },
  ended: { text: 'Ended', tone: 'neutral' },
}

export const ARM_TEXTS: Readonly<Record<string, string>> = {
  control: 'As before',
  enabled: 'New',
}

/** The verdict and what to do. */
export function verdictTexts({ kind, arm }: ExperimentResultAnswer['verdict']): {
  readonly title: string
  readonly text: string
} {
  switch (kind) {
    case 'winner':
      return arm === 'control'
        ? {
            title: 'The old way is better',
            text: 'More visitors got through without the change. End the run and choose “No one gets it”.',
          }
        : {
            title: 'The new way is better',
            text: 'More visitors got through with the change. You can end the run and choose “Everyone gets it”.',
          }
    case 'no-difference-yet':
      return {
        title: 'No difference yet',
        text: 'So far, the difference could be chance. Let it run, or end it if a difference this small does not matter to you.',
      }
    case 'not-enough-data':
      return {
        title: 'Not enough data',
        text: 'Each variant needs at least 100 visitors: at least 10 who got through and 10 who did not.',
      }
    case 'split-broken':
      return {
        title: 'The split is broken',
        text: 'The number of visitors in each variant does not match its share, so the rates cannot be compared. Do not base a decision on them.',
      }
  }
}

/** Why the rules of the experiments server do not decide. */
export const SERVER_FAILURES: Readonly<Record<ExperimentsServer['state'], string | undefined>> = {
  read: undefined,
  encrypted:
    'It encrypts its rules, and Portico has no key for them. Turn off encryption of the SDK connection in GrowthBook. Until then, the rules that were read before or the files decide.',
  unreadable:
    'It does not respond, or its response is not valid. The log has the reason. Until then, the rules that were read before or the files decide.',
}
