import type { SavedSection } from '@portico/contracts/passport'
import { UNEXPECTED } from '@portico/shell/failure'
import type { Draft, Event } from './fill-in.flow.ts'

export const draft: Draft = {
  section: 'kyc',
  version: 1,
  answers: { city: 'Portland' },
  savedAt: 1_893_456_000_000,
  unsaved: {},
  conflicts: {},
}

export const section = (version: number, city: string): SavedSection => ({
  section: 'kyc',
  status: 'IN_PROGRESS',
  version,
  savedAt: 1_893_456_000_000,
  answers: { city },
})

export const inputs = [{ drafts: [draft] }]

export const events: readonly Event[] = [
  { type: 'answered', section: 'kyc', name: 'city', value: 'Boston' },
  { type: 'saved', section: section(2, 'Boston') },
  { type: 'changedElsewhere', section: section(3, 'Portland') },
  { type: 'changedElsewhere', section: section(4, 'Salem') },
  { type: 'filesChanged', section: section(5, 'Portland') },
  { type: 'conflictResolved', section: 'kyc', name: 'city', keep: 'mine' },
  { type: 'conflictResolved', section: 'kyc', name: 'city', keep: 'theirs' },
  { type: 'refused', failure: UNEXPECTED },
  { type: 'retried' },
  { type: 'submitRequested' },
  { type: 'submitted' },
]
