import { findFirefox } from '../../tools/machine/firefox.ts'
import { testCoreJourneys } from './support/core-journeys.ts'
import { openFirefox } from './support/firefox.ts'

const firefox = findFirefox()

testCoreJourneys({
  name: 'Firefox',
  start: firefox === undefined ? undefined : () => openFirefox(firefox),
  hasPasskeys: true,
})
