import type { Decision } from '../approval-prompt.ts'

/** The title that states the outcome of a request. */
export function decisionTitle(decided: Decision): string {
  switch (decided.how) {
    case 'agreed':
      return DONE[decided.kind]
    case 'failed':
      return 'The network did not accept it'
    case 'unknown':
      return 'Was it sent?'
    case 'proposed':
      return 'Waiting for votes'
    case 'refused':
      return decided.kind === 'connect' ? 'Not connected' : 'Rejected'
    case 'withdrawn':
      return 'Nothing was signed'
    case 'interrupted':
      return 'Not answered'
  }
}

/** The tone of a state: success, neutral, needs attention, or failure. */
export type Tone = 'ok' | 'neutral' | 'warn' | 'danger'

/** The tone of each outcome. */
export const DECISION_TONES: Readonly<Record<Decision['how'], Tone>> = {
  agreed: 'ok',
  failed: 'danger',
  unknown: 'warn',
  proposed: 'neutral',
  refused: 'neutral',
  withdrawn: 'neutral',
  interrupted: 'warn',
}

/** What the page was notified of. */
export const DECISION_TEXTS: Readonly<Record<Decision['how'], string>> = {
  agreed: 'The page was notified.',
  failed: 'The transaction had no effect other than its fee. The page was notified.',
  unknown: 'Check your balance before you ask for it again. The page was notified.',
  proposed: 'The other members vote in their wallets. The page receives the result.',
  refused: 'The page was notified.',
  withdrawn: 'The page withdrew its request.',
  interrupted: 'This window reloaded before you answered. The page was notified and may ask again.',
}

type Answered = Extract<Decision, { readonly kind: unknown }>

const DONE = {
  connect: 'Connected',
  sign: 'Signed',
  'sign-jwt': 'Signed',
  send: 'Sent to the network',
  'switch-group': 'Changed',
} as const satisfies Record<Answered['kind'], string>
