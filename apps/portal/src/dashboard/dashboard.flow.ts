import { flow } from '@portico/flow'

/** The dashboard: the identity call confirms the rendered session, otherwise the page redirects to the login. */
export type State =
  | { step: 'confirming' }
  | { step: 'confirmed' }
  | { step: 'unconfirmed' }
  | { step: 'leaving' }

export type Event =
  | { type: 'identityRead' }
  | { type: 'signedOut' }
  | { type: 'unreachable' }
  | { type: 'retried' }

export type Command = { type: 'readIdentity' } | { type: 'watchToken' } | { type: 'logIn' }

const leave = () => [{ step: 'leaving' }, { type: 'logIn' }] as const

/** Another tab may log out during any step. */
const signedOut = { signedOut: leave }

export const dashboard = flow<State, Event, Command, null>({
  name: 'dashboard',
  begin: () => [{ step: 'confirming' }, { type: 'watchToken' }, { type: 'readIdentity' }],
  failed: { type: 'unreachable' },
  on: {
    confirming: {
      ...signedOut,
      identityRead: () => [{ step: 'confirmed' }, { type: 'watchToken' }],
      unreachable: () => [{ step: 'unconfirmed' }, { type: 'watchToken' }],
    },
    confirmed: signedOut,
    unconfirmed: {
      ...signedOut,
      retried: () => [{ step: 'confirming' }, { type: 'watchToken' }, { type: 'readIdentity' }],
    },
    leaving: {},
  },
})
