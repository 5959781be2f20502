import { UNEXPECTED } from '@portico/shell/failure'
import type { Event, Input } from './session-start.flow.ts'

export const inputs: readonly Input[] = [
  { jwt: 'jwt', start: { kind: 'continue', to: '/dashboard', queryParams: { label: 'apollo' } } },
  { jwt: 'jwt', start: { kind: 'openWallet', to: '/dashboard' } },
  { jwt: 'jwt', start: { kind: 'openWallet', to: '/dashboard' }, passwordOffered: true },
]

export const events: readonly Event[] = [
  { type: 'identityRead', passwordExpired: true, hasPassword: true },
  { type: 'identityRead', passwordExpired: true, hasPassword: false },
  { type: 'identityRead', passwordExpired: false, hasPassword: true },
  { type: 'passwordSet' },
  { type: 'querySaved' },
  { type: 'refused', failure: UNEXPECTED },
]
