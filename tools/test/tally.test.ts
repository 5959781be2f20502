import { expect, test } from 'vitest'
import {
  formatTally,
  tallyPlaywright,
  tallyVitest,
  total,
  totalOfParts,
  withExitCode,
} from './tally.ts'

const clean = { passed: 3, failures: [], skipped: 0 }

test('failed tests, retried tests and files that fail outside their tests are named; tests with other tags do not count', () => {
  const report = {
    numPassedTests: 3,
    testResults: [
      { name: 'a.test.ts', status: 'failed', message: 'No such module', assertionResults: [] },
      {
        name: 'c.test.ts',
        status: 'failed',
        message: 'Two errors:\n\u001b[31mNo port',
        assertionResults: [{ status: 'skipped', fullName: 'roots', failureMessages: [], tags: [] }],
      },
      {
        name: 'b.test.ts',
        status: 'failed',
        message: '',
        assertionResults: [
          { status: 'failed', fullName: 'adds', failureMessages: ['2 is not 3\n  at a.test.ts'] },
          { status: 'passed', fullName: 'subtracts', failureMessages: [] },
          { status: 'passed', fullName: 'divides', failureMessages: ['Too late'] },
          { status: 'skipped', fullName: 'roots', failureMessages: [], tags: [] },
          { status: 'todo', fullName: 'sines', failureMessages: [] },
          { status: 'skipped', fullName: 'is slow', failureMessages: [], tags: ['exhaustive'] },
        ],
      },
    ],
  }
  const tally = tallyVitest(report, (tags) => !tags.includes('exhaustive'))
  expect(tally).toEqual({
    passed: 3,
    failures: [
      'b.test.ts: adds: 2 is not 3',
      'a.test.ts: failed outside its tests: No such module',
      'c.test.ts: failed outside its tests: Two errors:\nNo port',
    ],
    skipped: 3,
    repeated: ['b.test.ts: divides: Too late'],
  })
})

test('a browser test that passes on retry counts as passed and is named; an error outside tests is a failure', () => {
  const spec = (title: string, status: string) => ({
    title,
    file: 'a.test.ts',
    tests: [
      { projectName: 'phone', status, results: [{}, { error: { message: '\u001b[31mToo late' } }] },
    ],
  })
  const tally = tallyPlaywright({
    stats: { expected: 4, flaky: 1, skipped: 2 },
    suites: [
      {
        specs: [spec('signs in', 'expected'), spec('registers', 'flaky')],
        suites: [{ specs: [spec('recovers', 'unexpected')] }],
      },
    ],
    errors: [{ message: 'No port' }],
  })
  expect(tally).toEqual({
    passed: 5,
    failures: ['a.test.ts (phone): recovers: Too late', 'No port'],
    skipped: 2,
    repeated: ['a.test.ts (phone): registers: Too late'],
  })
})

test('a suite that ran no test counts as a failure', () => {
  expect(withExitCode({ passed: 0, failures: [], skipped: 0 }, 0).failures).toHaveLength(1)
})

test('a part of a suite that ran no test counts as a failure unless filters matched another part', () => {
  const empty = withExitCode({ passed: 0, failures: [], skipped: 0 }, 1)
  expect(totalOfParts([empty, clean], ['scim'])).toMatchObject({ passed: 3, failures: [] })
  expect(totalOfParts([empty, empty], ['scim']).failures).not.toEqual([])
  expect(totalOfParts([empty, clean], []).failures).toHaveLength(1)
})

test('a suite with a nonzero exit code counts as a failure even if its tests passed', () => {
  expect(withExitCode(clean, 1).failures).toHaveLength(1)
  expect(withExitCode({ ...clean, failures: ['a', 'b'] }, 1).failures).toHaveLength(2)
  expect(withExitCode(clean, 0)).toEqual(clean)
})

test('the last line names skipped tests only if there are any', () => {
  expect(formatTally(total([clean, clean]))).toBe('6 passed, 0 failed')
  expect(formatTally(total([clean, { passed: 0, failures: ['a'], skipped: 2 }]))).toBe(
    '3 passed, 1 failed, 2 skipped',
  )
  const skipped = { ...clean, skipped: 8, skippedBecause: ['Firefox was not found'] }
  expect(formatTally(total([clean, skipped]))).toBe(
    '6 passed, 0 failed, 8 skipped (Firefox was not found)',
  )
})
