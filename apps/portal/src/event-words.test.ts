import { expect, test } from 'vitest'
import { eventWords } from './event-words.ts'

test('each event kind has a display text, and an unknown kind is shown unchanged', () => {
  expect(eventWords('signed-in')).toBe('Logged in')
  expect(eventWords('moon-landed')).toBe('moon landed')
  expect(eventWords('toString')).toBe('toString')
})
