import { UNEXPECTED } from '@portico/shell/failure'
import type { Event, Input } from './accounts.flow.ts'

export const inputs: readonly Input[] = [{ empty: true }, { empty: false }]

/** One event of each kind. */
export const events: readonly Event[] = [
  { type: 'formOpened', form: { kind: 'create' } },
  { type: 'formOpened', form: { kind: 'restore' } },
  { type: 'formOpened', form: { kind: 'rename', address: 'tp1', name: 'Everyday' } },
  { type: 'submitted', values: { name: 'Savings' } },
  { type: 'saved' },
  { type: 'refused', failure: UNEXPECTED },
  { type: 'confirmationNeeded' },
  { type: 'confirmed' },
  { type: 'back' },
  { type: 'lockRequested' },
  { type: 'locked' },
]
