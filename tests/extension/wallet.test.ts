import type { Page } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findExtensionChromium } from '../../tools/machine/chromium.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { type BuiltExtension, builtExtension } from './support/built-extension.ts'
import { type ChromiumExtension, chromiumWithExtension } from './support/chromium-extension.ts'
import { type PageServer, servePages } from './support/page-server.ts'
import { createVault, PASSPHRASE, send } from './support/wallet-calls.ts'

const TEXT_HEX = Buffer.from('I agree').toString('hex')
const WAITS = { timeout: 20_000 }

let server: ServerProcess
let lender: PageServer
let partner: PageServer
let extension: BuiltExtension
let browser: ChromiumExtension

beforeAll(async () => {
  server = await startServer()
  lender = await servePages(relayOf(server), 'Lender')
  partner = await servePages(relayOf(server), 'Lender')
  extension = await builtExtension([server.url, lender.origin, partner.origin])
  browser = await chromiumWithExtension(extension.chromium, findExtensionChromium() ?? '')
  const popup = await browser.openOwnPage('popup')
  await createVault(popup)
  await popup.close()
})

afterAll(async () => {
  await browser[Symbol.asyncDispose]()
  extension[Symbol.dispose]()
  await partner[Symbol.asyncDispose]()
  await lender[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const relayOf = ({ url }: ServerProcess) =>
  `${url.replace('http', 'ws')}/service-wallet-connect-bridge/ws/external`

async function openPage(url: string): Promise<Page> {
  const page = await browser.context().newPage()
  await page.goto(url)
  return page
}

const connect = (page: Page) => page.evaluate(() => Reflect.get(window, 'page').connect())
const statusOf = (page: Page) =>
  page.evaluate(() => Reflect.get(window, 'page').service.state.status)
/** Starts signing; its result is in the page, because the page outlives the calls of this test. */
const startSigning = (page: Page) =>
  page.evaluate((hex) => void Reflect.get(window, 'page').sign(hex), TEXT_HEX)
const signed = (page: Page) => page.evaluate(() => Reflect.get(window, 'page').results)

/** The approval window with this button; an earlier window may be closing. */
async function approvalWith(name: string): Promise<Page> {
  for (;;) {
    const approval = await browser.approvalWindow()
    const isFound = await approval
      .getByRole('button', { name, exact: true })
      .waitFor()
      .then(
        () => true,
        () => false,
      )
    if (isFound) return approval
    if (!approval.isClosed())
      throw new Error(`No '${name}' in: ${await approval.innerText('body')}`)
  }
}

/** Presses a button of the approval window as soon as it is enabled. */
async function press(name: string): Promise<void> {
  const approval = await approvalWith(name)
  await approval.locator('main').evaluate((main) => main.scrollTo(0, main.scrollHeight))
  await approval.getByRole('button', { name, exact: true }).click()
}

async function connectedPage(origin: string): Promise<Page> {
  const page = await openPage(origin)
  await connect(page)
  await press('Connect')
  await expect.poll(() => statusOf(page), WAITS).toBe('connected')
  return page
}

const isWindowOpen = () =>
  browser
    .context()
    .pages()
    .some((page) => page.url().endsWith('/approval.html'))

test('2.6 connect, sign, reload, sign again, restart the browser, sign again', async () => {
  const page = await connectedPage(lender.origin)
  await startSigning(page)
  await press('Sign')
  await expect.poll(() => signed(page), WAITS).toMatchObject([{ valid: true }])
  await expect.poll(isWindowOpen, WAITS).toBe(false)

  await page.reload()
  await startSigning(page)
  await press('Sign')
  await expect.poll(() => signed(page), WAITS).toMatchObject([{ valid: true }])

  await browser.restart()
  const again = await openPage(lender.origin)
  await expect.poll(() => statusOf(again), WAITS).toBe('connected')
  await startSigning(again)
  const approval = await browser.approvalWindow()
  await approval.getByLabel('Passphrase').fill(PASSPHRASE)
  await approval.getByRole('button', { name: 'Unlock' }).click()
  await press('Sign')
  await expect.poll(() => signed(again), WAITS).toMatchObject([{ valid: true }])
  await again.close()
})

test('protocol 13: the worker may be stopped before, during and after each step', async () => {
  const page = await openPage(partner.origin)
  await browser.stopWorker()
  await connect(page)
  await approvalWith('Connect')
  await browser.stopWorker()
  await press('Connect')
  await browser.stopWorker()
  await expect.poll(() => statusOf(page), WAITS).toBe('connected')
  await browser.stopWorker()
  await startSigning(page)
  await approvalWith('Sign')
  await browser.stopWorker()
  await press('Sign')
  await browser.stopWorker()
  await expect.poll(() => signed(page), WAITS).toMatchObject([{ valid: true }])
  await page.close()
})

test('a page and its scripts cannot call the wallet', async () => {
  const page = await openPage(lender.origin)
  const forged = { keeper: 'accounts', args: [] }
  expect(
    await page.evaluate(
      ({ id, message }) =>
        Reflect.get(window, 'chrome')?.runtime?.sendMessage?.(id, message) ?? 'no runtime',
      { id: browser.id, message: forged },
    ),
  ).toBe('no runtime')
  await page.evaluate((detail) => {
    for (const name of ['figureWalletExtensionSendMessage', 'provWalletSendMessage']) {
      document.dispatchEvent(new CustomEvent(name, { detail }))
    }
  }, forged)
  const popup = await browser.openOwnPage('popup')
  expect(await send(popup, forged)).toHaveProperty('value')
  expect(await send(popup, { keeper: 'constructor', args: [] })).toHaveProperty('defect')
  await popup.close()
  await page.close()
})
