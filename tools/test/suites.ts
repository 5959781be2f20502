import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { runSteps } from '../check/steps.ts'
import { requireChromium } from '../machine/chromium.ts'
import { startPostgres, type TestPostgres } from '../machine/postgres.ts'
import { ownNode, ROOT, run } from '../setup/processes.mjs'
import { NOTHING, settle, type Tally, tallyPlaywright, tallyVitest } from './tally.ts'

/** What a suite is given: where reports go, and what narrows the tests down. */
export type Order = { readonly reports: string; readonly narrowing: readonly string[] }

type Suite = { readonly title: string; readonly run: (order: Order) => Promise<Tally> }

const UNIT_FILES = '{apps,packages,tools}/**/*.test.{ts,tsx}'
const JOURNEY_FILES = 'tests/{journeys,attacks}/**/*.test.ts'
const BROWSER_FILES = 'tests/browser/**/*.test.ts'

/** Every suite, in the order in which a failure is cheapest to learn of. */
export const SUITES = {
  check: { title: 'Check', run: check },
  unit: { title: 'Unit tests', run: (order) => vitest('unit', UNIT_FILES, order) },
  journeys: {
    title: 'Journeys and attacks on the embedded database',
    run: (order) => vitest('journeys', JOURNEY_FILES, order),
  },
  'journeys-postgres': { title: 'Journeys and attacks on PostgreSQL', run: journeysOnPostgres },
  browser: { title: 'Browser tests', run: browser },
} satisfies Record<string, Suite>

async function check(): Promise<Tally> {
  const outcomes = await runSteps()
  const passed = outcomes.filter((outcome) => outcome.passed).length
  return { passed, failed: outcomes.length - passed, skipped: 0 }
}

async function journeysOnPostgres(order: Order): Promise<Tally> {
  const files = filesLike(JOURNEY_FILES)
  if (files.length === 0) return noneYet(JOURNEY_FILES)
  const postgres = await postgresForTests()
  if (postgres === undefined) return { ...NOTHING, skipped: files.length }
  try {
    const env = { PORTICO_TEST_DATABASE_URL: postgres.url }
    return await vitest('journeys', JOURNEY_FILES, order, env)
  } finally {
    await postgres.stop()
  }
}

/** None where it cannot be had on a developer's machine; on CI that is a failure. */
async function postgresForTests(): Promise<TestPostgres | undefined> {
  const given = process.env.PORTICO_TEST_DATABASE_URL
  if (given !== undefined) return { url: given, stop: async () => {} }
  try {
    return await startPostgres()
  } catch (error) {
    if (process.env.CI !== undefined) throw error
    console.error(error instanceof Error ? error.message : error)
    console.error('\nSKIPPED: nothing was proven on PostgreSQL. (With CI set this is a failure.)')
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
    ownNode(),
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

async function browser({ reports, narrowing }: Order): Promise<Tally> {
  if (filesLike(BROWSER_FILES).length === 0) return noneYet(BROWSER_FILES)
  const file = path.join(reports, 'playwright.json')
  const code = await run(
    ownNode(),
    [
      path.join(ROOT, 'node_modules/@playwright/test/cli.js'),
      'test',
      '--reporter=list,json',
      ...narrowing,
    ],
    {
      env: {
        ...process.env,
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

/** The report is the runner's own, of the version in the lockfile, so its form is trusted. */
function readReport(file: string) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
