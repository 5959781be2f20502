import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { replacedImport } from './tests/interop/support/replaced-import.ts'
import { LongestFirst } from './tests/support/longest-first.ts'
import { BROWSER_SWITCHES, findChromium } from './tools/machine/chromium.ts'

const IGNORED = ['**/node_modules/**', '**/dist/**', '**/.cache/**']

/** Long fuzzing and statistics. Only `npm run test:exhaustive` runs them. */
const EXHAUSTIVE = '**/*.exhaustive.test.{ts,tsx}'

/** Components in a real DOM. Other tests of `.tsx` files run in Node. */
const COMPONENTS = '{apps,packages}/**/*.component.test.tsx'

const executablePath = findChromium()

const onPostgres = process.env.PORTICO_TEST_DATABASE_URL !== undefined

/** Tests that do not depend on which database is used. They run on the embedded one only. */
const WITHOUT_DATA = [
  'tests/attacks/{client-addresses,cross-site,lender-application,organizations}.test.ts',
  'tests/attacks/{redirects,resources,script}.test.ts',
  'tests/journeys/{banners,brand-appearance,example-application,gateways}.test.ts',
  'tests/journeys/{hostile-input,lender-application}.test.ts',
  'tests/journeys/{organizations,pages,process,production,smtp,terminal-wallet}.test.ts',
]

/** `npm test` runs them in Chromium, and `npm run test:exhaustive` in Firefox. */
const IN_FIREFOX = [
  'tests/extension/{browser-events,product,wallet}.test.ts',
  'tests/interop/published-in-browsers.test.ts',
]

/** They take hours, so they are a part of `npm run test:exhaustive` of their own. */
const EXTENSION_WALKS = 'tests/extension/walks.exhaustive.test.ts'

// Timeouts end tests that hang. They do not measure speed, so they are generous.
const HANGS_MS = 60_000

// With real processes, a retry separates flaky tests from defects. The summary lists the tests that needed one.
const RETRIES = 1

/** Separate projects, so that the fast tests run without those that start a server or need extra packages. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    tags: [
      {
        name: 'database',
        description:
          'Races, failures of the database, and a main path of each store: `npm test` runs them on PostgreSQL too.',
      },
      {
        name: 'exhaustive',
        description:
          'Long tests, and variants of others: only `npm run test:exhaustive` runs them.',
      },
    ],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{apps,bench,examples,packages,tools}/**/*.test.{ts,tsx}'],
          exclude: [...IGNORED, EXHAUSTIVE, COMPONENTS],
          testTimeout: HANGS_MS,
          hookTimeout: HANGS_MS,
          // By default, Vitest leaves one of two cores idle.
          maxWorkers: '100%',
          // Loading modules again for each file took more than half of the time. Tests therefore restore changed globals.
          isolate: false,
          unstubGlobals: true,
          css: { modules: { classNameStrategy: 'non-scoped' } },
        },
      },
      {
        // Bundle all dependencies first. If Vite found one during a run, it would reload the page and break the test.
        optimizeDeps: { force: true },
        test: {
          name: 'components',
          include: [COMPONENTS],
          setupFiles: 'tests/support/component-page.ts',
          // A test that waits for a missing element fails only after this limit.
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
          exclude: [...IGNORED, EXHAUSTIVE, ...(onPostgres ? WITHOUT_DATA : [])],
          globalSetup: 'tests/support/prepared-world.ts',
          // These tests wait half of the time, so more workers than cores pay off.
          maxWorkers: 3,
          // As in the unit tests: otherwise each file loads the whole server again.
          isolate: false,
          retry: RETRIES,
          testTimeout: 3 * HANGS_MS,
          hookTimeout: 3 * HANGS_MS,
        },
      },
      {
        plugins: [replacedImport()],
        test: {
          name: 'interop',
          include: ['tests/interop/*.test.ts'],
          exclude: [...IGNORED, EXHAUSTIVE],
          globalSetup: 'tests/support/prepared-world.ts',
          // Its modules import images, which Node cannot load.
          server: { deps: { inline: [/walletconnect-js/] } },
          maxWorkers: 2,
          retry: RETRIES,
          testTimeout: 3 * HANGS_MS,
          hookTimeout: 3 * HANGS_MS,
        },
      },
      {
        test: {
          name: 'extension',
          include: ['tests/extension/*.test.ts'],
          exclude: [...IGNORED, EXHAUSTIVE],
          // Each file has its own browser, and waits a quarter of the time.
          maxWorkers: 3,
          retry: RETRIES,
          testTimeout: 2 * HANGS_MS,
          hookTimeout: 2 * HANGS_MS,
        },
      },
      {
        test: {
          name: 'engines',
          include: ['tests/engines/*.test.ts'],
          maxWorkers: 2,
          retry: RETRIES,
          testTimeout: 2 * HANGS_MS,
          hookTimeout: 2 * HANGS_MS,
        },
      },
      {
        test: {
          name: 'exhaustive',
          // Restarting the server is slow, so repeated restarts run only here.
          include: [
            EXHAUSTIVE,
            'tests/journeys/{import-people,kill,upgrade,webhooks-kill}.test.ts',
          ],
          env: { PORTICO_EXHAUSTIVE: '1' },
          exclude: [...IGNORED, 'tests/browser/**', EXTENSION_WALKS],
          globalSetup: 'tests/support/prepared-world.ts',
          // Tests that compare times need an idle machine.
          fileParallelism: false,
          testTimeout: 60 * HANGS_MS,
          hookTimeout: 3 * HANGS_MS,
          css: { modules: { classNameStrategy: 'non-scoped' } },
        },
      },
      {
        plugins: [replacedImport()],
        test: {
          name: 'firefox',
          include: IN_FIREFOX,
          env: { PORTICO_EXHAUSTIVE: '1' },
          globalSetup: 'tests/support/prepared-world.ts',
          maxWorkers: 2,
          retry: RETRIES,
          testTimeout: 3 * HANGS_MS,
          hookTimeout: 3 * HANGS_MS,
        },
      },
      {
        test: {
          name: 'walks',
          include: [EXTENSION_WALKS],
          env: { PORTICO_EXHAUSTIVE: '1' },
        },
      },
    ],
  },
})
