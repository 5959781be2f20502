import { UNEXPECTED } from '@portico/shell/failure'
import type { Event, Input } from './accounts.flow.ts'

/** What the accounts may begin with. */
export const inputs: readonly Input[] = [{ empty: true }, { empty: false }]

/** What they may hear, one of each kind. */
export const events: readonly Event[] = [
  { type: 'formOpened', form: { kind: 'create' } },
  { type: 'formOpened', form: { kind: 'restore' } },
  { type: 'formOpened', form: { kind: 'rename', address: 'tp1', name: 'Everyday' } },
  { type: 'given', values: { name: 'Savings' } },
  { type: 'saved' },
  { type: 'refused', failure: UNEXPECTED },
  { type: 'back' },
  { type: 'lockAsked' },
  { type: 'locked' },
]
