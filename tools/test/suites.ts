import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { runSteps } from '../check/steps.ts'
import { requireChromium } from '../machine/chromium.ts'
import { startPostgres } from '../machine/postgres.ts'
import { startRedis } from '../machine/redis.ts'
import { ROOT, run } from '../setup/processes.mjs'
import { installPublishedPackages } from './published-packages.ts'
import { NOTHING, settle, type Tally, tallyPlaywright, tallyVitest } from './tally.ts'

/** The report folder and the test filters of a suite. */
export type Order = { readonly reports: string; readonly narrowing: readonly string[] }

type Suite = { readonly title: string; readonly run: (order: Order) => Promise<Tally> }

const UNIT_FILES = '{apps,bench,packages,tools}/**/*.test.{ts,tsx}'
const COMPONENT_FILES = '{apps,packages}/**/*.component.test.tsx'
const JOURNEY_FILES = 'tests/{journeys,attacks}/**/*.test.ts'
const INTEROP_FILES = 'tests/interop/*.test.ts'
const BROWSER_FILES = 'tests/browser/**/*.test.ts'
const EXHAUSTIVE_FILES =
  '{apps,packages,tools,tests/journeys,tests/attacks}/**/*.exhaustive.test.{ts,tsx}'
const EXHAUSTIVE_JOURNEY_FILES = 'tests/{journeys,attacks}/**/*.exhaustive.test.ts'
const EXHAUSTIVE_BROWSER_FILES = 'tests/browser/**/*.exhaustive.test.ts'

/** The suites of `npm test`, fastest feedback first. */
export const SUITES = {
  check: { title: 'Check', run: check },
  unit: { title: 'Unit tests', run: (order) => withRedis('unit', UNIT_FILES, order) },
  components: {
    title: 'Components in the browser',
    run: (order) =>
      vitest('components', COMPONENT_FILES, order, { PORTICO_CHROMIUM: requireChromium() }),
  },
  journeys: {
    title: 'Journeys and attacks on the embedded database',
    run: (order) => vitest('journeys', JOURNEY_FILES, order),
  },
  'journeys-postgres': {
    title: 'Journeys and attacks on PostgreSQL and Redis',
    run: (order) => onPostgres('journeys', JOURNEY_FILES, order),
  },
  interop: { title: 'Our wallet library and relay with the published packages', run: interop },
  browser: { title: 'Browser tests', run: (order) => browser(BROWSER_FILES, order) },
} satisfies Record<string, Suite>

/** Slow suites that run only when named. */
export const EXHAUSTIVE_SUITES = {
  exhaustive: {
    title: 'Exhaustive tests',
    run: (order) => withRedis('exhaustive', EXHAUSTIVE_FILES, order),
  },
  'exhaustive-postgres': {
    title: 'Exhaustive journeys and attacks on PostgreSQL and Redis',
    run: (order) =>
      onPostgres('exhaustive', EXHAUSTIVE_JOURNEY_FILES, {
        ...order,
        narrowing: order.narrowing.length === 0 ? ['tests/'] : order.narrowing,
      }),
  },
  'exhaustive-browser': {
    title: 'Exhaustive browser tests',
    run: (order) => browser(EXHAUSTIVE_BROWSER_FILES, order, { PORTICO_EXHAUSTIVE: '1' }),
  },
} satisfies Record<string, Suite>

async function check(): Promise<Tally> {
  const outcomes = await runSteps()
  const failures = outcomes.filter(({ passed }) => !passed).map(({ step }) => step)
  return { passed: outcomes.length - failures.length, failures, skipped: 0 }
}

/** Tests of code with a Redis implementation also run against Redis. */
async function withRedis(project: string, pattern: string, order: Order): Promise<Tally> {
  if (filesLike(pattern).length === 0) return noneYet(pattern)
  const redis = await redisForTests()
  try {
    return await vitest(project, pattern, order, redisEnvironment(redis))
  } finally {
    await redis?.stop()
  }
}

async function onPostgres(project: string, pattern: string, order: Order): Promise<Tally> {
  const files = filesLike(pattern)
  if (files.length === 0) return noneYet(pattern)
  const postgres = await postgresForTests()
  if (postgres === undefined) return { ...NOTHING, skipped: files.length }
  let redis: Lent | undefined
  try {
    redis = await redisForTests()
    const env = { PORTICO_TEST_DATABASE_URL: postgres.url, ...redisEnvironment(redis) }
    return await vitest(project, pattern, order, env)
  } finally {
    await redis?.stop()
    await postgres.stop()
  }
}

/** The packages come over the network, which may be unavailable. */
async function interop(order: Order): Promise<Tally> {
  try {
    await installPublishedPackages()
  } catch (error) {
    if (process.env.CI !== undefined) throw error
    console.error(error instanceof Error ? error.message : error)
    console.error('\nSKIPPED: tests with the published packages did not run.')
    return { ...NOTHING, skipped: filesLike(INTEROP_FILES).length }
  }
  return vitest('interop', INTEROP_FILES, order)
}

type Lent = { readonly url: string; readonly stop: () => Promise<void> }

const postgresForTests = () =>
  lent(process.env.PORTICO_TEST_DATABASE_URL, startPostgres, 'PostgreSQL')
const redisForTests = () => lent(process.env.PORTICO_TEST_REDIS_URL, startRedis, 'Redis')

const redisEnvironment = (redis: Lent | undefined): Record<string, string> =>
  redis === undefined ? {} : { PORTICO_TEST_REDIS_URL: redis.url }

/** Undefined if it is unavailable on a developer's machine; on CI that is a failure. */
async function lent(
  given: string | undefined,
  start: () => Promise<Lent>,
  name: string,
): Promise<Lent | undefined> {
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
  { reports, narrowing }: Order,
  env: Record<string, string> = {},
): Promise<Tally> {
  if (filesLike(pattern).length === 0) return noneYet(pattern)
  const file = path.join(reports, 'vitest.json')
  const code = await run(
    process.execPath,
    [
      path.join(ROOT, 'node_modules/vitest/vitest.mjs'),
      'run',
      `--project=${project}`,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
      ...narrowing,
    ],
    { env: { ...process.env, NODE_ENV: 'test', ...env } },
  )
  return settle(tallyVitest(readReport(file)), code)
}

async function browser(
  pattern: string,
  { reports, narrowing }: Order,
  env: Record<string, string> = {},
): Promise<Tally> {
  if (filesLike(pattern).length === 0) return noneYet(pattern)
  const file = path.join(reports, 'playwright.json')
  const code = await run(
    process.execPath,
    [
      path.join(ROOT, 'node_modules/@playwright/test/cli.js'),
      'test',
      '--reporter=list,json',
      ...narrowing,
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
  return settle(tallyPlaywright(readReport(file)), code)
}

function filesLike(pattern: string): string[] {
  return globSync(pattern, { cwd: ROOT, exclude: (name) => name === 'node_modules' })
}

function noneYet(pattern: string): Tally {
  console.log(`There is no ${pattern} yet.`)
  return NOTHING
}

/** The runner's version is pinned, so the report's type is trusted. */
function readReport(file: string) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
