/** The wallet page with the hosted wallet, through the real relay. */
import type { Page } from '@playwright/test'
import { PEOPLE } from '../support/people.ts'
import { expectAccessible } from './support/accessible.ts'
import { readToEnd, walletFrame } from './support/connecting-page.ts'
import { aPhone } from './support/phone-wallet.ts'
import { DESKTOP_ONLY, EXHAUSTIVE, expect, test } from './support/portico.ts'
import { logIn, onDashboard, openWalletPage, visit } from './support/steps.ts'

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const pressInWallet = (page: Page, name: string) =>
  walletFrame(page).getByRole('button', { name, exact: true }).click()

/** The panel is closed, and the focus is where it was opened. */
async function expectClosed(page: Page): Promise<void> {
  await expect(page.locator('#figure-wallet-hosted')).toBeHidden()
  await expect(page.locator('section[aria-labelledby="wallet"]:focus-within')).toBeVisible()
}

async function openDashboard(page: Page): Promise<void> {
  await visit(page, '/auth/login')
  await logIn(page, PEOPLE.organizations)
  await onDashboard(page, PEOPLE.organizations.email)
}

test(
  '4.1 connect, sign, refuse, withdraw, switch and disconnect on the wallet page',
  DESKTOP_ONLY,
  async ({ page }) => {
    const fetched: string[] = []
    page.on('request', (request) => fetched.push(new URL(request.url()).pathname))
    await openDashboard(page)
    expect(fetched.filter((path) => path.includes('wallet-card'))).toEqual([])

    await openWalletPage(page)
    // Canceling an attempt closes its panel; the next attempt opens a new one.
    await press(page, 'Connect your Figure Account')
    await expect(walletFrame(page).getByRole('button', { name: 'Reject' })).toBeVisible()
    await press(page, 'Cancel')
    await expect(page.getByText('You disconnected it.')).toBeVisible()
    await expectClosed(page)
    await press(page, 'Connect your Figure Account')
    await pressInWallet(page, 'Connect')
    await expect(page.getByText(/Connected for \d+ hours more/)).toBeVisible()
    await expectClosed(page)
    await expectAccessible(page)

    await press(page, 'Sign the message')
    await expect(page.getByText('Please enter a message.')).toBeVisible()
    await page.getByLabel('Message to sign').fill('I agree, in größter Eile')
    await press(page, 'Sign the message')
    await expect(walletFrame(page).getByText('I agree, in größter Eile')).toBeVisible()
    await pressInWallet(page, 'Sign')
    await expect(page.getByText('The message is signed')).toBeVisible()
    await expectClosed(page)

    await press(page, 'Sign a token')
    await pressInWallet(page, 'Reject')
    await expect(page.getByText('Sign request rejected by user')).toBeVisible()
    await expectClosed(page)

    await press(page, 'Sign a token')
    await expect(walletFrame(page).getByText('Issued by')).toBeVisible()
    await pressInWallet(page, 'Minimize')
    await press(page, 'Withdraw the request')
    await expect(page.getByText('Request withdrawn')).toBeVisible()
    await expectClosed(page)

    // A request can also be withdrawn after its approval failed.
    const approve = '**/approvals/approve'
    await page.route(approve, (route) => route.abort())
    await press(page, 'Sign a token')
    await pressInWallet(page, 'Sign')
    await expect(walletFrame(page).getByRole('button', { name: 'Try again' })).toBeVisible()
    await page.unroute(approve)
    await pressInWallet(page, 'Minimize')
    await press(page, 'Withdraw the request')
    await expect(page.getByText('Request withdrawn')).toBeVisible()
    await expectClosed(page)

    // The session follows: its token names the group, other scripts get an event, and the card shows it.
    const stateChange = page.evaluate(
      () =>
        new Promise<string | null>((resolve) =>
          window.addEventListener('identity-token-updated', () =>
            resolve(localStorage.getItem('jwt')),
          ),
        ),
    )
    await press(page, 'Act for Larch Partners')
    await pressInWallet(page, 'Change')
    await expect(page.getByText('Acting for Larch Partners')).toBeVisible()
    const [, claims = ''] = (await stateChange)?.split('.') ?? []
    expect(Buffer.from(claims, 'base64url').toString()).toContain('"grp":"tp1')
    await expectClosed(page)

    await page.reload()
    await expect(page.getByText('Acting for Larch Partners')).toBeVisible()
    await expect(page.getByText('You act as Larch Partners')).toContainText('Signing as Olga')
    await press(page, 'Disconnect')
    await expect(page.getByText('No wallet is connected')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Connect your Figure Account' })).toBeVisible()
  },
)

test(
  '7.4 a payment is sent and seen in a block; after a declined one the form keeps its values',
  EXHAUSTIVE,
  async ({ page }) => {
    // The wallet asks for the password before it pays a new recipient.
    const { address } = await aPhone()
    await openDashboard(page)
    await openWalletPage(page)
    await press(page, 'Connect your Figure Account')
    await pressInWallet(page, 'Connect')
    await expect(page.getByText(/In hash\. You have [\d,.]+ hash\./)).toBeVisible()
    await expectClosed(page)

    const recipient = page.getByLabel("Recipient's address")
    await page.getByLabel('Amount').fill('2.5')
    await recipient.fill(`${address.slice(0, -1)}${address.endsWith('q') ? 'p' : 'q'}`)
    await press(page, 'Send')
    await expect(page.getByText(/^This is not a valid address/)).toBeVisible()
    await recipient.fill(address)
    await page.getByLabel('Memo (optional)').fill('Rent')
    await expectAccessible(page)
    await press(page, 'Send')
    await expect(
      walletFrame(page).getByRole('heading', { name: /^Send 2\.5 hash to / }),
    ).toBeVisible()
    await readToEnd(page)
    await pressInWallet(page, 'Confirm first')
    await walletFrame(page)
      .getByLabel('Password', { exact: true })
      .fill(PEOPLE.organizations.password)
    await walletFrame(page).getByLabel('Password', { exact: true }).press('Enter')
    await readToEnd(page)
    await pressInWallet(page, 'Send')
    await expect(page.getByText('Sent 2.5 hash', { exact: true })).toBeVisible()
    await expect(page.getByText(/^It is in block \d+\.$/)).toBeVisible()
    await expectClosed(page)
    const payment = page.getByRole('link', { name: /^Sent 2\.5 hash to / }).first()
    await expect(payment).toBeVisible()

    await payment.click()
    await expect(page.getByRole('heading', { name: 'Transaction' })).toBeVisible()
    await expect(page.getByText('Accepted by the network')).toBeVisible()
    await expect(page.getByText(`To ${address}`)).toBeVisible()
    await expect(page.getByText('Rent', { exact: true })).toBeVisible()
    await expectAccessible(page)
    await page.goBack()
    await expect(payment).toBeVisible()

    await page.getByLabel('Amount').fill('997')
    await page.getByLabel("Recipient's address").fill(address)
    await press(page, 'Send')
    await readToEnd(page)
    await pressInWallet(page, 'Reject')
    await expect(page.getByText('You declined the request')).toBeVisible()
    await expect(page.getByLabel('Amount')).toHaveValue('997')
  },
)
