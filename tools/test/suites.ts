import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { runSteps } from '../check/steps.ts'
import { findExtensionChromium, requireChromium } from '../machine/chromium.ts'
import { findFirefox } from '../machine/firefox.ts'
import { startPostgres } from '../machine/postgres.ts'
import { startRedis } from '../machine/redis.ts'
import { findWebkit } from '../machine/webkit.ts'
import { ROOT, run } from '../setup/processes.mjs'
import { installPublishedPackages } from './published-packages.ts'
import {
  NOTHING,
  type Tally,
  tallyPlaywright,
  tallyVitest,
  totalOfParts,
  withExitCode,
} from './tally.ts'

/** The report folder and the test filters of a suite. */
type SuiteOptions = { readonly reports: string; readonly filters: readonly string[] }

export type Suite = {
  readonly title: string
  readonly run: (options: SuiteOptions) => Promise<Tally>
}

/** The tests of a run by their tags (vitest.config.ts): as an expression for vitest, and as a function for the count. */
type Selection = {
  readonly expression: string
  readonly includes: (tags: readonly string[]) => boolean
}

const NOT_EXHAUSTIVE: Selection = {
  expression: '!exhaustive',
  includes: (tags) => !tags.includes('exhaustive'),
}
const EXHAUSTIVE: Selection = {
  expression: 'exhaustive',
  includes: (tags) => tags.includes('exhaustive'),
}
const OF_THE_DATABASE: Selection = {
  expression: 'database && !exhaustive',
  includes: (tags) => tags.includes('database') && !tags.includes('exhaustive'),
}
const NOT_OF_THE_DATABASE: Selection = {
  expression: '!database || exhaustive',
  includes: (tags) => !tags.includes('database') || tags.includes('exhaustive'),
}
const ALL: Selection = { expression: '', includes: () => true }

const UNIT_FILES = '{apps,bench,packages,tools}/**/*.test.{ts,tsx}'
const COMPONENT_FILES = '{apps,packages}/**/*.component.test.tsx'
const JOURNEY_FILES = 'tests/{journeys,attacks}/**/*.test.ts'
const INTEROP_FILES = 'tests/interop/*.test.ts'
const ENGINE_FILES = 'tests/engines/*.test.ts'
const EXTENSION_FILES = 'tests/extension/*.test.ts'
const BROWSER_FILES = 'tests/browser/**/*.test.ts'
const FIREFOX_FILES = 'tests/{extension,interop}/*.test.ts'
const WALK_FILES = 'tests/extension/walks.exhaustive.test.ts'
const EXHAUSTIVE_FILES =
  '{apps,packages,tools,tests/journeys,tests/attacks}/**/*.exhaustive.test.{ts,tsx}'
const EXHAUSTIVE_JOURNEY_FILES = 'tests/{journeys,attacks}/**/*.exhaustive.test.ts'
const EXHAUSTIVE_BROWSER_FILES = 'tests/browser/**/*.exhaustive.test.ts'

/** The suites of `npm test`, fastest feedback first. */
export const SUITES = {
  check: { title: 'Check', run: check },
  unit: { title: 'Unit tests', run: (options) => withRedis('unit', UNIT_FILES, options) },
  components: {
    title: 'Components in the browser',
    run: (options) =>
      vitest('components', COMPONENT_FILES, options, { PORTICO_CHROMIUM: requireChromium() }),
  },
  journeys: {
    title: 'Journeys and attacks on the embedded database',
    run: (options) => vitest('journeys', JOURNEY_FILES, options),
  },
  'journeys-postgres': {
    title: 'Journeys and attacks on PostgreSQL and Redis',
    run: (options) => onPostgres('journeys', JOURNEY_FILES, options, OF_THE_DATABASE),
  },
  interop: {
    title: 'Our wallet library and relay with the published packages',
    run: (options) => interop(options),
  },
  extension: {
    title: 'The extension in real browsers',
    run: (options) => inBrowsers('extension', EXTENSION_FILES, options, extensionBrowsers()),
  },
  browser: { title: 'Browser tests', run: (options) => browser(BROWSER_FILES, options) },
} satisfies Record<string, Suite>

/** The suites of `npm run test:exhaustive`. */
export const EXHAUSTIVE_SUITES = {
  exhaustive: {
    title: 'Exhaustive tests',
    run: async (options) =>
      totalOfParts(
        [
          await withRedis('exhaustive', EXHAUSTIVE_FILES, options, ALL),
          await vitest('journeys', JOURNEY_FILES, options, {}, EXHAUSTIVE),
          await interop(options, EXHAUSTIVE),
        ],
        options.filters,
      ),
  },
  'exhaustive-postgres': {
    title: 'Exhaustive journeys and attacks on PostgreSQL and Redis',
    run: async (options) => {
      const filters =
        options.filters.length === 0 ? ['tests/journeys/', 'tests/attacks/'] : options.filters
      return totalOfParts(
        [
          await onPostgres('exhaustive', EXHAUSTIVE_JOURNEY_FILES, { ...options, filters }, ALL),
          await onPostgres('journeys', JOURNEY_FILES, options, NOT_OF_THE_DATABASE),
        ],
        options.filters,
      )
    },
  },
  'exhaustive-browser': {
    title: 'Exhaustive browser tests',
    run: (options) => browser(EXHAUSTIVE_BROWSER_FILES, options, { PORTICO_EXHAUSTIVE: '1' }),
  },
  firefox: {
    title: 'The extension in Firefox',
    run: async (options) => {
      await installPublishedPackages()
      return inBrowsers('firefox', FIREFOX_FILES, options, { Firefox: findFirefox() })
    },
  },
  engines: {
    title: 'Core journeys in Firefox and WebKitGTK',
    run: (options) =>
      inBrowsers('engines', ENGINE_FILES, options, {
        Firefox: findFirefox(),
        WebKitGTK: findWebkit(),
      }),
  },
  walks: {
    title: 'A thousand random walks with the extension in each browser',
    run: (options) => inBrowsers('walks', WALK_FILES, options, extensionBrowsers(), ALL),
  },
} satisfies Record<string, Suite>

async function check(): Promise<Tally> {
  const outcomes = await runSteps()
  const failures = outcomes.filter(({ passed }) => !passed).map(({ step }) => step)
  return { passed: outcomes.length - failures.length, failures, skipped: 0 }
}

/** Tests of code with a Redis implementation also run against Redis. */
async function withRedis(
  project: string,
  pattern: string,
  options: SuiteOptions,
  selection = NOT_EXHAUSTIVE,
): Promise<Tally> {
  if (filesLike(pattern).length === 0) return nothingToRun(pattern)
  const redis = await redisForTests()
  try {
    return await vitest(project, pattern, options, redisEnvironment(redis), selection)
  } finally {
    await redis?.stop()
  }
}

async function onPostgres(
  project: string,
  pattern: string,
  options: SuiteOptions,
  selection: Selection,
): Promise<Tally> {
  const files = filesLike(pattern)
  if (files.length === 0) return nothingToRun(pattern)
  const postgres = await postgresForTests()
  if (postgres === undefined) return { ...NOTHING, skipped: files.length }
  let redis: Service | undefined
  try {
    redis = await redisForTests()
    const env = { PORTICO_TEST_DATABASE_URL: postgres.url, ...redisEnvironment(redis) }
    return await vitest(project, pattern, options, env, selection)
  } finally {
    await redis?.stop()
    await postgres.stop()
  }
}

/** The packages come over the network, which may be unavailable. */
async function interop(options: SuiteOptions, selection = NOT_EXHAUSTIVE): Promise<Tally> {
  try {
    await installPublishedPackages()
  } catch (error) {
    if (process.env.CI !== undefined) throw error
    console.error(error instanceof Error ? error.message : error)
    console.error('\nSKIPPED: tests with the published packages did not run.')
    return { ...NOTHING, skipped: filesLike(INTEROP_FILES).length }
  }
  return vitest('interop', INTEROP_FILES, options, {}, selection)
}

const extensionBrowsers = () => ({ Chromium: findExtensionChromium(), Firefox: findFirefox() })

/** Tests in a browser that is neither installed nor installable here are skipped; the last line of the run says so. */
async function inBrowsers(
  project: string,
  pattern: string,
  options: SuiteOptions,
  browsers: Readonly<Record<string, unknown>>,
  selection = NOT_EXHAUSTIVE,
): Promise<Tally> {
  const reasons = Object.entries(browsers)
    .filter(([, program]) => program === undefined)
    .map(([name]) => `${name} was not found and could not be installed`)
  return { ...(await vitest(project, pattern, options, {}, selection)), skippedBecause: reasons }
}

type Service = { readonly url: string; readonly stop: () => Promise<void> }

const postgresForTests = () =>
  startOrSkip(process.env.PORTICO_TEST_DATABASE_URL, startPostgres, 'PostgreSQL')
const redisForTests = () => startOrSkip(process.env.PORTICO_TEST_REDIS_URL, startRedis, 'Redis')

const redisEnvironment = (redis: Service | undefined): Record<string, string> =>
  redis === undefined ? {} : { PORTICO_TEST_REDIS_URL: redis.url }

/** Undefined if it is unavailable on a developer's machine; on CI that is a failure. */
async function startOrSkip(
  given: string | undefined,
  start: () => Promise<Service>,
  name: string,
): Promise<Service | undefined> {
  if (given !== undefined) return { url: given, stop: async () => {} }
  try {
    return await start()
  } catch (error) {
    if (process.env.CI !== undefined) throw error
    console.error(error instanceof Error ? error.message : error)
    console.error(`\nSKIPPED: tests on ${name} did not run. (If CI is set, this is a failure.)`)
    return undefined
  }
}

async function vitest(
  project: string,
  pattern: string,
  { reports, filters }: SuiteOptions,
  env: Record<string, string> = {},
  selection = NOT_EXHAUSTIVE,
): Promise<Tally> {
  if (filesLike(pattern).length === 0) return nothingToRun(pattern)
  const file = path.join(reports, `${project}.json`)
  const code = await run(
    process.execPath,
    [
      path.join(ROOT, 'node_modules/vitest/vitest.mjs'),
      'run',
      `--project=${project}`,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
      ...(selection === ALL ? [] : [`--tags-filter=${selection.expression}`]),
      ...filters,
    ],
    { env: { ...process.env, NODE_ENV: 'test', ...env } },
  )
  return withExitCode(tallyVitest(readReport(file), selection.includes), code)
}

async function browser(
  pattern: string,
  { reports, filters }: SuiteOptions,
  env: Record<string, string> = {},
): Promise<Tally> {
  if (filesLike(pattern).length === 0) return nothingToRun(pattern)
  const file = path.join(reports, 'playwright.json')
  const code = await run(
    process.execPath,
    [
      path.join(ROOT, 'node_modules/@playwright/test/cli.js'),
      'test',
      '--reporter=list,json',
      ...filters,
    ],
    {
      env: {
        ...process.env,
        ...env,
        PORTICO_CHROMIUM: requireChromium(),
        PLAYWRIGHT_JSON_OUTPUT_FILE: file,
      },
    },
  )
  return withExitCode(tallyPlaywright(readReport(file)), code)
}

function filesLike(pattern: string): string[] {
  return globSync(pattern, { cwd: ROOT, exclude: (name) => name === 'node_modules' })
}

function nothingToRun(pattern: string): Tally {
  console.log(`There is no ${pattern} yet.`)
  return NOTHING
}

/** The runner's version is pinned, so the report's type is trusted. */
function readReport(file: string) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
