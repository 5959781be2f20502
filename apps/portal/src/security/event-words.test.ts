import { expect, test } from 'vitest'
import { eventWords } from './event-words.ts'

test('an event is said in words, and one that is not known by its own name', () => {
  expect(eventWords('signed-in')).toBe('Signed in')
  expect(eventWords('moon-landed')).toBe('moon landed')
  expect(eventWords('toString')).toBe('toString')
})
