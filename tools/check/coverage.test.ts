import { expect, test } from 'vitest'
import { coverageErrors } from './coverage.ts'

const errors = (row: string) =>
  coverageErrors(
    new Map([
      ['docs/coverage.md', `| Sentence | Where | Proof |\n|---|---|---|\n${row}`],
      [
        'apps/auth/src/login/login.test.ts',
        "test('2.3 the person\\'s heading', () => show('a subtitle'))\ntest.each([1])('a row of %i', () => {})",
      ],
    ]),
  )

test('a claim with an existing place and test is valid', () => {
  const proof = '`apps/auth/src/login/login.test.ts` "the person\'s heading"'
  expect(errors(`| a heading | \`apps/auth/src/login\` | ${proof} |`)).toEqual([])
})

test('a missing place and an unknown title are errors', () => {
  expect(errors('| a heading | `apps/gone` | `apps/auth/src/login/login.test.ts` "2.3" |')).toEqual(
    ['docs/coverage.md names apps/gone, which is not there'],
  )
  expect(errors('| a heading | x | `apps/auth/src/login/login.test.ts` "a footer" |')).toHaveLength(
    1,
  )
})

test('every title is searched, and only among titles', () => {
  const proof = (titles: string) =>
    `| a heading | x | \`apps/auth/src/login/login.test.ts\` ${titles} |`
  expect(errors(proof('"2.3", "a row of"'))).toEqual([])
  expect(errors(proof('"2.3", "a footer"'))).toEqual([
    'docs/coverage.md names a test "a footer", which apps/auth/src/login/login.test.ts does not have',
  ])
  expect(errors(proof('"a subtitle"'))).toHaveLength(1)
})

test('tests named in docs/security.md are checked too', () => {
  const document = '| a threat | `apps/gone.ts` | `tests/attacks/a.test.ts` "refused" |'
  const texts = new Map([
    ['docs/security.md', document],
    ['tests/attacks/a.test.ts', "test('accepted', () => {})"],
  ])
  expect(coverageErrors(texts)).toHaveLength(2)
})
