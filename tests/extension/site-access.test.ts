/** The user enables the wallet on a site that is not one of the lender's. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BrowserPage, until } from '../support/browser-page.ts'
import { userOf } from '../support/user.ts'
import { FIREFOX } from './support/browsers.ts'
import { type BuiltExtension, builtExtension } from './support/built-extension.ts'
import { createWallet } from './support/create-wallet.ts'
import { type PageServer, servePages } from './support/page-server.ts'

/** The words of published test vectors. */
const WORDS = 'zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong'
const RELAY = 'ws://127.0.0.1:9/relay'
let lender: PageServer
let other: PageServer
let otherUrl: string
let extension: BuiltExtension

beforeAll(async () => {
  lender = await servePages(RELAY, 'Lender')
  other = await servePages(RELAY, 'Other')
  // Match patterns cannot contain ports in Firefox, so the other site needs another host.
  otherUrl = other.origin.replace('127.0.0.1', 'localhost')
  extension = await builtExtension([lender.origin])
})

afterAll(async () => {
  extension[Symbol.dispose]()
  await other[Symbol.asyncDispose]()
  await lender[Symbol.asyncDispose]()
})

const hasExtension = (page: BrowserPage) =>
  page.evaluate(() => Reflect.get(window, 'page').hasExtension(), undefined)

// Chromium's prompt for the permission cannot be answered without a screen.
test.skipIf(FIREFOX.isMissing)(
  '2.6 ‘Use on …’ in the popup enables the wallet in the open page at once, and in later ones',
  async () => {
    await using browser = await FIREFOX.open(extension)
    const page = await browser.openPage(otherUrl)
    expect(await hasExtension(page)).toBe(false)
    const popup = await browser.openPopup()
    await createWallet(popup, WORDS)
    await userOf(async () => popup).click(`Use on ${new URL(otherUrl).host}`)
    await until('Finding the wallet', async () => (await hasExtension(page)) || undefined)
    await page.reload()
    expect(await hasExtension(page)).toBe(true)
    const later = await browser.openPage(otherUrl)
    expect(await hasExtension(later)).toBe(true)
  },
)
