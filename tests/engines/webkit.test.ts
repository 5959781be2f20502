import { findWebkit } from '../../tools/machine/webkit.ts'
import { testCoreJourneys } from './support/core-journeys.ts'
import { openWebkit } from './support/webkit.ts'

const webkit = findWebkit()

testCoreJourneys({
  name: 'WebKitGTK',
  start: webkit === undefined ? undefined : () => openWebkit(webkit),
  hasPasskeys: false,
})
