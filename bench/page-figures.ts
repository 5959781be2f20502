import { chromium, type Page } from '@playwright/test'
import lighthouse, { type Config, type RunnerResult } from 'lighthouse'
import { BROWSER_SWITCHES, requireChromium } from '../tools/machine/chromium.ts'
import { type Figure, figure, short } from './figure.ts'
import { measureAlternately } from './pairs.ts'
import { entryScripts, LOGIN_ALLOWANCE_KB, reactAlone, scriptsUntilUsable } from './script-sizes.ts'
import { aSite, emptyServer } from './sites.ts'
import { runMain } from './start-figures.ts'

export const MOBILE_WALLET_KB = 120
const LCP_BUDGET_MS = 1800
const TBT_BUDGET_MS = 150
const FULL_SCORE = 100
const ON = 'login page'

/** The JavaScript loaded before the login page is usable, against React alone from the same bundler. */
export async function bytesFigures(): Promise<Figure[]> {
  // As `npm test` checks it: what loads once the page is usable and idle does not count, however fast it arrives.
  const ours = entryScripts('auth')
  const react = await reactAlone()
  return [
    figure({
      figure: 'JavaScript before the login page is usable, gzip; React and ReactDOM alone',
      on: ON,
      ours: [ours],
      baseline: [react],
      write: (kilobytes) => `${short(kilobytes)} kB`,
      budget: {
        text: `React + ${LOGIN_ALLOWANCE_KB} kB`,
        isMet: (pair) => pair.ours <= pair.baseline + LOGIN_ALLOWANCE_KB,
      },
    }),
  ]
}

/** The JavaScript loaded before a new mobile wallet is usable, against React alone from the same bundler. */
export async function mobileWalletFigures(): Promise<Figure[]> {
  await using site = await aSite('embedded', 1)
  await using running = await runMain(site.environment)
  return [
    figure({
      figure: 'JavaScript before a new mobile wallet is usable, gzip; React and ReactDOM alone',
      on: 'mobile wallet',
      ours: [await scriptsUntilUsable(`${running.url}/mobile-wallet`)],
      baseline: [await reactAlone()],
      write: (kilobytes) => `${short(kilobytes)} kB`,
      budget: { text: `${MOBILE_WALLET_KB} kB`, isMet: ({ ours }) => ours <= MOBILE_WALLET_KB },
    }),
  ]
}

/** A seeded user. */
export type Person = { readonly email: string; readonly password: string }

/** Opens a login page and fills in its form as soon as it is usable. */
export async function fillLoginForm(page: Page, url: string, person: Person): Promise<void> {
  await page.goto(url)
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
  await page.getByLabel('Email', { exact: true }).fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
}

/** The login page and an empty page, on a slow phone simulated by Lighthouse. */
export async function phoneFigures(rounds: number): Promise<Figure[]> {
  await using site = await aSite('embedded', 1)
  await using running = await runMain(site.environment)
  await using empty = await emptyServer()
  const browser = await chromium.launch({
    executablePath: requireChromium(),
    args: [...BROWSER_SWITCHES, `--remote-debugging-port=${DEBUGGING_PORT}`],
  })
  try {
    const results = { bare: [] as PageResult[], ours: [] as PageResult[] }
    // The first page includes the browser's start-up cost.
    await onPhone(`http://127.0.0.1:${empty.port}/page`)
    await measureAlternately(rounds, {
      bare: async () => results.bare.push(await onPhone(`http://127.0.0.1:${empty.port}/page`)),
      ours: async () => results.ours.push(await onPhone(`${running.url}/auth/login`)),
    })
    const line = (
      name: keyof PageResult,
      parts: Pick<Parameters<typeof figure>[0], 'figure' | 'write' | 'budget'>,
    ) =>
      figure({
        ...parts,
        on: ON,
        ours: results.ours.map((each) => each[name]),
        baseline: results.bare.map((each) => each[name]),
      })
    const milliseconds = (ms: number) => `${short(ms)} ms`
    const score = {
      write: (value: number) => String(value),
      budget: { text: '100', isMet: (pair: { ours: number }) => pair.ours >= FULL_SCORE },
    }
    return [
      line('lcp', {
        figure: 'Largest contentful paint, slow 4G and 4x slower CPU; an empty page',
        write: milliseconds,
        budget: { text: 'under 1.8 s', isMet: (pair) => pair.ours < LCP_BUDGET_MS },
      }),
      line('tbt', {
        figure: 'Total blocking time, the same; an empty page',
        write: milliseconds,
        budget: { text: 'under 150 ms', isMet: (pair) => pair.ours < TBT_BUDGET_MS },
      }),
      line('performance', { figure: 'Lighthouse performance; an empty page', ...score }),
      line('accessibility', { figure: 'Lighthouse accessibility; an empty page', ...score }),
      line('bestPractices', { figure: 'Lighthouse best practices; an empty page', ...score }),
    ]
  } finally {
    await browser.close()
  }
}

const DEBUGGING_PORT = 9400 + (process.pid % 500)

/** Lighthouse's phone: 150 ms round trip, 1.6 Mbit/s, a processor four times slower. */
const PHONE: Config = {
  extends: 'lighthouse:default',
  settings: {
    onlyCategories: ['performance', 'accessibility', 'best-practices'],
    formFactor: 'mobile',
    throttlingMethod: 'simulate',
  },
}

type PageResult = Readonly<
  Record<'lcp' | 'tbt' | 'performance' | 'accessibility' | 'bestPractices', number>
>

async function onPhone(url: string): Promise<PageResult> {
  const run: RunnerResult | undefined = await lighthouse(
    url,
    { port: DEBUGGING_PORT, logLevel: 'silent' },
    PHONE,
  )
  if (run === undefined) throw new Error('Lighthouse returned no result')
  const { audits, categories, runtimeError } = run.lhr
  if (runtimeError !== undefined) throw new Error(`Lighthouse: ${runtimeError.message}`)
  const score = (name: string) => Math.round((categories[name]?.score ?? 0) * 100)
  return {
    lcp: audits['largest-contentful-paint']?.numericValue ?? Number.NaN,
    tbt: audits['total-blocking-time']?.numericValue ?? Number.NaN,
    performance: score('performance'),
    accessibility: score('accessibility'),
    bestPractices: score('best-practices'),
  }
}
