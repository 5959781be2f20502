import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../support/browser-page.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { BROWSER } from './support/browsers.ts'
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
const WORDS =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'
const TEXT_HEX = Buffer.from('I agree').toString('hex')

let server: ServerProcess
let lender: PageServer
let partner: PageServer
let stranger: PageServer
let extension: BuiltExtension

beforeAll(async () => {
  server = await startServer()
  const relay = `${server.url.replace('http', 'ws')}/service-wallet-connect-bridge/ws/external`
  lender = await servePages(relay, 'Lender')
  partner = await servePages(relay, 'Lender')
  stranger = await servePages(relay, 'Lender')
  extension = await builtExtension([server.url, lender.origin, partner.origin, stranger.origin])
})

afterAll(async () => {
  extension[Symbol.dispose]()
  await stranger[Symbol.asyncDispose]()
  await partner[Symbol.asyncDispose]()
  await lender[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

/** Runs in a page: the names of the extension interfaces that reach storage. */
function storageOfPage(): readonly string[] {
  return ['chrome', 'browser'].filter((name) => Reflect.get(window, name)?.storage !== undefined)
}

/** Runs in a window of the extension: the keys in its storage, as it reads them and as a script in the page at `url` does. */
async function readStorage(url: string) {
  const api: typeof chrome = Reflect.get(globalThis, 'browser') ?? chrome
  // Not by a pattern: in Firefox, those have no ports.
  const tab = (await api.tabs.query({})).find((each) => each.url === url)
  const [injected] = await api.scripting.executeScript({
    target: { tabId: tab?.id ?? 0 },
    func: async () => {
      const { storage }: typeof chrome = Reflect.get(globalThis, 'browser') ?? chrome
      const read = async (area: 'session' | 'local') => {
        try {
          return Object.keys(await storage[area].get())
        } catch {
          return 'refused'
        }
      }
      return { session: await read('session'), local: await read('local') }
    },
  })
  return {
    own: {
      session: Object.keys(await api.storage.session.get()),
      local: Object.keys(await api.storage.local.get()),
    },
    inPage: injected?.result,
  }
}

/**
 * Runs in a window of the extension: changes when the wallet locks, in the stored bytes of the unlocked key. Resolves to whether
 * the change lasts: the worker may be writing the bytes back.
 */
async function setLockTime(epochMs: number): Promise<boolean> {
  const key = 'unlocked-key'
  const { [key]: stored } = await chrome.storage.session.get(key)
  const bytes = Uint8Array.from(atob(String(stored)), (character) => character.charCodeAt(0))
  new DataView(bytes.buffer).setFloat64(32, epochMs)
  await chrome.storage.session.set({ [key]: btoa(String.fromCharCode(...bytes)) })
  await new Promise((resolve) => setTimeout(resolve, 300))
  const { [key]: kept } = await chrome.storage.session.get(key)
  const keptBytes = Uint8Array.from(atob(String(kept)), (character) => character.charCodeAt(0))
  return new DataView(keptBytes.buffer).getFloat64(32) === epochMs
}

const { name, isMissing, open } = BROWSER

describe(`in ${name}`, () => {
  let browser: ExtensionBrowser

  beforeAll(async () => {
    if (!isMissing) browser = await open(extension)
  })

  afterAll(() => browser?.[Symbol.asyncDispose]())

  const isFound = !isMissing
  /** What the browser decides is tested in both; what only our scripts do, in one. */
  const isChromium = isFound && name === 'Chromium'

  const unlock = async () => {
    await approvalText(browser, 'Unlock')
    const [window] = await browser.approvalWindows()
    if (window === undefined) throw new Error('The window was closed')
    await sendAsWindow(window, { keeper: 'unlock', args: [{ passphraseKey: PASSPHRASE_KEY }] })
  }

  const isClosed = () =>
    until('Closing', async () => (await browser.approvalWindows()).length === 0 || undefined)

  test.runIf(isFound)(
    '2.6 a page starts the wallet, which is created first, and then connects',
    async () => {
      const page = await browser.openPage(lender.origin)
      expect(await call(page, 'hasExtension')).toBe(true)
      await call(page, 'connect')
      await approvalText(browser, 'Set up your wallet')
      const [window] = await browser.approvalWindows()
      if (window === undefined) return expect.fail()
      await createWallet(window, WORDS)
      await press(browser, 'Connect')
      await connected(page)
      await isClosed()
      await page.close()
    },
  )

  test.runIf(isChromium)('2.6 the worker may be stopped at every step', async () => {
    const page = await browser.openPage(partner.origin)
    await browser.stopWorker()
    await call(page, 'connect')
    await approvalText(browser, 'Connect to this page?')
    await browser.stopWorker()
    await press(browser, 'Connect')
    await browser.stopWorker()
    await connected(page)
    await browser.stopWorker()
    await call(page, 'startSigning', TEXT_HEX)
    await approvalText(browser, 'I agree')
    await browser.stopWorker()
    await press(browser, 'Sign')
    await browser.stopWorker()
    const signed = await results(page, 1).catch(async () => {
      // The worker was stopped before it received the approval, so the request is shown again.
      await press(browser, 'Sign')
      return results(page, 1)
    })
    expect(signed).toMatchObject([{ valid: true }])
    await page.close()
  })

  test.runIf(isChromium)(
    '2.6 a start that arrives while the browser stops the worker is not lost',
    async () => {
      const page = await browser.openPage(partner.origin)
      for (let round = 0; round < 3; round += 1) {
        await page.evaluate(() => localStorage.clear(), undefined)
        await page.reload()
        await Promise.all([browser.stopWorker(), call(page, 'connect')])
        await press(browser, 'Connect')
        await connected(page)
        await isClosed()
      }
      await page.close()
    },
  )

  test.runIf(isFound)(
    '2.6 a frame is shown with its own origin, whatever name its page gives itself',
    async () => {
      const url = encodeURIComponent(`${stranger.origin}/#connect`)
      const page = await browser.openPage(`${lender.origin}/frame?url=${url}`)
      const text = await approvalText(browser, 'Connect to this page?')
      expect(text).toContain(`${stranger.origin} (verified)`)
      expect(text).not.toContain(lender.origin)
      await press(browser, 'Reject')
      await isClosed()
      await page.close()
    },
  )

  test.runIf(isFound)(
    '2.6 a sandboxed frame has no origin, and the approval shows that it is unverified',
    async () => {
      const url = encodeURIComponent(`${stranger.origin}/#connect`)
      const page = await browser.openPage(`${lender.origin}/frame?sandbox=allow-scripts&url=${url}`)
      const text = await approvalText(browser, 'Connect to this page?')
      expect(text).toContain('We could not verify which page sent this request')
      expect(text).not.toContain('(verified)')
      await press(browser, 'Reject')
      await isClosed()
      await page.close()
    },
  )

  test.runIf(isFound)(
    '2.6 forged events call nothing, and many starts leave one request',
    async () => {
      const page = await browser.openPage(stranger.origin)
      await page.evaluate(
        (forged) => {
          for (const detail of forged) {
            for (const name of ['figureWalletExtensionSendMessage', 'provWalletSendMessage']) {
              document.dispatchEvent(new CustomEvent(name, { detail }))
            }
          }
        },
        [
          { keeper: 'accounts', args: [] },
          { event: 'walletconnect_init', keeper: 'removeVault', args: [] },
          { event: 'walletconnect_init', uri: 'wc:nothing' },
          { event: 'walletconnect_init', uri: 'x'.repeat(100_000) },
        ],
      )
      for (let count = 0; count < 20; count += 1) await call(page, 'connect')
      const text = await approvalText(browser, 'Connect to this page?')
      expect(text).not.toMatch(/1 of \d/)
      const [window] = await browser.approvalWindows()
      if (window === undefined) return expect.fail()
      expect(await browser.approvalWindows()).toHaveLength(1)
      expect(await sendAsWindow(window, { keeper: 'vault', args: [] })).toMatchObject({
        value: { step: 'unlocked' },
      })
      expect(await sendAsWindow(window, { keeper: 'constructor', args: [] })).toHaveProperty(
        'defect',
      )
      await press(browser, 'Reject')
      await isClosed()
      await page.close()
    },
  )

  test.runIf(isFound)(
    '9 the unlocked key is in session storage, which scripts in pages cannot read, and pages reach no storage',
    async () => {
      const page = await browser.openPage(lender.origin)
      expect(await page.evaluate(storageOfPage, undefined)).toEqual([])
      const popup = await browser.openPopup()
      const { own, inPage } = await popup.evaluate(readStorage, `${lender.origin}/`)
      expect(own.session).toContain('unlocked-key')
      expect(own.local).toContain('vault')
      // Firefox cannot restrict local storage. The vault in it is encrypted.
      expect(inPage).toMatchObject({ session: 'refused', ...(isChromium && { local: 'refused' }) })
      await popup.close()
      await page.close()
    },
  )

  test.runIf(isChromium)(
    '2.6 the lock time passes while the worker is stopped: the worker that a page starts finds the wallet locked',
    async () => {
      const page = await browser.openPage(lender.origin)
      await connected(page)
      const popup = await browser.openPopup()
      const lockAt = Date.now() + 6000
      await until('The lock time', async () => {
        return (await popup.evaluate(setLockTime, lockAt)) || undefined
      })
      expect(await sendAsWindow(popup, { keeper: 'vault', args: [] })).toMatchObject({
        value: { step: 'unlocked' },
      })
      await popup.close()
      await browser.stopWorker()
      await new Promise((resolve) => setTimeout(resolve, lockAt - Date.now()))
      await call(page, 'startSigning', TEXT_HEX)
      await unlock()
      await press(browser, 'Sign')
      expect(await results(page, 1)).toMatchObject([{ valid: true }])
      await page.close()
    },
  )

  test.runIf(isChromium)('2.6 the approval closes when its page is closed', async () => {
    const page = await browser.openPage(lender.origin)
    await connected(page)
    await call(page, 'startSigning', TEXT_HEX)
    await approvalText(browser, 'I agree')
    await page.close()
    await isClosed()
  })

  test.runIf(isFound)(
    '2.6 sign, reload, sign; after a restart the wallet is locked and still connected',
    async () => {
      const page = await browser.openPage(lender.origin)
      await connected(page)
      await call(page, 'startSigning', TEXT_HEX)
      expect(await approvalText(browser, 'I agree')).toContain(`${lender.origin} (verified)`)
      await press(browser, 'Sign')
      expect(await results(page, 1)).toMatchObject([{ valid: true }])
      await page.reload()
      await connected(page)
      await call(page, 'startSigning', TEXT_HEX)
      await press(browser, 'Sign')
      expect(await results(page, 1)).toMatchObject([{ valid: true }])

      await browser.restart()
      const again = await browser.openPage(lender.origin)
      await connected(again)
      await call(again, 'startSigning', TEXT_HEX)
      await unlock()
      await press(browser, 'Sign')
      expect(await results(again, 1)).toMatchObject([{ valid: true }])
      await again.close()
    },
  )
})
