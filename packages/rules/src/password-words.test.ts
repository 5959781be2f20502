import { expect, test } from 'vitest'
import { passwordWords, withoutWords } from './password-words.ts'

const WORDS = passwordWords('olga.organizer+loans@mail.hofmann.example', [
  'Figure Lending',
  'Figure Demonstration Lending LLC',
  'Hofmann & Söhne',
])

test.each([
  ['FigureLending2026', '2026'],
  ['figure-lending!', '-!'],
  ['F1gur3Lend1ng#1', '#1'],
  ['OlgaOrganizer99', '99'],
  ['Söhne2026', '2026'],
  ['sohne2026', '2026'],
  ['HOFMANN', ''],
  ['olga.organizer+loans@mail.hofmann.example', ''],
  ['olga.organizer+loans-7', '-7'],
  ['quiet-harbour-71-lantern', 'quiet-harbour-71-lantern'],
  ['lantern figure harbour', 'lantern  harbour'],
  ['example-com', 'example-com'],
])('5 own words count for nothing in a password: %s', (password, rest) => {
  expect(withoutWords(password, WORDS)).toBe(rest)
})
