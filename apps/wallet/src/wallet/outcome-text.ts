import type { Decision } from '@portico/wallet-kit/approval-prompt'
import type { EndReason } from '../connection-state.ts'

/** The title that states the outcome of a request. */
export function decisionTitle(decided: Decision): string {
  switch (decided.how) {
    case 'agreed':
      return DONE[decided.kind]
    case 'failed':
      return 'The network did not accept it'
    case 'unknown':
      return 'Was it sent?'
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
  refused: 'neutral',
  withdrawn: 'neutral',
  interrupted: 'warn',
}

/** What the page was notified of. */
export const DECISION_TEXTS: Readonly<Record<Decision['how'], string>> = {
  agreed: 'The page was notified.',
  failed: 'The transaction had no effect besides its fee. The page was notified.',
  unknown: 'Check your balance before you ask for it again. The page was notified.',
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

/** Why there is no connection, with advice. */
export const ENDINGS: Readonly<
  Record<EndReason, { readonly title: string; readonly tone: Tone; readonly advice: string }>
> = {
  'ended-by-page': {
    tone: 'neutral',
    title: 'Disconnected',
    advice: 'The page ended the connection.',
  },
  'ended-by-wallet': {
    tone: 'neutral',
    title: 'Disconnected',
    advice: 'You ended the connection. The page was notified.',
  },
  expired: {
    tone: 'warn',
    title: 'Connection Expired',
    advice: 'The connection reached the end of its time. Connect again from the page.',
  },
  failed: {
    tone: 'danger',
    title: 'The connection was lost',
    advice:
      'Something went wrong on our side, and nothing was signed. Connect again from the page.',
  },
  rejected: {
    tone: 'neutral',
    title: 'Not connected',
    advice: 'You declined the connection. To try again, connect from the page.',
  },
  unanswered: {
    tone: 'warn',
    title: 'The page did not answer',
    advice: 'Its code may already be used or too old. Connect again from the page.',
  },
  'account-unavailable': {
    tone: 'warn',
    title: 'The page requires another account',
    advice:
      'This wallet does not have the account it asks for. Log in as the owner of that account, or choose another account on the page.',
  },
  'code-unreadable': {
    tone: 'danger',
    title: 'This is not a wallet connection',
    advice: 'The code from the page is not valid. Connect again from the page.',
  },
  'not-connected': {
    tone: 'warn',
    title: 'No longer connected',
    advice: 'The page sent a request, but it is no longer connected. Connect again from the page.',
  },
  'other-relay': {
    tone: 'warn',
    title: 'This page uses another relay',
    advice: 'This wallet cannot connect to it. Use another wallet for this page.',
  },
}
