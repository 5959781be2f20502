import { expect, test } from 'vitest'
import { eventLabel } from './event-labels.ts'

test('each event kind has a display text, and an unknown kind is shown unchanged', () => {
  expect(eventLabel('signed-in')).toBe('Logged in')
  expect(eventLabel('moon-landed')).toBe('moon landed')
  expect(eventLabel('toString')).toBe('toString')
})
