import type { Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM } from './support/browsers.ts'
import { type BuiltExtension, builtExtension } from './support/built-extension.ts'
import type { ChromiumExtension } from './support/chromium-extension.ts'
import { type PageServer, servePages } from './support/page-server.ts'

const RELAY = 'ws://127.0.0.1:9/relay'
let extension: BuiltExtension
let lender: PageServer
let attacker: PageServer
let browser: ChromiumExtension
let popup: Page

beforeAll(async () => {
  lender = await servePages(RELAY, 'Lender')
  attacker = await servePages(RELAY, 'Attacker')
  extension = await builtExtension([lender.origin])
  if (!CHROMIUM.isMissing) browser = await CHROMIUM.open(extension)
  popup = await browser?.openOwnPage('popup')
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await attacker[Symbol.asyncDispose]()
  await lender[Symbol.asyncDispose]()
  extension[Symbol.dispose]()
})

async function openPage(url: string): Promise<Page> {
  const page = await browser.context().newPage()
  await page.goto(url)
  return page
}

/** The stored connections, in the order of their keys. */
const storedSites = async () => {
  const stored: Readonly<Record<string, unknown>> = await popup.evaluate(() =>
    chrome.storage.local.get(),
  )
  return Object.entries(stored).flatMap(([key, value]) =>
    key.startsWith('connected-site:') && typeof value === 'string' ? [JSON.parse(value)] : [],
  )
}

describe.skipIf(CHROMIUM.isMissing)('in Chromium', () => {
  test('protocol 13: forged events reach neither the keys nor the windows, and leave nothing behind', async () => {
    const page = await openPage(lender.origin)
    await page.evaluate(() => {
      const throwing = {
        get event(): never {
          throw new Error('read')
        },
      }
      const details: readonly unknown[] = [
        null,
        1,
        throwing,
        new Proxy({}, { get: () => 'removeVault' }),
        { event: 'approve' },
        { keeper: 'removeVault', args: [] },
        { event: 'walletconnect_init', keeper: 'lock', args: [], uri: 'javascript:alert(1)' },
        { event: 'walletconnect_init', uri: `wc:${'x'.repeat(5_000_000)}@1` },
        { event: 'walletconnect_init', uri: { toString: () => 'wc:' } },
        { event: 'resetConnectionTimeout', data: Number.POSITIVE_INFINITY },
        { event: 'resetConnectionTimeout', data: -1 },
      ]
      for (const detail of details) {
        document.dispatchEvent(new CustomEvent('figureWalletExtensionSendMessage', { detail }))
        document.dispatchEvent(new CustomEvent('provWalletSendMessage', { detail }))
        try {
          window.postMessage(detail, '*')
        } catch {}
      }
    })
    await expect.poll(() => browser.approvalWindows(), { timeout: 20_000 }).toHaveLength(1)
    const [shown] = browser
      .context()
      .pages()
      .filter((each) => each.url().includes('approval.html'))
    await expect.poll(() => shown?.innerText('body')).toMatch(/cannot read|Set up your wallet/)
    expect(await storedSites()).toEqual([])
    await shown?.close()
    await page.close()
  })

  test('9 a page cannot call the worker, and neither open nor frame the windows of the wallet', async () => {
    const page = await openPage(lender.origin)
    const approval = `chrome-extension://${browser.id}/approval.html`
    expect(
      await page.evaluate(() => typeof Reflect.get(window, 'chrome')?.runtime?.sendMessage),
    ).toBe('undefined')
    expect(
      await page.evaluate(async (url) => {
        const response = await fetch(url).catch(() => undefined)
        return response === undefined
      }, approval),
    ).toBe(true)
    await page.evaluate((url) => {
      const frame = document.createElement('iframe')
      frame.src = url
      document.body.append(frame)
      window.open(url)
      window.open(url, '_blank', 'noopener')
    }, approval)
    await page.waitForTimeout(500)
    const urls = [...page.frames().slice(1), ...browser.context().pages()].map((each) => each.url())
    expect(urls).not.toContain(approval)
    for (const each of browser.context().pages()) if (each !== popup) await each.close()
  })

  test('9 the lender’s page in a frame of another origin is shown with its own origin; without an origin it is unknown', async () => {
    for (const [sandbox, origin] of [
      ['allow-scripts allow-same-origin', lender.origin],
      ['allow-scripts', undefined],
    ] as const) {
      const framed = encodeURIComponent(`${lender.origin}/#connect`)
      const page = await openPage(
        `${attacker.origin}/frame?url=${framed}&sandbox=${encodeURIComponent(sandbox)}`,
      )
      await expect
        .poll(async () => (await storedSites()).map((site) => site.origin), { timeout: 20_000 })
        .toContain(origin)
      await page.close()
    }
    expect((await storedSites()).every((site) => site.origin !== attacker.origin)).toBe(true)
  })

  test('9 twelve sandboxed frames in a page have one attempt to connect, and the page has its own', async () => {
    const page = await openPage(`${lender.origin}/#connect`)
    await page.evaluate((url) => {
      for (let count = 0; count < 12; count += 1) {
        const frame = document.createElement('iframe')
        frame.setAttribute('sandbox', 'allow-scripts')
        frame.src = url
        document.body.append(frame)
      }
    }, `${lender.origin}/framed#connect`)
    await page.evaluate(() => Reflect.get(window, 'page').connect())
    await expect
      .poll(
        async () => {
          const sites = await storedSites()
          const count = (name: string) =>
            sites.filter((site) => site[name] === lender.origin).length
          return { ofPage: count('origin'), ofFrames: count('tabOrigin') }
        },
        { timeout: 20_000 },
      )
      .toEqual({ ofPage: 1, ofFrames: 1 })
  })
})
