import type { Event, Input } from './login-entry.flow.ts'

/** What the login page's entry may begin with. */
export const inputs: readonly Input[] = [
  { kind: 'show' },
  { kind: 'logOutFirst' },
  { kind: 'goOn', to: '/dashboard' },
  { kind: 'openWallet', to: '/dashboard' },
]

/** What the login page's entry may hear, one of each kind. */
export const events: readonly Event[] = [{ type: 'loggedOut' }]
