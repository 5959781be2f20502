/** What a suite came to; tests that were not run are named, never passed over. */
export type Tally = { readonly passed: number; readonly failed: number; readonly skipped: number }

/** Of a suite that has no tests yet. */
export const NOTHING: Tally = { passed: 0, failed: 0, skipped: 0 }

/** A suite that fell over before it could say anything counts as one failure. */
export const CRASHED: Tally = { passed: 0, failed: 1, skipped: 0 }

/** The part of vitest's JSON report that the sum needs. */
export type VitestReport = {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: readonly {
    readonly status: string
    readonly assertionResults: readonly unknown[]
  }[]
}

/** The part of Playwright's JSON report that the sum needs. */
export type PlaywrightReport = {
  readonly stats: {
    readonly expected: number
    readonly unexpected: number
    readonly flaky: number
    readonly skipped: number
  }
  readonly errors: readonly unknown[]
}

/** Counts a vitest run; a file that could not even be loaded holds no test and counts as one failure. */
export function tallyVitest(report: VitestReport): Tally {
  const unloadable = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloadable.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/** Counts a Playwright run; a test that passed when it was repeated has passed, and the runner has named it. */
export function tallyPlaywright({ stats, errors }: PlaywrightReport): Tally {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
  }
}

/**
 * Holds a tally against how its process ended: a non-zero exit without a failed test (an error
 * outside every test, a broken report) is a failure, and so is a suite that ran nothing.
 */
export function settle(tally: Tally, exitCode: number): Tally {
  const ranNothing = tally.passed + tally.failed + tally.skipped === 0
  const unexplained = exitCode !== 0 && tally.failed === 0
  return ranNothing || unexplained ? { ...tally, failed: tally.failed + 1 } : tally
}

/** The sum over all suites. */
export function total(tallies: readonly Tally[]): Tally {
  const sum = (count: (tally: Tally) => number) =>
    tallies.reduce((before, tally) => before + count(tally), 0)
  return {
    passed: sum((tally) => tally.passed),
    failed: sum((tally) => tally.failed),
    skipped: sum((tally) => tally.skipped),
  }
}

/** The sentence that ends a run, for people and machines alike. */
export function inWords({ passed, failed, skipped }: Tally): string {
  const counts = `${passed} passed, ${failed} failed`
  return skipped === 0 ? counts : `${counts}, ${skipped} skipped`
}
