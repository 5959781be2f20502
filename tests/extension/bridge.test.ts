import { statSync } from 'node:fs'
import {
  APPROVAL_WINDOW_INTERVAL_MS,
  APPROVAL_WINDOW_OPENINGS_WITHOUT_WAIT,
} from '@portico/contracts/limits'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WORKER_BUDGET_KB, workerKilobytes, ZIP_BUDGET_KB } from '../../bench/extension-sizes.ts'
import { CHROMIUM } from './support/browsers.ts'
import { type BuiltExtension, builtExtension } from './support/built-extension.ts'
import type { ChromiumExtension } from './support/chromium-extension.ts'
import { type PageServer, servePages } from './support/page-server.ts'

const RELAY = 'ws://127.0.0.1:9/relay'
let extension: BuiltExtension
let lender: PageServer
let insistent: PageServer
let browser: ChromiumExtension

beforeAll(async () => {
  lender = await servePages(RELAY, 'Lender')
  insistent = await servePages(RELAY, 'Insistent')
  extension = await builtExtension([lender.origin, insistent.origin])
  if (!CHROMIUM.isMissing) browser = await CHROMIUM.open(extension)
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await insistent[Symbol.asyncDispose]()
  await lender[Symbol.asyncDispose]()
  extension[Symbol.dispose]()
})

const WAITS = { timeout: 20_000 }
const ownPages = (name: string) =>
  browser
    .context()
    .pages()
    .filter((page) => page.url().endsWith(`/${name}.html`))

test('12 the extension’s worker needs at most 75 kB of scripts, and its package 250 kB', () => {
  expect(workerKilobytes(extension.chromium)).toBeLessThanOrEqual(WORKER_BUDGET_KB)
  expect(statSync(extension.firefox).size / 1000).toBeLessThanOrEqual(ZIP_BUDGET_KB)
})

describe.skipIf(CHROMIUM.isMissing)('in Chromium', () => {
  test('protocol 13: pages of the lender find the extension before their first script', async () => {
    const page = await browser.context().newPage()
    await page.goto(lender.origin)
    expect(await page.evaluate(() => Reflect.get(window, 'page').hadExtensionAtStart())).toBe(true)
    const version = expect.stringMatching(/^\d+\.\d+\.\d+$/)
    // Older pages look for the published predecessor.
    expect(await page.evaluate(() => Reflect.get(window, 'provenance'))).toEqual({
      version,
      isProvenance: true,
    })
    const announced = await page.evaluate(() => Reflect.get(window, 'figureWalletExtension'))
    expect(announced).toEqual({ version, isFigure: true })
    expect(
      await page.evaluate(() => Object.isFrozen(Reflect.get(window, 'figureWalletExtension'))),
    ).toBe(true)
    await page.close()
  })

  test('protocol 13: pages of other origins do not find it', async () => {
    await using other = await servePages(RELAY, 'Other')
    const page = await browser.context().newPage()
    await page.goto(other.origin)
    expect(await page.evaluate(() => Reflect.get(window, 'page').hasExtension())).toBe(false)
    await page.close()
  })

  test('protocol 13: the page library starts it, and the approval window opens once', async () => {
    const page = await browser.context().newPage()
    await page.goto(lender.origin)
    await page.evaluate(() => Reflect.get(window, 'page').connect())
    await expect.poll(() => ownPages('approval'), WAITS).toHaveLength(1)
    const [approval] = ownPages('approval')
    if (approval === undefined) return expect.fail()
    await page.evaluate(() => Reflect.get(window, 'page').connect())
    await page.evaluate(() => Reflect.get(window, 'page').connect())
    await expect.poll(() => approval.innerText('body')).toContain('Set up your wallet')
    expect(ownPages('approval')).toHaveLength(1)
    await approval.close()
    await page.close()
  })

  test('protocol 13: a page that has found another wallet starts that one alone', async () => {
    const page = await browser.context().newPage()
    await page.goto(lender.origin)
    await page.evaluate(() => {
      Object.assign(window, { ours: Reflect.get(window, 'figureWalletExtension') })
      Object.assign(window, { figureWalletExtension: { version: '1.0.0', isFigure: true } })
      Reflect.get(window, 'page').connect()
    })
    await page.waitForTimeout(1000)
    expect(ownPages('approval')).toEqual([])
    await page.evaluate(() => {
      Object.assign(window, { figureWalletExtension: Reflect.get(window, 'ours') })
      Reflect.get(window, 'page').connect()
    })
    await expect.poll(() => ownPages('approval'), WAITS).toHaveLength(1)
    await ownPages('approval')[0]?.close()
    await page.close()
  })

  test('2.6 the request of a page waits in the toolbar if the user closes its window again and again', async () => {
    const page = await browser.context().newPage()
    const start = async () => {
      await page.goto(insistent.origin)
      await page.evaluate(() => Reflect.get(window, 'page').connect())
    }
    for (let count = 0; count < APPROVAL_WINDOW_OPENINGS_WITHOUT_WAIT; count += 1) {
      await start()
      await expect.poll(() => ownPages('approval'), WAITS).toHaveLength(1)
      const [approval] = ownPages('approval')
      await expect.poll(() => approval?.innerText('body'), WAITS).toContain('Set up your wallet')
      await page.waitForTimeout(APPROVAL_WINDOW_INTERVAL_MS)
      await approval?.close()
    }
    await start()
    await start()
    const popup = await browser.openOwnPage('popup')
    const badge = () => popup.evaluate(() => chrome.action.getBadgeText({}))
    await expect.poll(badge, WAITS).toBe('1')
    expect(ownPages('approval')).toEqual([])
    await popup.close()
    await page.close()
  })

  test('a window of the extension stays usable after the worker is stopped', async () => {
    const popup = await browser.openOwnPage('popup')
    await expect.poll(() => popup.innerText('main')).toContain('Set up your wallet')
    await browser.stopWorker()
    await popup.reload()
    await expect.poll(() => popup.innerText('main')).toContain('Set up your wallet')
    await popup.close()
  })

  test('2.6 a wallet is set up in a tab, because the popup closes when it loses the focus', async () => {
    const popup = await browser.openOwnPage('popup')
    const opened = browser.context().waitForEvent('page')
    await popup.getByRole('button', { name: 'Open the setup' }).click()
    const tab = await opened
    await tab.getByRole('button', { name: 'Create a wallet' }).click()
    await expect.poll(() => tab.innerText('h1')).toBe('Choose a passphrase')
    await tab.close()
    await popup.close()
  })
})
