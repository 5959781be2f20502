import { defineConfig } from '@playwright/test'
import { BROWSER_SWITCHES, findChromium } from './tools/machine/chromium.ts'

// Tests are never timed: a limit is there to end what hangs, not to measure a busy machine.
const HANGS_MS = 120_000

const executablePath = findChromium()
const isExhaustive = process.env.PORTICO_EXHAUSTIVE !== undefined

const QUICK = /^(?!.*\.exhaustive\.test).*\.test\.ts$/

const DESKTOP = { name: 'desktop', use: { viewport: { width: 1440, height: 900 } } }

const PHONE = {
  name: 'phone',
  // Where the phone would show nothing else: whole files, and single tests of others.
  testIgnore: '**/*.desktop.test.ts',
  ...(isExhaustive
    ? { testMatch: QUICK, grep: /@desktop-first/ }
    : { grepInvert: /@desktop|@exhaustive/ }),
  use: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
}

/** Every path runs on a wide screen, and on a phone where that looks or works differently, in the installed Chromium. */
export default defineConfig({
  testDir: 'tests/browser',
  // Only `npm run test:exhaustive` runs the long tests.
  testMatch: isExhaustive ? '**/*.exhaustive.test.ts' : QUICK,
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: true,
  // Tests wait a fifth of the time, so one worker more than cores pays off.
  workers: 3,
  // A retry separates flaky tests from defects; the runner lists the tests that needed one.
  retries: 1,
  timeout: HANGS_MS,
  expect: { timeout: 15_000 },
  use: {
    screenshot: 'only-on-failure',
    trace: 'on-first-retry',
    // Tests check states, not animations.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: BROWSER_SWITCHES,
    },
  },
  projects: isExhaustive
    ? [
        DESKTOP,
        { ...DESKTOP, name: 'desktop, tagged', testMatch: QUICK, grep: /@exhaustive/ },
        PHONE,
      ]
    : [{ ...DESKTOP, grepInvert: /@exhaustive/ }, PHONE],
})
