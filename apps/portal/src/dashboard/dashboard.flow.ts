import { flow } from '@portico/flow'

/** The signed-in person's page: what the server drew is confirmed by the identity call, or left at once. */
export type State =
  | { step: 'confirming' }
  | { step: 'confirmed' }
  | { step: 'unconfirmed' }
  | { step: 'leaving' }

/** What the page hears. */
export type Event =
  | { type: 'identityRead' }
  | { type: 'signedOut' }
  | { type: 'unreachable' }
  | { type: 'retried' }

/** What the page has done. */
export type Command = { type: 'readIdentity' } | { type: 'watchToken' } | { type: 'logIn' }

const leave = () => [{ step: 'leaving' }, { type: 'logIn' }] as const

/** Another tab may log out in any step (two tabs: one log-out). */
const signedOut = { signedOut: leave }

/** The table of the page. */
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
