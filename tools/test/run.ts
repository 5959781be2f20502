// Runs the suites in order and prints the totals. Arguments: the suites to run (by default those of `npm test`, with
// `--exhaustive` those of `npm run test:exhaustive`), then filters for vitest and Playwright.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startServer } from '../../tests/support/server-process.ts'
import { ROOT } from '../setup/processes.mjs'
import { EXHAUSTIVE_SUITES, SUITES, type Suite } from './suites.ts'
import { CRASHED, formatTally, type Tally, total } from './tally.ts'

const IN_MEMORY = '/dev/shm'

/** The maximum that a test run's databases and browsers need, with a margin. */
const BYTES_NEEDED = 4 * 1024 ** 3

const args = process.argv.slice(2)
const all: Readonly<Record<string, Suite>> = { ...SUITES, ...EXHAUSTIVE_SUITES }
const named = Object.entries(all).filter(([name]) => args.includes(name))
const unnamed = args.includes('--exhaustive') ? EXHAUSTIVE_SUITES : SUITES
const suites: readonly [string, Suite][] = named.length === 0 ? Object.entries(unnamed) : named
const filters = args.filter((arg) => !(arg in all) && arg !== '--exhaustive')
const folder = mkdtempSync(path.join(memoryFolder(), 'portico-run-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
chmodSync(folder, 0o711) // PostgreSQL may run as another user, who must reach its own folder within.
process.env.TMPDIR = folder
// Tests start the server more than a hundred times. Compiling it takes a quarter of each start.
process.env.NODE_COMPILE_CACHE = path.join(folder, 'compiled')
const program = path.join(ROOT, 'apps/server/dist/lib/server.js')
process.env.PORTICO_TEST_SERVER = program
process.env.PORTICO_TEST_DATA = await prepareData(path.join(folder, 'data'))

const tallies: { title: string; tally: Tally; seconds: number }[] = []

for (const [, suite] of suites) {
  console.log(`\n━━ ${suite.title} ━━\n`)
  const startedAt = performance.now()
  const tally = await outcomeOf(suite)
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  tallies.push({ title: suite.title, tally, seconds })
}

// Failures are listed at the end, where a truncated log still shows them.
for (const { title, tally } of tallies) {
  for (const failure of tally.failures) console.log(`\nFailed: ${title}: ${failure}`)
  for (const test of tally.repeated ?? []) console.log(`\nPassed on retry: ${test}`)
}

console.log('')
for (const { title, tally, seconds } of tallies) {
  console.log(`${title}: ${formatTally(tally)} (${seconds} s)`)
}
const sum = total(tallies.map(({ tally }) => tally))
console.log(formatTally(sum))
process.exitCode = sum.failures.length === 0 ? 0 : 1

/** Lets the server create its data, so that the tests' servers start on copies. */
async function prepareData(dataDir: string): Promise<string> {
  mkdirSync(dataDir)
  await (await startServer({ dataDir, program })).stop()
  return dataDir
}

async function outcomeOf({ run }: Suite): Promise<Tally> {
  try {
    // One folder per suite, so that a crashed suite is never counted by another one's report.
    return await run({ reports: mkdtempSync(path.join(folder, 'suite-')), filters })
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return CRASHED
  }
}

/**
 * The parent for temporary folders of tests: in memory if there is enough of it, because creating a PostgreSQL database
 * takes ten times as long on a disk; otherwise the system's temporary folder.
 */
function memoryFolder(): string {
  if (!existsSync(IN_MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(IN_MEMORY)
  return bavail * bsize >= BYTES_NEEDED ? IN_MEMORY : tmpdir()
}
