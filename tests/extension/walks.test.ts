import { expect, test } from 'vitest'
import { CHROMIUM, FIREFOX } from './support/browsers.ts'
import { runWalks } from './support/run-walks.ts'

/** Together they take every step of the walks. */
const SEEDS = [62, 179, 199, 518, 664, 882]

test.each([CHROMIUM, FIREFOX].filter(({ isMissing }) => !isMissing))(
  '2.6 in $name, whatever is stopped: nothing is signed twice or for another page, and nothing is lost',
  async (browser) => {
    const { failures } = await runWalks(browser, { seeds: SEEDS, lanes: 1 })
    expect(failures).toEqual([])
  },
)
