import type { Event } from './logout.flow.ts'

/** What the log-out may begin with. */
export const inputs = [null] as const

/** What the log-out may hear, one of each kind. */
export const events: readonly Event[] = [
  { type: 'loggedOut', to: '/auth/login' },
  { type: 'refused' },
]
