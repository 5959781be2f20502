import { ROUTER_BASE } from '@portico/contracts/limits'
import { flow } from '@portico/flow'

/** Logging out (§4.4): whatever happens on the way, it ends on another page. */
export type State = { step: 'loggingOut' } | { step: 'leaving' }

/** What the log-out hears. */
export type Event = { type: 'loggedOut'; to: string } | { type: 'refused' }

/** What the log-out has done. */
export type Command = { type: 'logOut' } | { type: 'leave'; to: string }

const LOGIN = `${ROUTER_BASE}/login`

/** The table of the log-out. */
export const logout = flow<State, Event, Command, null>({
  name: 'logout',
  begin: () => [{ step: 'loggingOut' }, { type: 'logOut' }],
  failed: { type: 'refused' },
  on: {
    loggingOut: {
      loggedOut: (_, { to }) => [{ step: 'leaving' }, { type: 'leave', to }],
      refused: () => [{ step: 'leaving' }, { type: 'leave', to: LOGIN }],
    },
    leaving: {},
  },
})
