import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { replacedImport } from './tests/interop/support/replaced-import.ts'
import { LongestFirst } from './tests/support/longest-first.ts'
import { BROWSER_SWITCHES, findChromium } from './tools/machine/chromium.ts'

const LEFT_ALONE = ['**/node_modules/**', '**/dist/**', '**/.cache/**']

/** Long fuzzing and statistics, which only `npm run test:exhaustive` runs. */
const EXHAUSTIVE = '**/*.exhaustive.test.{ts,tsx}'

/** Components in a real DOM. Other tests of `.tsx` files run in Node. */
const COMPONENTS = '{apps,packages}/**/*.component.test.tsx'

const executablePath = findChromium()

/**
 * Journeys that use no database, or nothing of one that differs between the two: they run on the embedded one only, where
 * a second run would prove the same again.
 */
const WITHOUT_DATA =
  process.env.PORTICO_TEST_DATABASE_URL === undefined
    ? []
    : [
        'tests/attacks/{client-addresses,cross-site,organizations,redirects,resources,script}.test.ts',
        'tests/journeys/{banners,brand-appearance,hostile-input,organizations,process}.test.ts',
      ]

// Tests are never timed: a limit is there to end what hangs, not to measure a busy machine.
const HANGS_MS = 60_000

// Against real processes a second try tells a race of the test from a defect; the sum names what needed one.
const SECOND_TRY = 1

/** Projects, so that the quick tests can be run without those that start a server or need packages of their own. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{apps,bench,examples,packages,tools}/**/*.test.{ts,tsx}'],
          exclude: [...LEFT_ALONE, EXHAUSTIVE, COMPONENTS],
          testTimeout: HANGS_MS,
          hookTimeout: HANGS_MS,
          // Left to itself vitest keeps one of two cores free.
          maxWorkers: '100%',
          css: { modules: { classNameStrategy: 'non-scoped' } },
        },
      },
      {
        // Collect the dependencies anew: one that Vite finds during a run would reload the page under its test.
        optimizeDeps: { force: true },
        test: {
          name: 'components',
          include: [COMPONENTS],
          setupFiles: 'tests/support/component-page.ts',
          // An element that never appears fails its test only at this limit.
          testTimeout: HANGS_MS / 4,
          fileParallelism: false,
          browser: {
            enabled: true,
            headless: true,
            ui: false,
            screenshotFailures: false,
            viewport: { width: 1280, height: 800 },
            provider: playwright({
              launchOptions: {
                ...(executablePath === undefined ? {} : { executablePath }),
                args: BROWSER_SWITCHES,
              },
              contextOptions: { reducedMotion: 'reduce' },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        test: {
          name: 'journeys',
          include: ['tests/{journeys,attacks}/**/*.test.ts'],
          exclude: [...LEFT_ALONE, EXHAUSTIVE, ...WITHOUT_DATA],
          globalSetup: 'tests/support/prepared-world.ts',
          // Half of their time they wait.
          maxWorkers: 3,
          retry: SECOND_TRY,
          testTimeout: 3 * HANGS_MS,
          hookTimeout: 3 * HANGS_MS,
        },
      },
      {
        plugins: [replacedImport()],
        test: {
          name: 'interop',
          include: ['tests/interop/*.test.ts'],
          exclude: [...LEFT_ALONE, EXHAUSTIVE],
          globalSetup: 'tests/support/prepared-world.ts',
          // Its modules import pictures, which only a bundler can.
          server: { deps: { inline: [/walletconnect-js/] } },
          maxWorkers: 2,
          retry: SECOND_TRY,
          testTimeout: 3 * HANGS_MS,
          hookTimeout: 3 * HANGS_MS,
        },
      },
      {
        test: {
          name: 'exhaustive',
          // A restart of the server takes its time, so only here are there many of them.
          include: [EXHAUSTIVE, 'tests/journeys/kill.test.ts'],
          env: { PORTICO_EXHAUSTIVE: '1' },
          exclude: [...LEFT_ALONE, 'tests/browser/**'],
          globalSetup: 'tests/support/prepared-world.ts',
          // What compares times has the machine to itself.
          fileParallelism: false,
          testTimeout: 20 * HANGS_MS,
          hookTimeout: 3 * HANGS_MS,
          css: { modules: { classNameStrategy: 'non-scoped' } },
        },
      },
    ],
  },
})
