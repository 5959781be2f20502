import { ROUTER_BASE } from '@portico/contracts/limits'
import { flow } from '@portico/flow'

/** Logging out (§4.4). It always ends on another page, even after a failure. */
export type State = { step: 'loggingOut' } | { step: 'leaving' }

export type Event = { type: 'loggedOut'; to: string } | { type: 'refused' }

export type Command = { type: 'logOut' } | { type: 'leave'; to: string }

const LOGIN = `${ROUTER_BASE}/login`

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
