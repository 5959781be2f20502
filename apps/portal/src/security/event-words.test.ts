import { expect, test } from 'vitest'
import { eventWords } from './event-words.ts'

test('an event has a display text, and an unknown one falls back to its kind', () => {
  expect(eventWords('signed-in')).toBe('Signed in')
  expect(eventWords('moon-landed')).toBe('moon landed')
  expect(eventWords('toString')).toBe('toString')
})
