import type { Event } from './dashboard.flow.ts'

export const inputs = [null] as const

export const events: readonly Event[] = [
  { type: 'identityRead' },
  { type: 'signedOut' },
  { type: 'unreachable' },
  { type: 'retried' },
]
