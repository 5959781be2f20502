import { expect, test } from 'vitest'
import { coverageOf } from './coverage.ts'

const TITLES = new Map([
  ['apps/auth/src/login/login.test.tsx', ['2.3 the heading names the company', '2.3 a footer']],
  ['tests/journeys/pages.test.ts', ['2.3 a footer']],
])
const row = (proof: string) =>
  `| Sentence | Where | Proof |\n|---|---|---|\n| a heading | x | ${proof} |`

test('part of a title is replaced by the file and the whole title', () => {
  const { text, errors } = coverageOf(row('"the heading"'), TITLES)
  expect(errors).toEqual([])
  expect(text).toBe(row('`apps/auth/src/login/login.test.tsx` "2.3 the heading names the company"'))
})

test('every test with such a title is listed once', () => {
  const { text } = coverageOf(row('"a footer"; "2.3 a footer"'), TITLES)
  expect(text).toBe(
    row(
      '`apps/auth/src/login/login.test.tsx` "2.3 a footer"; `tests/journeys/pages.test.ts` "2.3 a footer"',
    ),
  )
})

test('an unknown title, one that many files have and a row without a title are errors', () => {
  expect(coverageOf(row('"a header"'), TITLES).errors).toEqual([
    'no test title contains "a header"',
  ])
  expect(coverageOf(row('proven'), TITLES).errors).toHaveLength(1)
  const many = new Map(['a', 'b', 'c', 'd'].map((file) => [file, ['2.3 a footer']]))
  expect(coverageOf(row('"a footer"'), many).errors).toHaveLength(1)
})
