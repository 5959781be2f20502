import type { Decided, Over } from '../connection-state.ts'

/** How a question ended. */
export function decidedWords(decided: Decided): string {
  switch (decided.how) {
    case 'agreed':
      return DONE[decided.kind]
    case 'failed':
      return 'The network did not accept it'
    case 'refused':
      return decided.kind === 'connect' ? 'Not connected' : 'Rejected'
    case 'withdrawn':
      return 'Nothing was signed'
    case 'interrupted':
      return 'Not answered'
  }
}

/** What a state means to a person: achieved, their own choice or a fact, in need of them, or failed. */
export type Tone = 'ok' | 'neutral' | 'warn' | 'danger'

/** The tone of how a question ended. */
export const DECIDED_TONES: Readonly<Record<Decided['how'], Tone>> = {
  agreed: 'ok',
  failed: 'danger',
  refused: 'neutral',
  withdrawn: 'neutral',
  interrupted: 'warn',
}

/** What the page knows of it. */
export const TOLD: Readonly<Record<Decided['how'], string>> = {
  agreed: 'The page was notified.',
  failed: 'The transaction had no effect besides its fee. The page was notified.',
  refused: 'The page was notified.',
  withdrawn: 'The page withdrew its request.',
  interrupted: 'This window reloaded before you answered. The page was notified and may ask again.',
}

type Answered = Extract<Decided, { readonly kind: unknown }>

const DONE = {
  connect: 'Connected',
  sign: 'Signed',
  'sign-jwt': 'Signed',
  send: 'Handed to the chain',
  'switch-group': 'Changed',
} as const satisfies Record<Answered['kind'], string>

/** Why there is no connection, and what to do about it. */
export const ENDINGS: Readonly<
  Record<Over, { readonly title: string; readonly tone: Tone; readonly advice: string }>
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
    title: 'The connection broke off',
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
    advice: 'The code that it gave may be used or too old. Connect again from the page.',
  },
  'account-unavailable': {
    tone: 'warn',
    title: 'The page wants another account',
    advice:
      'It asks for an account that this wallet does not have. Log in as the person who has it, or choose another account on the page.',
  },
  'code-unreadable': {
    tone: 'danger',
    title: 'This is not a wallet connection',
    advice: 'The page gave a code that cannot be read. Connect again from the page.',
  },
  'not-connected': {
    tone: 'warn',
    title: 'No longer connected',
    advice: 'The page asks for something, but its connection is gone. Connect again from the page.',
  },
  'other-relay': {
    tone: 'warn',
    title: 'This page connects elsewhere',
    advice: 'It uses a relay that this wallet does not. Use another wallet for it.',
  },
}
