import { flow } from '@portico/flow'
import type { LoginEntry } from '@portico/rules/login-entry'

/** How the login page starts (§4.4): it shows the form, logs out first, or redirects. */
export type State = { step: 'showing' } | { step: 'loggingOut' } | { step: 'goingOn' }

export type Event = { type: 'loggedOut' }

export type Command = { type: 'logOut' } | { type: 'goOn' | 'openWallet'; to: string }

export type Input = LoginEntry

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
  // If logout fails, show the page anyway: the next login replaces the session.
  failed: { type: 'loggedOut' },
  on: {
    showing: {},
    loggingOut: { loggedOut: () => [{ step: 'showing' }] },
    goingOn: {},
  },
})
