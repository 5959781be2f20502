import type { Page } from '@playwright/test'
import { newPassphraseKey } from '@portico/self-custody/window-keeper'
import { builtExtension } from '../tests/extension/support/built-extension.ts'
import {
  type ChromiumExtension,
  chromiumWithExtension,
} from '../tests/extension/support/chromium-extension.ts'
import { type PageServer, servePages } from '../tests/extension/support/page-server.ts'
import { findExtensionChromium } from '../tools/machine/chromium.ts'
import { type Figure, figure, short } from './figure.ts'
import { measureAlternately } from './pairs.ts'
import { aSite } from './sites.ts'
import { spread } from './spread.ts'
import { runMain } from './start-figures.ts'

const WAKE_BUDGET_MS = 100
const PAINT_BUDGET_MS = 300
const WAKES = 20
const VAULT = {
  words:
    'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
  accountName: 'Everyday',
}

const PASSPHRASE = 'granite lantern 47 orchard'

/** How long a stopped worker takes to terminate. */
const STOP_MS = 300

const milliseconds = (ms: number) => `${short(ms)} ms`
const atMost = (limit: number, unit: string) => ({
  text: `${limit} ${unit}`,
  isMet: ({ ours }: { readonly ours: number }) => ours <= limit,
})

/** In Chromium, how soon the extension's stopped worker answers and an approval is painted. */
export async function extensionFigures(rounds: number): Promise<Figure[]> {
  await using site = await aSite('embedded', 1)
  await using running = await runMain(site.environment)
  const relay = `${running.url.replace('http', 'ws')}/service-wallet-connect-bridge/ws/external`
  await using page = await servePages(relay, 'Lender')
  using built = await builtExtension([running.url, page.origin])
  return await times(built.chromium, page, rounds)
}

async function times(extension: string, lender: PageServer, rounds: number): Promise<Figure[]> {
  const chromium = findExtensionChromium()
  if (chromium === undefined) throw new Error('No Chromium that loads extensions was found')
  await using browser = await chromiumWithExtension(extension, chromium)
  const own = await ownPage(browser)
  const passphraseKey = await newPassphraseKey(PASSPHRASE)
  await call(own, 'createVault', [{ ...VAULT, passphraseKey }])
  const wakes = await measureAlternately(rounds, {
    warm: () => callTimes(own, async () => undefined),
    stopped: () =>
      callTimes(own, async () => {
        await browser.stopWorker()
        await new Promise((resolve) => setTimeout(resolve, STOP_MS))
      }),
  })
  const page = await browser.context().newPage()
  await page.goto(lender.origin)
  await page.evaluate(() => Reflect.get(window, 'page').connect())
  await approve(browser, 'Connect')
  await page.waitForFunction(() => Reflect.get(window, 'page').status() === 'connected')
  const paints = await measureAlternately(rounds, {
    empty: () => emptyWindow(browser, own),
    approval: () => approvalPainted(browser, page),
  })
  return [
    figure({
      figure:
        "Call to the stopped worker until answered, 95th percentile of 20; a running worker's",
      on: 'Chromium',
      ours: wakes.stopped,
      baseline: wakes.warm,
      write: milliseconds,
      budget: atMost(WAKE_BUDGET_MS, 'ms'),
    }),
    figure({
      figure:
        "From a page's request until the approval is painted; an empty window of the extension",
      on: 'Chromium',
      ours: paints.approval,
      baseline: paints.empty,
      write: milliseconds,
      budget: atMost(PAINT_BUDGET_MS, 'ms'),
    }),
  ]
}

/** A document of the extension without scripts, which therefore does not itself wake the worker. */
async function ownPage(browser: ChromiumExtension): Promise<Page> {
  const page = await browser.context().newPage()
  await page.goto(`chrome-extension://${browser.id}/manifest.json`)
  return page
}

/** The 95th percentile of the times until the worker has answered a call. */
async function callTimes(own: Page, before: () => Promise<void>): Promise<number> {
  const times: number[] = []
  for (let wake = 0; wake < WAKES; wake += 1) {
    await before()
    times.push(await call(own, 'vault', []))
  }
  return spread(times).p95
}

/** Calls the key keeper in the worker, and returns the time until it has answered. */
function call(own: Page, keeper: string, args: readonly unknown[]): Promise<number> {
  return own.evaluate(
    async (message) => {
      const begin = performance.now()
      const response = await Reflect.get(globalThis, 'chrome').runtime.sendMessage(message)
      if (!Object.hasOwn(response, 'value')) throw new Error(JSON.stringify(response))
      return performance.now() - begin
    },
    { keeper, args },
  )
}

async function approvalPainted(browser: ChromiumExtension, page: Page): Promise<number> {
  const sentAt = await page.evaluate(() => {
    const now = performance.timeOrigin + performance.now()
    Reflect.get(window, 'page').startSigning('49206167726565')
    return now
  })
  const approval = await approvalWindow(browser)
  await approval.getByRole('button', { name: 'Sign', exact: true }).waitFor()
  const painted = await lastPaint(approval)
  await approve(browser, 'Sign')
  return painted - sentAt
}

async function emptyWindow(browser: ChromiumExtension, own: Page): Promise<number> {
  const opened = browser.context().waitForEvent('page')
  const openedAt = await own.evaluate(() => {
    const now = performance.timeOrigin + performance.now()
    const { runtime, windows } = Reflect.get(globalThis, 'chrome')
    void windows.create({ type: 'popup', url: runtime.getURL('manifest.json') })
    return now
  })
  const page = await opened
  const painted = await lastPaint(page)
  await page.close()
  return painted - openedAt
}

/** When the page's largest content was painted, in epoch milliseconds. */
function lastPaint(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const latest = Math.max(...list.getEntries().map(({ startTime }) => startTime))
          resolve(performance.timeOrigin + latest)
        }).observe({ type: 'largest-contentful-paint', buffered: true })
      }),
  )
}

async function approvalWindow(browser: ChromiumExtension): Promise<Page> {
  const isApproval = (page: Page) => page.url().endsWith('/approval.html')
  return (
    browser.context().pages().find(isApproval) ??
    browser.context().waitForEvent('page', { predicate: isApproval })
  )
}

/** Reads the request to its end, presses the button, and waits until the window has closed itself. */
async function approve(browser: ChromiumExtension, name: string): Promise<void> {
  const approval = await approvalWindow(browser)
  const button = approval.getByRole('button', { name, exact: true })
  await button.waitFor()
  await approval.locator('main').evaluate((main) => main.scrollTo(0, main.scrollHeight))
  const closed = approval.waitForEvent('close')
  await button.click()
  await closed
}
