import { expect, test } from 'vitest'
import { coverageFaults } from './coverage.ts'

const faults = (row: string) =>
  coverageFaults(
    new Map([
      ['docs/coverage.md', `| Sentence | Where | Proof |\n|---|---|---|\n${row}`],
      ['apps/auth/src/login/login.test.ts', "test('2.3 the person\\'s heading')"],
    ]),
  )

test('a claim whose place and test are there is no fault', () => {
  const proof = '`apps/auth/src/login/login.test.ts` "the person\'s heading"'
  expect(faults(`| a heading | \`apps/auth/src/login\` | ${proof} |`)).toEqual([])
})

test('a place that is gone, a title that no test has and a row without proof are faults', () => {
  expect(faults('| a heading | `apps/gone` | `apps/auth/src/login/login.test.ts` "2.3" |')).toEqual(
    ['docs/coverage.md names apps/gone, which is not there'],
  )
  expect(faults('| a heading | x | `apps/auth/src/login/login.test.ts` "a footer" |')).toHaveLength(
    1,
  )
  expect(faults('| a heading | x | somebody said so |')).toHaveLength(1)
})
