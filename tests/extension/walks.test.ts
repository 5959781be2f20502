import { expect, test } from 'vitest'
import { CHROMIUM, FIREFOX } from './support/browsers.ts'
import { runWalks } from './support/run-walks.ts'

/** Together they take every step, except the two slowest: 100 requests in a second, and an update. */
const SEEDS = [62, 179, 199, 664]

test.each([CHROMIUM, FIREFOX].filter(({ isMissing }) => !isMissing))(
  '2.6 in $name, whatever is stopped: nothing is signed twice or for another page, and nothing is lost',
  async (browser) => {
    const { failures } = await runWalks(browser, { seeds: SEEDS, lanes: 1 })
    expect(failures).toEqual([])
  },
)
