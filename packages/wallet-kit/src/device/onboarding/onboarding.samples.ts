import { UNEXPECTED } from '@portico/shell/failure'
import type { Event } from './onboarding.flow.ts'

const protection = { passphrase: 'larch window seven river', accountName: 'Everyday' }

export const WORDS = (
  'bleak alpha bunker give message direct powder general issue awesome animal ice entry parade ' +
  'invest sausage tragic away nuclear gaze learn during crew benefit'
).split(' ')

export const inputs = [null]

/** One event of each kind. */
export const events: readonly Event[] = [
  { type: 'createChosen' },
  { type: 'restoreChosen' },
  { type: 'back' },
  { type: 'protected', protection },
  { type: 'wordsGenerated', words: WORDS },
  { type: 'countChosen', count: 24 },
  { type: 'wordsShown' },
  { type: 'writtenDown' },
  { type: 'positionsDrawn', positions: [0, 7, 23] },
  { type: 'wordsConfirmed', answers: ['bleak', 'general', 'benefit'] },
  { type: 'wordsEntered', words: WORDS.join(' ') },
  { type: 'wordsRead', words: WORDS },
  { type: 'wordsNotRead', problem: { kind: 'checksum' } },
  { type: 'refused', failure: UNEXPECTED },
]
