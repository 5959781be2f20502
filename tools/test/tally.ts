import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** The result of a suite; failed, retried and skipped tests are always reported. */
export type Tally = {
  readonly passed: number
  /** One line per failure. */
  readonly failures: readonly string[]
  readonly skipped: number
  /** Why tests were skipped. */
  readonly skippedBecause?: readonly string[]
  /** Tests that passed only on retry, also counted as passed. */
  readonly repeated?: readonly string[]
}

/** For a suite without tests. */
export const NOTHING: Tally = { passed: 0, failures: [], skipped: 0 }

/** A suite that crashed without a report counts as one failure. */
export const CRASHED: Tally = {
  passed: 0,
  failures: ['could not be run; the reason is above'],
  skipped: 0,
}

const RAN_NO_TEST = 'ran no test'

/** The used part of vitest's JSON report. */
export type VitestReport = {
  readonly numPassedTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    /** Of an error outside its tests, such as one in its set-up. */
    readonly message: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly failureMessages: readonly string[]
      readonly tags?: readonly string[]
    }[]
  }[]
}

/** The used part of Playwright's JSON report. */
export type PlaywrightReport = {
  readonly stats: { readonly expected: number; readonly flaky: number; readonly skipped: number }
  readonly suites: readonly PlaywrightSuite[]
  readonly errors: readonly { readonly message?: string }[]
}

const SKIPPED = ['skipped', 'pending', 'todo', 'disabled']

type VitestTest = VitestReport['testResults'][number]['assertionResults'][number]

type PlaywrightSuite = {
  readonly suites?: readonly PlaywrightSuite[]
  readonly specs?: readonly {
    readonly title: string
    readonly file: string
    readonly tests: readonly {
      readonly projectName: string
      readonly status: string
      readonly results?: readonly { readonly error?: { readonly message?: string } }[]
    }[]
  }[]
}

/**
 * Counts a vitest run. A file that fails outside its tests, because it cannot be loaded or set up, counts as one failure,
 * with its whole message. Tests that the run did not mean to include, by their tags, are not skipped.
 */
export function tallyVitest(
  report: VitestReport,
  isIncluded: (tags: readonly string[]) => boolean = () => true,
): Tally {
  const files = report.testResults.map((file) => ({
    ...file,
    name: path.relative(process.cwd(), file.name),
  }))
  const namesOf = (isMeant: (test: VitestTest) => boolean) =>
    files.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(isMeant)
        .map(
          ({ fullName, failureMessages }) => `${name}: ${fullName}${because(failureMessages[0])}`,
        ),
    )
  const failedOutside = files.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  )
  return {
    passed: report.numPassedTests,
    failures: [
      ...namesOf(({ status }) => status === 'failed'),
      ...failedOutside.map(
        ({ name, message }) =>
          `${name}: failed outside its tests: ${stripVTControlCharacters(message)}`,
      ),
    ],
    skipped: files
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status, tags = [] }) => SKIPPED.includes(status) && isIncluded(tags)).length,
    // A passed test with failure messages failed first.
    repeated: namesOf(
      ({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0,
    ),
  }
}

/** Counts a Playwright run; a test that passed on retry has passed. */
export function tallyPlaywright({ stats, suites, errors }: PlaywrightReport): Tally {
  return {
    passed: stats.expected + stats.flaky,
    failures: [
      ...namesOf(suites, 'unexpected'),
      ...errors.map(({ message }) => message ?? 'an error outside every test'),
    ],
    skipped: stats.skipped,
    repeated: namesOf(suites, 'flaky'),
  }
}

function namesOf(suites: readonly PlaywrightSuite[], status: string): string[] {
  return suites.flatMap(({ suites: inner = [], specs = [] }) => [
    ...specs.flatMap(({ title, file, tests }) =>
      tests
        .filter((test) => test.status === status)
        .map(({ projectName, results = [] }) => {
          const message = results.find(({ error }) => error !== undefined)?.error?.message
          return `${file} (${projectName}): ${title}${because(message)}`
        }),
    ),
    ...namesOf(inner, status),
  ])
}

/** The first line of a message; the rest is in the full log. */
function because(message: string | undefined): string {
  const line = stripVTControlCharacters(message ?? '').split('\n', 1)[0]
  return line === '' ? '' : `: ${line}`
}

/**
 * Checks a tally against the exit code: a nonzero exit without a failed test (a hung worker,
 * an error outside tests, a broken report) is a failure, and so is a suite that ran nothing.
 */
export function withExitCode(tally: Tally, exitCode: number): Tally {
  const withFailure = (failure: string) => ({ ...tally, failures: [...tally.failures, failure] })
  if (tally.passed + tally.failures.length + tally.skipped === 0) return withFailure(RAN_NO_TEST)
  if (exitCode !== 0 && tally.failures.length === 0) {
    return withFailure(`ended with code ${exitCode} outside every test; the reason is above`)
  }
  return tally
}

export function total(tallies: readonly Tally[]): Tally {
  const sum = (count: (tally: Tally) => number) =>
    tallies.reduce((before, tally) => before + count(tally), 0)
  return {
    passed: sum((tally) => tally.passed),
    failures: tallies.flatMap((tally) => tally.failures),
    skipped: sum((tally) => tally.skipped),
    skippedBecause: tallies.flatMap(({ skippedBecause = [] }) => skippedBecause),
    repeated: tallies.flatMap(({ repeated = [] }) => repeated),
  }
}

/** The sum of the parts of a suite. Filters may match tests of one part only; the other parts then need not run any. */
export function totalOfParts(parts: readonly Tally[], filters: readonly string[]): Tally {
  const ran = parts.filter(({ failures }) => failures[0] !== RAN_NO_TEST)
  return total(filters.length > 0 && ran.length > 0 ? ran : parts)
}

/** The last line of a run, for people and scripts. */
export function formatTally({ passed, failures, skipped, skippedBecause = [] }: Tally): string {
  const counts = `${passed} passed, ${failures.length} failed`
  if (skipped === 0) return counts
  const reasons = skippedBecause.length === 0 ? '' : ` (${skippedBecause.join('; ')})`
  return `${counts}, ${skipped} skipped${reasons}`
}
