import { expect, test } from 'vitest'
import { normalizeAnswer } from './answers.ts'

test.each([
  ['Saint-Étienne', 'saint etienne'],
  ['  SAINT   etienne. ', 'saint etienne'],
  ["O'Brien", 'o brien'],
  ['Ｒｅｘ', 'rex'],
  ['Straße 12', 'straße 12'],
  ['東京', '東京'],
  ['?!', ''],
])('4.5 the answer %s is compared as %s', (answer, normalized) => {
  expect(normalizeAnswer(answer)).toBe(normalized)
})
