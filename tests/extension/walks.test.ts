import { expect, test } from 'vitest'
import { CHROMIUM } from './support/browsers.ts'
import { runWalks } from './support/run-walks.ts'

/** Together they take every step, except the two slowest: 100 requests in a second, and an update. */
const SEEDS = [62, 179, 199, 664]

// In Firefox they run in `npm run test:exhaustive`.
test.skipIf(CHROMIUM.isMissing)(
  '2.6 in Chromium, whatever is stopped: nothing is signed twice or for another page, and nothing is lost',
  async () => {
    const { failures } = await runWalks(CHROMIUM, { seeds: SEEDS, lanes: 1 })
    expect(failures).toEqual([])
  },
)
