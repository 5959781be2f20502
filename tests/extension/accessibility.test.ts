/** The extension's own windows, used with the keyboard only, with axe on every screen in both schemes. */
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findExtensionChromium } from '../../tools/machine/chromium.ts'
import { expectGoodInBothSchemes } from '../browser/support/accessible.ts'
import { until } from '../support/browser-page.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { type BuiltExtension, builtExtension } from './support/built-extension.ts'
import { chromiumWithExtension } from './support/chromium-extension.ts'
import { type PageServer, servePages } from './support/page-server.ts'

/** The words of published test vectors. */
const WORDS =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'
const PASSPHRASE = 'granite lantern 47 orchard'
const POPUP = { width: 360, height: 600 }

const program = findExtensionChromium()

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

/** The name of the element with the focus. */
const focusedName = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: element } = document
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
      return element.labels?.[0]?.innerText
    }
    return element?.getAttribute('aria-label') ?? (element as HTMLElement | null)?.innerText
  })

const TAB_LIMIT = 40

/** Moves the focus by Tab to the control with this name. */
async function tabTo(page: Page, name: string): Promise<void> {
  const passed: (string | undefined)[] = []
  for (let count = 0; count < TAB_LIMIT; count += 1) {
    const focused = (await focusedName(page))?.trim()
    if (focused === name) return
    passed.push(focused)
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to '${name}', only to ${JSON.stringify(passed)}`)
}

async function pressEnterOn(page: Page, name: string): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

async function type(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, label)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(text)
}

/** The screen with this title is shown, has the focus, and has no accessibility errors. */
async function expectScreen(page: Page, title: string): Promise<void> {
  // Tests check states, not animations.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  expect(await page.evaluate(() => document.activeElement === document.body), title).toBe(false)
  await expectGoodInBothSchemes(page)
}

test.skipIf(program === undefined)(
  '2.6 a wallet is set up, used and locked with the keyboard, and axe finds nothing in any window',
  async () => {
    await using browser = await chromiumWithExtension(extension.chromium, program ?? '')
    const popup = await browser.openOwnPage('popup')
    await popup.setViewportSize(POPUP)
    await expectScreen(popup, 'Set up your wallet')
    const opened = browser.context().waitForEvent('page')
    await pressEnterOn(popup, 'Open the setup')
    const wallet = await opened
    await popup.close()

    await expectScreen(wallet, 'Set up your wallet')
    await wallet.setViewportSize(POPUP)
    await pressEnterOn(wallet, 'Restore from recovery words')
    await expectScreen(wallet, 'Enter your recovery words')
    await type(wallet, 'Recovery words', WORDS.replace('about', 'abuot'))
    await pressEnterOn(wallet, 'Continue')
    await wallet.getByText(/^There is no recovery word like word 12/).waitFor()
    await expectGoodInBothSchemes(wallet)
    await type(wallet, 'Recovery words', WORDS)
    await pressEnterOn(wallet, 'Continue')
    await expectScreen(wallet, 'Choose a passphrase')
    await type(wallet, 'Passphrase', PASSPHRASE)
    await type(wallet, 'Passphrase again', PASSPHRASE)
    await wallet.keyboard.press('Enter')
    await wallet.getByText('Account 1', { exact: true }).waitFor()
    await expectScreen(wallet, 'Your accounts')

    for (const [tab, title] of [
      ['Sites', 'Connected sites'],
      ['Groups', 'Groups'],
      ['Activity', 'Activity'],
      ['Settings', 'Settings'],
    ] as const) {
      await pressEnterOn(wallet, tab)
      await expectScreen(wallet, title)
    }
    await pressEnterOn(wallet, 'Show your recovery words')
    await expectScreen(wallet, 'Show your recovery words')
    await pressEnterOn(wallet, 'Back')
    await expectScreen(wallet, 'Settings')
    await pressEnterOn(wallet, 'Lock')
    await expectScreen(wallet, 'Unlock your wallet')
    await wallet.keyboard.type('wrong')
    await wallet.keyboard.press('Enter')
    await wallet.getByText('This is not the passphrase of this wallet.').waitFor()
    await expectGoodInBothSchemes(wallet)
    await wallet.close()

    const page = await browser.openPage(lender.origin)
    await page.evaluate(() => Reflect.get(window, 'page').connect(), undefined)
    const approval = await until('The approval window', async () =>
      browser
        .context()
        .pages()
        .find((each) => each.url().endsWith('/approval.html')),
    )
    await expectScreen(approval, 'Unlock to see the request')
    await type(approval, 'Passphrase', PASSPHRASE)
    await approval.keyboard.press('Enter')
    await expectScreen(approval, 'Connect to this page?')
    // 2.8: Enter, pressed while the user still types elsewhere, approves nothing, and Escape rejects nothing.
    await approval.keyboard.press('Escape')
    await approval.getByRole('button', { name: 'Connect', exact: true, disabled: false }).waitFor()
    await pressEnterOn(approval, 'Connect')
    await expectScreen(approval, 'Connect to this page?')
    await tabTo(approval, 'Connect')
    await approval.keyboard.press('Space')
    await approval.getByRole('heading', { name: 'Connected' }).waitFor()
    await until('The connection', async () => {
      const status = await page.evaluate(() => Reflect.get(window, 'page').status(), undefined)
      return status === 'connected' || undefined
    })
  },
)
