/**
 * A thousand random walks in each browser. A failed walk is reported with its seed and steps; this repeats it alone:
 *
 *     PORTICO_WALK_SEEDS=417 npx vitest run --project=walks -t Firefox
 *
 * `PORTICO_WALK_SEEDS=401-500,417` runs ranges and single ones.
 */
import { expect, test } from 'vitest'
import { CHROMIUM, FIREFOX } from './support/browsers.ts'
import { runWalks } from './support/run-walks.ts'
import { STEP_NAMES } from './support/walk.ts'

const WALKS = 1000

/** Each uses about a processor. */
const LANES = 2

const LIMIT_MS = 2 * 60 * 60 * 1000

const seeds = (process.env.PORTICO_WALK_SEEDS ?? `1-${WALKS}`).split(',').flatMap((range) => {
  const [first = 1, last = first] = range.split('-').map(Number)
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
})

test.each([CHROMIUM, FIREFOX].filter(({ isMissing }) => !isMissing))(
  '2.6 a thousand walks in $name: nothing is signed twice or for another page, nothing hangs, and nothing is lost',
  { timeout: LIMIT_MS },
  async (browser) => {
    const lanes = Math.min(LANES, seeds.length)
    const { walks, seconds, counts, failures } = await runWalks(browser, { seeds, lanes })
    console.log(`${browser.name}: ${walks} walks in ${seconds} s; ${JSON.stringify(counts)}`)
    expect(failures).toEqual([])
    if (seeds.length < WALKS) return
    for (const name of STEP_NAMES) expect(counts[name], name).toBeGreaterThanOrEqual(24)
  },
)
