import type { Event, Input } from './login-entry.flow.ts'

export const inputs: readonly Input[] = [
  { kind: 'show' },
  { kind: 'logOutFirst' },
  { kind: 'goOn', to: '/dashboard' },
  { kind: 'openWallet', to: '/dashboard' },
]

export const events: readonly Event[] = [{ type: 'loggedOut' }]
