import { expect, test } from 'vitest'
import { inWords, settle, tallyPlaywright, tallyVitest, total } from './tally.ts'

const clean = { passed: 3, failed: 0, skipped: 0 }

test('a test file that cannot be loaded counts as a failure', () => {
  const tally = tallyVitest({
    numPassedTests: 3,
    numFailedTests: 1,
    numPendingTests: 1,
    numTodoTests: 1,
    testResults: [
      { status: 'failed', assertionResults: [] },
      { status: 'failed', assertionResults: [{}] },
      { status: 'passed', assertionResults: [{}] },
    ],
  })
  expect(tally).toEqual({ passed: 3, failed: 2, skipped: 2 })
})

test('a browser test that passes when repeated counts as passed; an error outside tests as a failure', () => {
  const stats = { expected: 4, unexpected: 1, flaky: 1, skipped: 2 }
  expect(tallyPlaywright({ stats, errors: [{}] })).toEqual({ passed: 5, failed: 2, skipped: 2 })
})

test('a suite that ran no test counts as a failure', () => {
  expect(settle({ passed: 0, failed: 0, skipped: 0 }, 0).failed).toBe(1)
})

test('a suite that ends badly although its tests passed counts as a failure', () => {
  expect(settle(clean, 1)).toEqual({ ...clean, failed: 1 })
  expect(settle({ ...clean, failed: 2 }, 1).failed).toBe(2)
  expect(settle(clean, 0)).toEqual(clean)
})

test('the last line names what was skipped only where something was', () => {
  expect(inWords(total([clean, clean]))).toBe('6 passed, 0 failed')
  expect(inWords(total([clean, { passed: 0, failed: 1, skipped: 2 }]))).toBe(
    '3 passed, 1 failed, 2 skipped',
  )
})
