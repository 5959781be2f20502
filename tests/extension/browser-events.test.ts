/** What browsers do to an extension besides stopping its worker, and what users allow it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserPage, until } from '../support/browser-page.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { BROWSER, CHROMIUM } from './support/browsers.ts'
import { type BuiltExtension, builtExtension } from './support/built-extension.ts'
import { createWallet, PASSPHRASE_KEY } from './support/create-wallet.ts'
import {
  approvalText,
  type ExtensionBrowser,
  press,
  sendAsWindow,
} from './support/extension-browser.ts'
import { call, connected, type PageServer, results, servePages } from './support/page-server.ts'

/** The words of published test vectors. */
const WORDS = 'letter advice cage absurd amount doctor acoustic avoid letter advice cage above'
const TEXT_HEX = Buffer.from('I agree').toString('hex')

let server: ServerProcess
let lender: PageServer
let extension: BuiltExtension

beforeAll(async () => {
  server = await startServer()
  const relay = `${server.url.replace('http', 'ws')}/service-wallet-connect-bridge/ws/external`
  lender = await servePages(relay, 'Lender')
  extension = await builtExtension([server.url, lender.origin])
})

afterAll(async () => {
  extension[Symbol.dispose]()
  await lender[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

async function approvalWindow(browser: ExtensionBrowser): Promise<BrowserPage> {
  return until('The approval window', async () => (await browser.approvalWindows())[0])
}

async function unlock(browser: ExtensionBrowser): Promise<void> {
  await approvalText(browser, 'Unlock')
  const unlocking = { keeper: 'unlock', args: [{ passphraseKey: PASSPHRASE_KEY }] }
  await sendAsWindow(await approvalWindow(browser), unlocking)
}

const { name, isMissing, open } = BROWSER

describe(`in ${name}`, () => {
  let browser: ExtensionBrowser
  let page: BrowserPage

  beforeAll(async () => {
    if (isMissing) return
    browser = await open(extension)
    page = await browser.openPage(lender.origin)
    await call(page, 'connect')
    await approvalText(browser, 'Set up your wallet')
    await createWallet(await approvalWindow(browser), WORDS)
    await press(browser, 'Connect')
    await connected(page)
  })

  afterAll(() => browser?.[Symbol.asyncDispose]())

  test.skipIf(isMissing)(
    '2.6 the extension updates while a request waits: it is shown again, and the page gets its result',
    async () => {
      await call(page, 'startSigning', TEXT_HEX)
      await approvalText(browser, 'I agree')
      await browser.update()
      await unlock(browser)
      expect(await approvalText(browser, 'I agree')).toContain(`${lender.origin} (verified)`)
      await press(browser, 'Sign')
      expect(await results(page, 1)).toMatchObject([{ valid: true }])
    },
  )

  test.skipIf(isMissing)(
    '2.6 a page that was open during an update is served at once, although the worker is stopped',
    async () => {
      // Firefox puts the scripts of the new version into open pages a moment after the update.
      await new Promise((resolve) => setTimeout(resolve, 1000))
      await browser.stopWorker()
      const asked = Date.now()
      await call(page, 'startSigning', TEXT_HEX)
      await press(browser, 'Sign')
      expect(await results(page, 2)).toMatchObject([{ valid: true }, { valid: true }])
      expect(Date.now() - asked).toBeLessThan(20_000)
    },
  )

  test.skipIf(isMissing)(
    'protocol 13: reinitConnection gives up the connection with its requests, and asks to connect again',
    async () => {
      const earlier = (await results(page, 0)).length
      await call(page, 'startSigning', TEXT_HEX)
      await approvalText(browser, 'I agree')
      await call(page, 'restart')
      expect(await approvalText(browser, 'Connect to this page?')).not.toMatch(/1 of \d/)
      await press(browser, 'Connect')
      await connected(page)
      await call(page, 'startSigning', TEXT_HEX)
      await press(browser, 'Sign')
      const [given, signed] = (await results(page, earlier + 2)).slice(earlier)
      expect(given).toMatchObject({ valid: false })
      expect(signed).toMatchObject({ valid: true })
    },
  )
})

/** Where the user's browser window may be: partly outside the screen, at its edges, and small. */
const PLACES = [
  { left: -500, top: -300, width: 700, height: 500 },
  { left: 700, top: 500, width: 700, height: 500 },
  { left: 0, top: 0, width: 200, height: 150 },
]

test.skipIf(CHROMIUM.isMissing)(
  'the approval window is inside the visible screen, wherever the page is',
  async () => {
    await using browser = await CHROMIUM.open(extension)
    for (const bounds of PLACES) {
      const page = await browser.context().newPage()
      await page.goto(lender.origin)
      const session = await browser.context().newCDPSession(page)
      const { windowId } = await session.send('Browser.getWindowForTarget')
      await session.send('Browser.setWindowBounds', { windowId, bounds })
      await call(page, 'connect')
      await approvalText(browser, 'Set up your wallet')
      const approval = await approvalWindow(browser)
      const shown = await approval.evaluate(() => {
        const [left = 0, top = 0] = ['availLeft', 'availTop'].map((name) =>
          Number(Reflect.get(screen, name)),
        )
        return {
          left: screenX - left,
          top: screenY - top,
          right: left + screen.availWidth - screenX - outerWidth,
          bottom: top + screen.availHeight - screenY - outerHeight,
        }
      }, undefined)
      for (const distance of Object.values(shown)) expect(distance).toBeGreaterThanOrEqual(0)
      await approval.close()
      await page.close()
      // The window opens at most once a second for a page.
      await new Promise((resolve) => setTimeout(resolve, 1500))
    }
  },
)
