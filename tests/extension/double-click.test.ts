import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserPage, until } from '../support/browser-page.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { FIREFOX } from './support/browsers.ts'
import { type BuiltExtension, builtExtension } from './support/built-extension.ts'
import { createWallet } from './support/create-wallet.ts'
import { approvalText, type ExtensionBrowser, press } from './support/extension-browser.ts'
import { call, connected, type PageServer, results, servePages } from './support/page-server.ts'

const WORDS =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'

let server: ServerProcess
let stranger: PageServer
let extension: BuiltExtension
let browser: ExtensionBrowser

beforeAll(async () => {
  server = await startServer()
  const relay = `${server.url.replace('http', 'ws')}/service-wallet-connect-bridge/ws/external`
  stranger = await servePages(relay, 'Stranger')
  extension = await builtExtension([server.url, stranger.origin])
  if (!FIREFOX.isMissing) browser = await FIREFOX.open(extension)
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  extension[Symbol.dispose]()
  await stranger[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

async function approvalWindow(): Promise<BrowserPage> {
  return until('The approval', async () => (await browser.approvalWindows())[0])
}

const hasFocus = (page: BrowserPage) => page.evaluate(() => document.hasFocus(), undefined)

/** Whether the button can be pressed. */
const isEnabled = (page: BrowserPage, name: string) =>
  page.evaluate(
    (text) =>
      [...document.querySelectorAll('button')].some(
        (button) => button.innerText === text && !button.disabled,
      ),
    name,
  )

// Not in Chromium: without a display, it gives the focus to all windows.
describe.skipIf(FIREFOX.isMissing)('in Firefox', () => {
  test('2.8 an approval under a window of the page cannot be answered, and not by the click that closes that window', async () => {
    const page = await browser.openPage(stranger.origin)
    await call(page, 'connect')
    await createWallet(await approvalWindow(), WORDS)
    await approvalText(browser, 'Connect to this page?')
    const approval = await approvalWindow()
    await until('Settling', async () => (await isEnabled(approval, 'Connect')) || undefined)

    await page.evaluate(() => {
      const above = window.open('about:blank', '', 'popup,width=360,height=600')
      Object.assign(window, { above })
    }, undefined)
    await until('The cover', async () => !(await hasFocus(approval)) || undefined)
    // It stays visible, of its size and at its place.
    expect(await approval.evaluate(() => document.visibilityState, undefined)).toBe('visible')
    await new Promise((resolve) => setTimeout(resolve, 2000))
    expect(await isEnabled(approval, 'Connect')).toBe(false)

    await page.evaluate(() => Reflect.get(window, 'above').close(), undefined)
    // The second press of the double click.
    expect(await browser.press(approval, 'Connect', 500)).toBe(false)
    expect(await call(page, 'status')).toBe('pending')
    await approval.evaluate(() => window.focus(), undefined)
    await press(browser, 'Connect')
    await connected(page)
    await page.close()
  })

  test('7.4 a page gets no signature over a text that signs in to another site', async () => {
    const page = await browser.openPage(stranger.origin)
    await connected(page)
    const text = `Sign in to ${server.url} with this wallet: 0d3c`
    const messages = [text, `I agree to the terms.\0${text}`, Buffer.from(text).toString('base64')]
    for (const [index, message] of messages.entries()) {
      await call(page, 'startSigning', Buffer.from(message).toString('hex'))
      await approvalText(browser, 'This message signs in to another')
      expect(await isEnabled(await approvalWindow(), 'Sign')).toBe(false)
      await press(browser, 'Reject')
      const all = await results(page, index + 1)
      expect(all.at(-1)).toMatchObject({ valid: false })
    }
    await page.close()
  })
})
