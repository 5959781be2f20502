import { type Browser, chromium } from '@playwright/test'
import { BROWSER_SWITCHES, requireChromium } from '../tools/machine/chromium.ts'
import { type Figure, figure, short } from './figure.ts'
import { fillLoginForm, type Person } from './page-figures.ts'
import { measureAlternately } from './pairs.ts'
import { reactAlone, scriptsUntilUsable } from './script-sizes.ts'
import { emailOf } from './seeds.ts'
import { aSite, emptyServer } from './sites.ts'
import { runMain } from './start-figures.ts'

const PEOPLE = 100

/** The hosted wallet in Chromium: size of the first load, and time to the first connection. */
export async function hostedWalletFigures(rounds: number): Promise<Figure[]> {
  await using site = await aSite('embedded', PEOPLE)
  await using running = await runMain(site.environment)
  await using empty = await emptyServer()
  const weight = await scriptsUntilUsable(`${running.url}/figure-wallet`)
  const react = await reactAlone()
  const browser = await chromium.launch({
    executablePath: requireChromium(),
    args: BROWSER_SWITCHES,
  })
  try {
    const connectAs = (person: number) =>
      untilConnected(browser, running.url, { email: emailOf(person), password: site.password })
    // The first page includes the browser's start-up cost.
    await connectAs(0)
    let person = 0
    const { bare, ours } = await measureAlternately(rounds, {
      bare: () => load(browser, `http://127.0.0.1:${empty.port}/page`),
      ours: () => connectAs(++person),
    })
    return [
      figure({
        figure: 'JavaScript before the hosted wallet is usable, gzip; React and ReactDOM alone',
        on: 'hosted wallet',
        ours: [weight],
        baseline: [react],
        write: (kilobytes) => `${short(kilobytes)} kB`,
      }),
      figure({
        figure:
          'From Continue until connected with a new hosted account, without user delays; an empty page',
        on: 'Chromium',
        ours,
        baseline: bare,
        write: (ms) => `${short(ms)} ms`,
      }),
    ]
  } finally {
    await browser.close()
  }
}

/** Creates and connects a first account as fast as the screens allow. */
async function untilConnected(browser: Browser, url: string, person: Person): Promise<number> {
  const context = await browser.newContext({ baseURL: url })
  try {
    const page = await context.newPage()
    await fillLoginForm(page, '/auth/login?redirectUrl=%2Fauth%2Fwallet%2Fcreate-wallet', person)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    const go = page.getByRole('button', { name: 'Continue' })
    await go.waitFor()
    const begin = performance.now()
    await go.click()
    await page.getByLabel('Account Name').fill('Everyday')
    await page.getByRole('button', { name: 'Submit' }).click()
    const wallet = page.frameLocator('#figure-wallet-hosted > iframe')
    await wallet.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.waitForFunction(() =>
      localStorage.getItem('walletconnect')?.includes('"connected":true'),
    )
    return performance.now() - begin
  } finally {
    await context.close()
  }
}

async function load(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const begin = performance.now()
    await page.goto(url)
    return performance.now() - begin
  } finally {
    await context.close()
  }
}
