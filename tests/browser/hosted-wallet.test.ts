/** The hosted wallet in its frame on our page, with the real relay and real signatures. */
import type { Page } from '@playwright/test'
import { bytesOfBase64, bytesOfHex, hexOf } from '@portico/keys/bytes'
import { newWords } from '@portico/keys/mnemonic'
import { verify } from '@portico/keys/signature'
import { packedPayment } from '../support/packed-payment.ts'
import { PEOPLE } from '../support/people.ts'
import { expectAccessible } from './support/accessible.ts'
import { openConnectingPage, readToEnd, walletFrame } from './support/connecting-page.ts'
import { expectShownAsText, HOSTILE_TEXT, MARKUP } from './support/hostile-text.ts'
import { DESKTOP_ONLY, EXHAUSTIVE, expect, type Portico, test, watch } from './support/portico.ts'
import { logIn, logInWithoutPage, newUser, onDashboard, visit } from './support/steps.ts'
import { addPasskey, virtualAuthenticator } from './support/virtual-authenticator.ts'

const FRAME = '#figure-wallet-hosted'

// 'I agree' in hexadecimal.
const MESSAGE_HEX = '49206167726565'

const heading = (page: Page, name: string | RegExp) =>
  walletFrame(page).getByRole('heading', { name })

/** Presses a button of the wallet; approval buttons are enabled after half a second and scrolling to the end. */
async function press(page: Page, name: string): Promise<void> {
  const button = walletFrame(page).getByRole('button', { name, exact: true })
  await expect(button).toBeVisible()
  await readToEnd(page)
  await button.click()
}

/** Confirms the request with the password and Enter. */
async function confirmInWallet(page: Page, password: string): Promise<void> {
  await press(page, 'Confirm first')
  const field = walletFrame(page).getByLabel('Password', { exact: true })
  await field.fill(password)
  await field.press('Enter')
}

const expectClosed = (page: Page) => expect(page.locator(FRAME)).toBeHidden()

async function signIn(page: Page, who: { email: string; password: string }): Promise<void> {
  await visit(page, '/auth/login')
  await logIn(page, who)
  await onDashboard(page, who.email)
}

/** Starts a request; its result is read after the wallet's answer. */
async function beginToSign(page: Page, hex: string): Promise<() => Promise<unknown>> {
  const pending = await page.evaluateHandle((message) => {
    const answer = window.wallet.signHexMessage(message)
    return { answer }
  }, hex)
  return () => pending.evaluate(({ answer }) => answer)
}

/** Starts a transaction request; its result is read after the wallet's answer. */
async function beginToSend(
  page: Page,
  message: string,
  memo = '',
): Promise<() => Promise<unknown>> {
  const pending = await page.evaluateHandle(
    (request) => {
      const answer = window.wallet.sendMessage(request)
      return { answer }
    },
    { message, memo },
  )
  return () => pending.evaluate(({ answer }) => answer)
}

/** Sends a payment during the wallet's request, as from another page or device. */
async function payBeside(page: Page, address: string, message: string): Promise<void> {
  await page.evaluate(
    async ([from, packed]) => {
      const headers = {
        authorization: localStorage.getItem('jwt') ?? '',
        'content-type': 'application/json',
      }
      const call = async (path: string, body: unknown) => {
        const url = `/service-wallet/secure/api/v1/hosted/approvals${path}`
        const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
        return (await response.json()) as { approvalId: string }
      }
      const pending = { kind: 'send', address: from, messages: [packed] }
      const { approvalId } = await call('', pending)
      await call('/approve', { approvalId })
    },
    [address, message] as const,
  )
}

const expectGood = (page: Page) => expectAccessible(page, { include: `${FRAME} iframe` })

async function connect(page: Page): Promise<void> {
  await openConnectingPage(page)
  await page.evaluate(() => window.connectHosted())
}

/** Restores the first account from words, at first with missing words, then with a wrong one. */
async function restore(page: Page, name: string): Promise<void> {
  const words = newWords(12)
  const submit = page.getByRole('button', { name: 'Restore', exact: true })
  await page.getByRole('button', { name: 'Restore from recovery words instead' }).click()
  await page.getByLabel('Account Name').fill(name)
  await page.getByLabel('Recovery words').fill('one two')
  await submit.click()
  await expect(page.getByText('You have entered 2.')).toBeVisible()
  await page.getByLabel('Recovery words').fill(words.replace(/^\w+/, 'porticoes'))
  await submit.click()
  await expect(page.getByRole('alert')).toContainText('These are not valid recovery words')
  await expectAccessible(page)
  await page.getByLabel('Recovery words').fill(`  ${words.toUpperCase()} `)
  await submit.click()
}

async function makeFirstAccount(page: Page, portico: Portico): Promise<string> {
  const email = await newUser(page, portico)
  await connect(page)
  await expect(heading(page, 'Give Your Account a Name')).toBeVisible()
  return email
}

test(
  '4.8 an account is created, connected, signs and rejects; a reload continues; marks in a memo and markup in a message are shown',
  DESKTOP_ONLY,
  async ({ page, portico }) => {
    await makeFirstAccount(page, portico)
    await press(page, 'Submit')
    await expect(walletFrame(page).getByText('Account name is required')).toBeVisible()
    await expectGood(page)
    await walletFrame(page).getByLabel('Account Name').fill('Everyday')
    await press(page, 'Submit')

    await expect(heading(page, 'Connect to this page?')).toBeVisible()
    await expect(walletFrame(page).getByText(portico.url)).toBeVisible()
    await expectGood(page)
    await press(page, 'Connect')
    await expect(heading(page, 'Connected')).toBeVisible()
    await expectClosed(page)
    await expect.poll(() => page.evaluate(() => window.wallet.state.status)).toBe('connected')
    const { publicKey, name } = await page.evaluate(() => ({
      publicKey: window.wallet.state.publicKey,
      name: window.wallet.state.walletInfo.name,
    }))
    expect(name).toBe('Everyday')

    const signed = await beginToSign(page, MESSAGE_HEX)
    await expect(walletFrame(page).getByText('I agree', { exact: true })).toBeVisible()
    await expectGood(page)
    await press(page, 'Sign')
    const { valid, result } = (await signed()) as { valid: boolean; result: { signature: string } }
    expect(valid).toBe(true)
    const [key, bytes, signature] = [
      bytesOfBase64(publicKey),
      bytesOfHex(MESSAGE_HEX),
      bytesOfHex(result.signature),
    ]
    expect(key && bytes && signature && verify(key, bytes, signature)).toBe(true)
    await expectClosed(page)

    await openConnectingPage(page)
    await expect.poll(() => page.evaluate(() => window.wallet.state.status)).toBe('connected')
    const refused = await beginToSign(page, 'deadbeef')
    await expect(walletFrame(page).getByText('This data is not readable.')).toBeVisible()
    await press(page, 'Reject')
    expect(await refused()).toMatchObject({ error: 'Error: Sign request rejected by user' })
    await expectClosed(page)

    const asked = await beginToSign(page, hexOf(new TextEncoder().encode(MARKUP)))
    await expectShownAsText(walletFrame(page), MARKUP)
    await press(page, 'Reject')
    await asked()
    await expectClosed(page)
    const address = await page.evaluate(() => window.wallet.state.address)
    const unsent = await beginToSend(page, packedPayment(address, '5'), HOSTILE_TEXT)
    await expectShownAsText(walletFrame(page))
    await press(page, 'Reject')
    expect(await unsent()).toMatchObject({ valid: false })
    await expectClosed(page)

    await page.evaluate(() => window.wallet.disconnect())
    await expectClosed(page)
    expect(await page.evaluate(() => localStorage.getItem('portico-hosted-wallet'))).toBeNull()
  },
)

test(
  '2.8 an account is restored from its words and renamed; a locked wallet shows nothing until its owner confirms',
  DESKTOP_ONLY,
  async ({ page, portico }) => {
    await virtualAuthenticator(page)
    const email = await makeFirstAccount(page, portico)
    await visit(page, '/dashboard/security')
    await addPasskey(page)
    // A passkey does not confirm the session that added it.
    await logInWithoutPage(page, portico, email)
    await visit(page, '/figure-wallet')
    await restore(page, 'Everyday')
    await page.getByRole('button', { name: 'Rename Everyday' }).click()
    await expect(page.getByLabel('Account Name')).toHaveValue('Everyday')
    await page.getByLabel('Account Name').fill('Rainy days')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('Rainy days')).toBeVisible()
    await page.reload()
    await expect(page.getByText('Rainy days')).toBeVisible()
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Lock the wallet' }).click()
    await expect(page.getByRole('heading', { name: 'Your wallet is locked' })).toBeVisible()
    await expect(page.getByText('Rainy days')).toBeHidden()
    await expectAccessible(page)
    // The session is locked, not only the screen: neither a reload nor another page bypasses it.
    await connect(page)
    await expect(heading(page, 'Your wallet is locked')).toBeVisible()
    // The password of a registration confirms nothing for a day.
    await press(page, 'Email me a code')
    const sent = await portico.passcode(email)
    await press(page, 'Send email')
    const code = await portico.passcode(email, sent)
    await walletFrame(page)
      .getByLabel('Code')
      .fill(code === '000000' ? '000001' : '000000')
    await expect(walletFrame(page).getByRole('alert')).toBeVisible()
    await walletFrame(page).getByLabel('Code').fill(code)
    await expect(heading(page, 'Connect to this page?')).toBeVisible()
    await press(page, 'Connect')
    await expectClosed(page)

    // Locked during a request: it is shown when the wallet is unlocked.
    await page.evaluate(() =>
      fetch('/service-wallet/secure/api/v1/hosted/lock', {
        method: 'POST',
        headers: { authorization: localStorage.getItem('jwt') ?? '' },
      }),
    )
    const signed = await beginToSign(page, MESSAGE_HEX)
    await expect(heading(page, 'Your wallet is locked')).toBeVisible()
    await expectGood(page)
    await press(page, 'Use your passkey')
    await press(page, 'Sign')
    expect(await signed()).toMatchObject({ valid: true })
  },
)

test(
  '6 protocol 9.3: a person sends for an organization, then for themselves; a failed transaction says why (5)',
  EXHAUSTIVE,
  async ({ page }) => {
    await signIn(page, PEOPLE.organizations)
    await connect(page)
    await walletFrame(page).getByRole('radio', { name: 'Larch Partners' }).click()
    await press(page, 'Connect')
    await expectClosed(page)
    const group = () =>
      page.evaluate(() => window.wallet.state.representedGroupPolicy?.address ?? null)
    await expect.poll(group).toMatch(/^tp1/)
    const larch = (await group()) ?? ''
    const sent = await beginToSend(page, packedPayment(larch, '70'))
    const effect = /^Propose to Larch Partners: send 0.00000007 hash to tp13d...axwxy\?$/
    await expect(heading(page, effect)).toBeVisible()
    await expect(
      walletFrame(page).getByText(`${new URL(page.url()).origin} (verified)`),
    ).toBeVisible()
    await expectGood(page)
    // The recipient is new, so a proof is required; Enter in the password field does not approve.
    await confirmInWallet(page, PEOPLE.organizations.password)
    await expect(heading(page, effect)).toBeVisible()
    const send = walletFrame(page).getByRole('button', { name: 'Send', exact: true })
    await expect(send).toBeEnabled()
    await send.press('Enter')
    await walletFrame(page).locator('body').press('Escape')
    await expect(heading(page, effect)).toBeVisible()
    await press(page, 'Send')
    expect(await sent()).toMatchObject({
      valid: true,
      result: { txResponse: { code: 0, txhash: expect.stringMatching(/^[0-9A-F]{64}$/) } },
    })
    await expectClosed(page)
    await page.evaluate(() => void window.wallet.switchToGroup())
    await expect(heading(page, 'Act for yourself again?')).toBeVisible()
    await expectGood(page)
    await press(page, 'Change')
    await expect.poll(group).toBeNull()

    const address = await page.evaluate(() => window.wallet.state.address)
    const overtaken = await beginToSend(page, packedPayment(address, '71'))
    await expect(heading(page, /^Send 0.000000071 hash to /)).toBeVisible()
    await payBeside(page, address, packedPayment(address, '72'))
    await press(page, 'Send')
    expect(await overtaken()).toMatchObject({
      valid: false,
      error: expect.stringContaining('account sequence mismatch'),
      result: { txResponse: { code: 32 } },
    })
  },
)

test('2.8 a typical approval with one recipient and a required proof fits without scrolling', async ({
  page,
}) => {
  // No other test sends as Sven, so the recipient is new to him.
  await signIn(page, PEOPLE.several)
  await connect(page)
  await walletFrame(page).getByRole('button', { name: 'Connect', exact: true }).click()
  await expectClosed(page)
  const address = await page.evaluate(() => window.wallet.state.address)
  const sent = await beginToSend(page, packedPayment(address, '25000000000'))
  await expect(heading(page, /^Send 25 hash to /)).toBeVisible()
  await expect(
    walletFrame(page).getByText('You have not sent to this recipient before'),
  ).toBeInViewport({ ratio: 1 })
  await expect(walletFrame(page).getByRole('button', { name: 'Confirm first' })).toBeEnabled()
  const hidden = await walletFrame(page)
    .locator('main')
    .evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)
  expect(hidden).toBe(0)
  await walletFrame(page).getByRole('button', { name: 'Reject' }).click()
  expect(await sent()).toMatchObject({ valid: false })
})

test(
  '4.1 an account that the wallet does not have ends the attempt with an explanation',
  DESKTOP_ONLY,
  async ({ page }) => {
    await signIn(page, PEOPLE.organizations)
    await openConnectingPage(page)
    await page.evaluate(() =>
      window.connectHosted({ individualAddress: 'tp13dkh6lhe5zzfe4qwkl4fqyfmh58p35w5qaxwxy' }),
    )
    await expect(heading(page, 'The page requires another account')).toBeVisible()
    await press(page, 'Close')
    await expectClosed(page)
  },
)

test(
  '2.8 a signed-out user logs in beside the page, and the frame continues',
  DESKTOP_ONLY,
  async ({ page, portico }) => {
    await connect(page)
    await expect(heading(page, 'Log in to open your wallet')).toBeVisible()
    // A page that reserves no space for a bar leaves the phone's whole screen to the wallet.
    const { width = 0, height = 0 } = page.viewportSize() ?? {}
    const size = width < 768 ? { width, height } : { width: 600, height: 600 }
    expect(await page.locator(FRAME).boundingBox()).toMatchObject(size)
    await expectGood(page)
    const opening = page.context().waitForEvent('page')
    await press(page, 'Log in')
    const login = await opening
    const complaints: string[] = []
    watch(login, portico.url, complaints)
    await expect(login).toHaveURL(/\/auth\/login/)
    await logIn(login, PEOPLE.organizations)
    await expect(login.getByRole('heading', { name: 'Your accounts' })).toBeVisible()
    await expect(heading(page, 'Connect to this page?')).toBeVisible()
    expect(complaints).toEqual([])
  },
)

test('2.8 a click as the approval appears does nothing', DESKTOP_ONLY, async ({ page }) => {
  await page.addInitScript(() => {
    const clicking = new MutationObserver(() => {
      const buttons = [...document.querySelectorAll('button')]
      const button = buttons.find(({ innerText }) => innerText.startsWith('Connect'))
      if (button === undefined) return
      clicking.disconnect()
      button.click()
      document.documentElement.dataset['clicked'] = ''
    })
    clicking.observe(document, { childList: true, subtree: true })
  })
  await signIn(page, PEOPLE.organizations)
  await connect(page)
  await expect(walletFrame(page).locator('html[data-clicked]')).toBeAttached()
  const button = walletFrame(page).getByRole('button', { name: 'Connect', exact: true })
  await expect(button).toBeEnabled()
  expect(await page.evaluate(() => window.wallet.state.status)).toBe('pending')
})

test(
  'protocol 13: a link with a connection that no page of ours opened is not followed',
  DESKTOP_ONLY,
  async ({ page }) => {
    await signIn(page, PEOPLE.organizations)
    const code = `wc:topic@1?bridge=${encodeURIComponent('wss://elsewhere.example')}&key=${'ab'.repeat(32)}`
    await visit(page, `/figure-wallet?wc=${encodeURIComponent(code)}`)
    await expect(page.getByText('This link was not followed')).toBeVisible()
  },
)

test('9 only our own pages may frame the wallet', DESKTOP_ONLY, async ({ page, portico }) => {
  const wallet = await page.request.get('/figure-wallet')
  expect(wallet.headers()['content-security-policy']).toContain("frame-ancestors 'self'")
  expect(wallet.headers()['x-frame-options']).toBe('SAMEORIGIN')
  const login = await page.request.get(`${portico.url}/auth/login`)
  expect(login.headers()['content-security-policy']).toContain("frame-ancestors 'none'")
})
