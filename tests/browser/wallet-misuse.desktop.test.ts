/**
 * Interrupted wallet sign-in: reloads, a minimized panel, no network, no server, no session, a blocked window. Each problem
 * is reported once, nothing waits forever, and there is always a next step.
 */
import type { Page } from '@playwright/test'
import { PEOPLE } from '../support/people.ts'
import { preparedData, type ServerProcess, startServer } from '../support/server-process.ts'
import { expectAccessible } from './support/accessible.ts'
import { openConnectingPage, walletFrame } from './support/connecting-page.ts'
import { aPhone } from './support/phone-wallet.ts'
import { expect, test } from './support/portico.ts'
import { dialog, logIn, onDashboard, openWalletPage, ready, visit } from './support/steps.ts'

const FRAME = '#figure-wallet-hosted'

const button = (page: Page, name: string) =>
  walletFrame(page).getByRole('button', { name, exact: true })
const heading = (page: Page, name: string) => walletFrame(page).getByRole('heading', { name })
const connecting = (page: Page) => dialog(page, 'Connect Your Wallet')
const account = (page: Page, name: RegExp) =>
  dialog(page, 'Choose an Account').getByRole('button', { name }).first()

/** Reloads only the frame. */
const reloadFrame = (page: Page) =>
  page.locator(`${FRAME} > iframe`).evaluate((frame: HTMLIFrameElement) => {
    frame.contentWindow?.location.reload()
  })

/** The page's controls that overlap an element. */
const controlsUnder = (page: Page, selector: string) =>
  page.evaluate((over) => {
    const box = document.querySelector(over)?.getBoundingClientRect()
    if (box === undefined) return ['nothing there']
    const controls = document.querySelectorAll<HTMLElement>('a, button, input, select, textarea')
    return [...controls]
      .filter((control) => control.checkVisibility())
      .map((control) => ({ control, at: control.getBoundingClientRect() }))
      .filter(({ at }) => at.right > box.left && at.left < box.right)
      .filter(({ at }) => at.bottom > box.top && at.top < box.bottom)
      .map(({ control }) => control.textContent || control.outerHTML)
  }, selector)

async function arrive(page: Page, person: { email: string; password: string }): Promise<void> {
  await visit(page, '/auth/wallet?redirectUrl=%2Fdashboard')
  await expect(page).toHaveURL(/\/auth\/login\?redirectUrl=/)
  await logIn(page, person)
}

test('4.2 Connect: reload, minimized panel, no network, server down and back; each is reported and continues', async ({
  browser,
}) => {
  const folder = preparedData()
  let server: ServerProcess = await startServer({ dataDir: folder.path })
  const { url } = server
  const context = await browser.newContext({ baseURL: url })
  const page = await context.newPage()
  await arrive(page, PEOPLE.several)
  // A panel that does not load shows a sentence and a way out, not the browser's error page.
  await page.route('**/figure-wallet?**', (route) => route.abort())
  await account(page, /Savings/).click()
  const panel = page.locator(FRAME)
  await expect(panel.getByRole('alert')).toContainText('We could not reach the wallet.')
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Close' }).click()
  await expect(panel).toBeHidden()
  await page.unroute('**/figure-wallet?**')
  await connecting(page).getByRole('button', { name: 'Use your Figure Account' }).click()
  await expect(heading(page, 'Connect to this page?')).toBeVisible()

  await button(page, 'Minimize').click()
  await expect
    .poll(() => page.locator(FRAME).boundingBox())
    .toMatchObject({ width: 50, height: 50 })
  // It shows that a request is pending, and covers no control, even on a narrow page.
  const restore = button(page, 'Open the wallet: a request waits')
  await expect(restore).toHaveText('Wallet')
  await page.setViewportSize({ width: 390, height: 700 })
  expect(await controlsUnder(page, FRAME)).toEqual([])
  await page.setViewportSize({ width: 1280, height: 720 })
  await restore.click()
  await expect(heading(page, 'Connect to this page?')).toBeVisible()

  // The request returns with the frame, and the step with the page.
  await reloadFrame(page)
  await expect(button(page, 'Connect')).toBeEnabled()
  await page.reload()
  await expect(connecting(page).getByText('Savings')).toBeVisible()
  await expect(button(page, 'Connect')).toBeEnabled()

  await context.setOffline(true)
  await button(page, 'Connect').click()
  const unreachable = walletFrame(page).getByText('We could not reach the server.')
  await expect(unreachable).toBeVisible()
  await expectAccessible(page, { include: `${FRAME} iframe` })
  await context.setOffline(false)
  await button(page, 'Try again').click()
  await expect(button(page, 'Connect')).toBeEnabled()

  await server.kill()
  await button(page, 'Connect').click()
  await expect(unreachable).toBeVisible()
  const environment = { PORT: new URL(url).port }
  server = await startServer({ dataDir: folder.path, environment })
  await button(page, 'Try again').click()
  await button(page, 'Connect').click()
  await onDashboard(page, PEOPLE.several.email)
  await openWalletPage(page)
  await expect(page.getByText(/Connected for \d+ hours more/)).toBeVisible()

  // A signature request during a reload of the frame has the same outcome on both sides.
  await page.getByLabel('Message to sign').fill('I agree')
  await page.getByRole('button', { name: 'Sign the message' }).click()
  await expect(button(page, 'Sign')).toBeEnabled()
  await reloadFrame(page)
  await expect(heading(page, 'Not answered')).toBeVisible()
  await expect(page.getByText('The wallet was closed before it answered')).toBeVisible()
  await expect(page.locator(FRAME)).toBeHidden()
  await context.close()
  await server.stop()
  folder.remove()
})

test('2.2 8 a session that ends midway: logging in again returns to the same place', async ({
  page,
  context,
}) => {
  await arrive(page, PEOPLE.several)
  await expect(account(page, /Savings/)).toBeVisible()
  await context.clearCookies()
  await account(page, /Savings/).click()
  await expect(page.getByRole('alert')).toContainText(
    'Your session has ended. Please log in again.',
  )
  await page.getByRole('link', { name: 'Go to the login page' }).click()
  await ready(page)
  await logIn(page, PEOPLE.several)
  await account(page, /Savings/).click()

  // During a request the wallet says so, and the login opens beside it.
  await expect(button(page, 'Connect')).toBeEnabled()
  await context.clearCookies()
  await button(page, 'Connect').click()
  await expect(walletFrame(page).getByText('Your session has ended.')).toBeVisible()
  const opening = context.waitForEvent('page')
  await button(page, 'Log in').click()
  const login = await opening
  await ready(login)
  await logIn(login, PEOPLE.several)
  await expect(login.getByRole('heading', { name: 'Your accounts' })).toBeVisible()
  await login.close()
  await button(page, 'Try again').click()
  await button(page, 'Connect').click()
  await onDashboard(page, PEOPLE.several.email)
})

test('7.4 a request that another tab’s request ends says so', async ({ page, context }) => {
  await arrive(page, PEOPLE.several)
  await account(page, /Savings/).click()
  await button(page, 'Connect').click()
  await onDashboard(page, PEOPLE.several.email)
  await openWalletPage(page)
  const other = await context.newPage()
  await visit(other, '/dashboard')
  await openWalletPage(other)
  for (const tab of [page, other]) {
    await tab.getByLabel('Message to sign').fill('I agree')
    await tab.getByRole('button', { name: 'Sign the message' }).click()
    if (tab === page) await expect(button(page, 'Sign')).toBeEnabled()
  }
  await expect(page.getByText('Your wallet was opened in another tab.')).toBeVisible()
})

test('4.2 7.4 two tabs: one panel at a time, and no tab ends another one’s connection', async ({
  page,
  context,
}) => {
  await arrive(page, PEOPLE.several)
  await account(page, /Savings/).click()
  await expect(heading(page, 'Connect to this page?')).toBeVisible()
  const other = await context.newPage()
  await visit(other, '/auth/wallet')
  await account(other, /Everyday/).click()
  await expect(button(other, 'Connect')).toBeEnabled()
  await expect(page.locator(FRAME)).toBeHidden()
  await expect(connecting(page)).toContainText('Your wallet was opened in another tab.')
  await expect(connecting(page).getByText('Awaiting signature in')).toBeHidden()

  await button(other, 'Connect').click()
  await onDashboard(other, PEOPLE.several.email)
  await expect(dialog(page, 'Choose an Account').getByRole('alert')).toContainText(
    'You chose another account in another window',
  )
  await expect(account(page, /Everyday/)).toContainText('Connected')
  await openWalletPage(other)
  await expect(other.getByText(/Connected for \d+ hours more/)).toBeVisible()
})

test('2.8 a blocked window can be opened by a link', async ({ page, context }) => {
  await page.addInitScript(() => {
    window.open = () => null
  })
  await openConnectingPage(page)
  await page.evaluate(() => window.connectHosted())
  await button(page, 'Log in').click()
  const opening = context.waitForEvent('page')
  await walletFrame(page).getByRole('link', { name: 'open the login here' }).click()
  const login = await opening
  await expect(login).toHaveURL(/\/auth\/login\?redirectUrl=%2Ffigure-wallet/)
  await ready(login)
  await logIn(login, PEOPLE.several)
  await expect(heading(page, 'Connect to this page?')).toBeVisible()
})

test('4.2 Verify: a reload stays there; without a network it says what to do', async ({
  page,
  context,
}) => {
  await arrive(page, PEOPLE.unverified)
  await account(page, /My phone/).click()
  const verifying = dialog(page, 'Connect your Wallet')
  await expect(verifying.getByText('Wallet Verification Required')).toBeVisible()
  await page.reload()
  await expect(verifying.getByText('Wallet Verification Required')).toBeVisible()
  // Wait for the lazily loaded connection code, without which the page cannot prepare a connection.
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await verifying.getByRole('button', { name: 'Use your Figure Account' }).click()
  await expect(verifying.getByRole('alert')).toContainText('We could not reach the wallet.')
  await context.setOffline(false)
  await verifying.getByRole('button', { name: 'Open it again' }).click()
  await expect(heading(page, 'Give Your Account a Name')).toBeVisible()
  await button(page, 'Close').click()
  await verifying.getByRole('button', { name: 'Back to the list of accounts' }).click()
  await expect(account(page, /My phone/)).toBeVisible()
  await expect(page).toHaveURL(/\/auth\/wallet\?redirectUrl=%2Fdashboard$/)
})

test("4.1 a connection lasts as long as requested, shows the remaining time, and ends as 'Connection Expired'", async ({
  page,
  context,
}) => {
  await page.clock.install()
  await visit(page, '/auth/login')
  await logIn(page, PEOPLE.several)
  await onDashboard(page, PEOPLE.several.email)
  await openConnectingPage(page)
  await page.evaluate(() => window.connectHosted({ duration: 59 }))
  await button(page, 'Connect').click()
  await expect.poll(() => page.evaluate(() => window.wallet.state.status)).toBe('connected')
  await visit(page, '/dashboard/wallet')
  await expect(page.getByText('Connected for less than a minute more')).toBeVisible()
  const wallet = await context.newPage()
  await wallet.goto('/figure-wallet')
  await expect(
    wallet.getByText('A page of this site is connected for less than a minute more.'),
  ).toBeVisible()
  await wallet.close()
  await page.clock.fastForward(60_000)
  await expect(page.getByText('Connection Expired')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Connect your Figure Account' })).toBeVisible()
})

test('2.7 protocol 13: an installed extension connects, proves its wallet, and is notified of the end', async ({
  page,
}) => {
  const wallet = await aPhone()
  const received: unknown[] = []
  // Its content script: it marks the window, handles an event on the document, and answers over the relay.
  await page.exposeFunction(
    'onExtensionMessage',
    async (event: string, uri: string | undefined) => {
      received.push(event)
      if (uri !== undefined) await wallet.join(uri)
    },
  )
  await page.addInitScript(() => {
    const own = window as unknown as {
      figureWalletExtension: unknown
      onExtensionMessage: (event: string, uri: string | undefined) => void
    }
    own.figureWalletExtension = { isFigure: true }
    document.addEventListener('figureWalletExtensionSendMessage', (message) => {
      const { event, uri } = (message as CustomEvent<{ event: string; uri?: string }>).detail
      own.onExtensionMessage(event, uri)
    })
  })
  await arrive(page, PEOPLE.several)
  await dialog(page, 'Choose an Account').getByRole('button', { name: 'Connect a Wallet' }).click()
  await dialog(page, 'Connect your Wallet')
    .getByRole('button', { name: 'Chrome Extension Wallet' })
    .click()
  await onDashboard(page, PEOPLE.several.email)
  await openWalletPage(page)
  await expect(page.getByText(wallet.address)).toBeVisible()

  // It is attached now: it is in the list, and its account connects by the extension from the Connect screen.
  await page.getByRole('button', { name: 'Disconnect' }).click()
  await visit(page, '/auth/wallet?redirectUrl=%2Fdashboard')
  await account(page, /My phone/).click()
  await connecting(page).getByRole('button', { name: 'Chrome Extension Wallet' }).click()
  await onDashboard(page, PEOPLE.several.email)
  await openWalletPage(page)
  await expect(page.getByText(wallet.address)).toBeVisible()
  expect(received.filter((event) => event === 'walletconnect_init')).toHaveLength(2)
  expect(received).toContain('walletconnect_disconnect')
})
