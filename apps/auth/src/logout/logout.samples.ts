import type { Event } from './logout.flow.ts'

export const inputs = [null] as const

export const events: readonly Event[] = [
  { type: 'loggedOut', to: '/auth/login' },
  { type: 'refused' },
]
