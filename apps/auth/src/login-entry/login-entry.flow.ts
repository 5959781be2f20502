import { flow } from '@portico/flow'
import type { LoginEntry } from '@portico/rules/login-entry'

/** What the login page does first (§4.4): shows itself, logs out before it does, or goes on. */
export type State = { step: 'showing' } | { step: 'loggingOut' } | { step: 'goingOn' }

/** What the login page's entry hears. */
export type Event = { type: 'loggedOut' }

/** What the login page's entry has done. */
export type Command = { type: 'logOut' } | { type: 'goOn' | 'openWallet'; to: string }

/** What the login page's entry begins with. */
export type Input = LoginEntry

/** The table of the login page's entry. */
export const loginEntry = flow<State, Event, Command, Input>({
  name: 'login-entry',
  begin: (entry) => {
    switch (entry.kind) {
      case 'show':
        return [{ step: 'showing' }]
      case 'logOutFirst':
        return [{ step: 'loggingOut' }, { type: 'logOut' }]
      case 'goOn':
      case 'openWallet':
        return [{ step: 'goingOn' }, { type: entry.kind, to: entry.to }]
    }
  },
  // A session that could not be ended gives way to the next login, so the page is shown all the same.
  failed: { type: 'loggedOut' },
  on: {
    showing: {},
    loggingOut: { loggedOut: () => [{ step: 'showing' }] },
    goingOn: {},
  },
})
