import type { Event } from './dashboard.flow.ts'

/** What the page may begin with. */
export const inputs = [null] as const

/** What the page may hear, one of each kind. */
export const events: readonly Event[] = [
  { type: 'identityRead' },
  { type: 'signedOut' },
  { type: 'unreachable' },
  { type: 'retried' },
]
