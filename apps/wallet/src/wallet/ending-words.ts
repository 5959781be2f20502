import type { Decided, Over } from '../connection-state.ts'

/** How a question ended. */
export function decidedWords(decided: Decided): string {
  switch (decided.how) {
    case 'agreed':
      return DONE[decided.kind]
    case 'refused':
      return decided.kind === 'connect' ? 'Not connected' : 'Rejected'
    case 'withdrawn':
      return 'Nothing was signed'
    case 'interrupted':
      return 'Not answered'
  }
}

/** What the page knows of it. */
export const TOLD: Readonly<Record<Decided['how'], string>> = {
  agreed: 'The page has been told.',
  refused: 'The page has been told.',
  withdrawn: 'The page has taken its request back.',
  interrupted:
    'This window was loaded anew before you answered. The page has been told, and may ask again.',
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
export const ENDINGS: Readonly<Record<Over, { readonly title: string; readonly advice: string }>> =
  {
    'ended-by-page': {
      title: 'Disconnected',
      advice: 'The page has ended the connection.',
    },
    'ended-by-wallet': {
      title: 'Disconnected',
      advice: 'You have ended the connection. The page was told.',
    },
    expired: {
      title: 'Connection Expired',
      advice: 'The connection lasted as long as it was meant to. Connect again from the page.',
    },
    failed: {
      title: 'The connection broke off',
      advice:
        'Something went wrong on our side, and nothing was signed. Connect again from the page.',
    },
    rejected: { title: 'Not connected', advice: 'You have turned the connection down.' },
    unanswered: {
      title: 'The page did not answer',
      advice: 'The code that it gave may be used or too old. Connect again from the page.',
    },
    'account-unavailable': {
      title: 'The page wants another account',
      advice:
        'It asks for an account that this wallet does not have. Log in as somebody who has it, or choose another account on the page.',
    },
    'code-unreadable': {
      title: 'This is no wallet connection',
      advice: 'The page gave a code that cannot be read. Connect again from the page.',
    },
    'not-connected': {
      title: 'No longer connected',
      advice:
        'The page asks for something, but its connection is gone. Connect again from the page.',
    },
    'other-relay': {
      title: 'This page connects elsewhere',
      advice: 'It uses a relay that this wallet does not. Use another wallet for it.',
    },
  }
