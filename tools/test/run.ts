// Runs the suites and prints their sum. Arguments: the suites to run (by default those of `npm test`, with
// `--exhaustive` those of `npm run test:exhaustive`), then filters for vitest and Playwright.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { memoryFolder } from '../machine/memory-folder.ts'
import { EXHAUSTIVE_SUITES, IN_BROWSER, type Print, SUITES, type Suite } from './suites.ts'
import { CRASHED, formatTally, type Tally, total } from './tally.ts'

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

interface Result {
  readonly title: string
  readonly tally: Tally
  readonly seconds: number
}

const show: Print = (text) => void process.stdout.write(text)

// The check uses every processor. The tests in the page wait often, so they run beside the others, which are shown first.
const isInBrowser = ([name]: readonly [string, Suite]) => IN_BROWSER.some((each) => each === name)
const isCheck = ([name]: readonly [string, Suite]) => name === 'check'
const held = heldOutput()
const tallies = await runInOrder(suites.filter(isCheck))
const beside = suites.filter(isInBrowser)
const [others, inBrowser] = await Promise.all([
  runInOrder(suites.filter((suite) => !isCheck(suite) && !isInBrowser(suite))).finally(
    held.release,
  ),
  runInOrder(beside, beside.length < suites.length ? held.write : undefined),
])
tallies.push(...others, ...inBrowser)

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

async function runInOrder(
  some: readonly (readonly [string, Suite])[],
  print?: Print,
): Promise<Result[]> {
  const results: Result[] = []
  for (const [, suite] of some) {
    ;(print ?? show)(`\n━━ ${suite.title} ━━\n\n`)
    const startedAt = performance.now()
    const tally = await outcomeOf(suite, print)
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    results.push({ title: suite.title, tally, seconds })
  }
  return results
}

async function outcomeOf(suite: Suite, print: Print | undefined): Promise<Tally> {
  try {
    // One folder per suite, so that a crashed suite is never counted by another one's report.
    const reports = mkdtempSync(path.join(folder, 'suite-'))
    return await suite.run({ reports, filters, ...(print && { print }) })
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return CRASHED
  }
}

/** Output that is shown when it is released, and from then on at once. */
function heldOutput() {
  let texts: Parameters<Print>[0][] | undefined = []
  return {
    write(text: Parameters<Print>[0]) {
      if (texts === undefined) show(text)
      else texts.push(text)
    },
    release() {
      texts?.forEach(show)
      texts = undefined
    },
  }
}
