import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { verifyJwt } from '@portico/keys/jwt'
import { NETWORKS } from '@portico/keys/networks'
import { WalletError } from '@portico/wallet-connect/protocol'
import {
  accountFromPrivateKey,
  approvedAccount,
  joinSession,
  type WalletSession,
} from '@portico/wallet-connect/wallet'
import { serveBuilt } from './support/built-page.ts'
import { expect, test } from './support/portico.ts'

/** A wallet that approves everything, and its joined sessions. */
function aWallet() {
  const account = accountFromPrivateKey(randomBytes(32), NETWORKS.testnet, 'Ada')
  const requests: string[] = []
  const join = (uri: string): Promise<WalletSession> =>
    joinSession(uri, {
      accounts: [account],
      introduction: { name: 'Wallet', description: '', url: '', icons: [] },
      chainId: NETWORKS.testnet.chainId,
      approver: {
        connect: async ({ tokenLifetimeS: lifetimeS }) =>
          approvedAccount({ account, group: null }, { issuer: 'provenance.io', lifetimeS }),
        sign: async ({ request }) => {
          requests.push('sign')
          return account.sign(request.bytes)
        },
        sendTransaction: async () => ({ txhash: '', code: 0, rawLog: '' }),
        switchToGroup: async () => Promise.reject(new WalletError('rejected', 'No groups')),
      },
    })
  return { account, requests, join }
}

async function connectionUri(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  const uri = page.getByLabel('Connection URI')
  await expect(uri).toHaveValue(/^wc:/)
  await expect(page.getByAltText('Code to scan')).toBeVisible()
  return uri.inputValue()
}

const shows = (page: Page, status: string) => expect(page.locator('#status')).toHaveText(status)

const logOf = (page: Page) => page.getByRole('list', { name: 'Log' })

test('4.1 two tabs share one session: connect, sign, reload, end', async ({ context, portico }) => {
  await using site = await serveBuilt('examples/sample-page')
  const url = `${site.url}?server=${encodeURIComponent(portico.url)}`
  const [first, second] = [await context.newPage(), await context.newPage()]
  await first.goto(url)
  await second.goto(url)
  const wallet = aWallet()
  const session = await wallet.join(await connectionUri(first))
  for (const page of [first, second]) {
    await shows(page, 'connected')
    await expect(page.locator('#address')).toHaveText(wallet.account.address)
  }

  await second.getByRole('button', { name: 'Sign a message' }).click()
  await expect(logOf(second)).toContainText('SIGN_HEX_MESSAGE_COMPLETE {"valid":true')
  await expect(logOf(first)).not.toContainText('SIGN_HEX_MESSAGE')

  await second.reload()
  await shows(second, 'connected')
  await expect(logOf(second)).toContainText('"connectionType":"existing session"')

  await first.getByRole('button', { name: 'Sign a token' }).click()
  await expect(logOf(first)).toContainText('SIGN_JWT_COMPLETE')
  const tokens = await Promise.all(
    [first, second].map((page) => page.evaluate<string>('wcjs.getState().signedJWT')),
  )
  expect(new Set(tokens).size).toBe(1)
  const verdict = verifyJwt(tokens[0] ?? '', { now: Date.now() / 1000, issuer: 'sample.example' })
  expect(verdict).toMatchObject({ ok: true, claims: { addr: wallet.account.address } })

  await second.getByRole('button', { name: 'Disconnect' }).click()
  for (const page of [first, second]) {
    await shows(page, 'disconnected')
    await expect(logOf(page).getByText('FWC_DISCONNECT')).toHaveCount(1)
  }
  await session.ended
  expect(await first.evaluate(() => localStorage.length)).toBe(0)
  expect(wallet.requests).toEqual(['sign', 'sign'])
})

test('4.1 both tabs wait with their own codes; approving one connects both', async ({
  context,
  portico,
}) => {
  await using site = await serveBuilt('examples/sample-page')
  const url = `${site.url}?server=${encodeURIComponent(portico.url)}`
  const [first, second] = [await context.newPage(), await context.newPage()]
  await first.goto(url)
  await second.goto(url)
  const old = await connectionUri(first)
  const own = await connectionUri(second)
  const wallet = aWallet()
  const session = await wallet.join(own)
  await shows(first, 'connected')
  await shows(second, 'connected')

  const late = await wallet.join(old)
  await first.getByRole('button', { name: 'Sign a message' }).click()
  await expect(logOf(first)).toContainText('SIGN_HEX_MESSAGE_COMPLETE {"valid":true')
  await session.end()
  await shows(first, 'disconnected')
  await shows(second, 'disconnected')
  await late.leave()
})

test('on a page of another origin the dialog has the lender’s names and only wallets that work; without a relay it says so', async ({
  context,
  portico,
}) => {
  await using site = await serveBuilt('tests/browser/support/react-page')
  const page = await context.newPage()
  await page.goto(`${site.url}?server=${encodeURIComponent(portico.url)}`)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  const dialog = page.getByRole('dialog', {
    name: 'Scan the QR Code with your Figure Mobile Wallet',
  })
  await expect(dialog.getByRole('button')).toHaveText([
    'Copy QR Code',
    'Figure Wallet extension',
    'Close',
  ])
  const wallet = aWallet()
  const session = await wallet.join((await page.getByLabel('uri').textContent()) ?? '')
  await expect(page.getByLabel('status')).toHaveText('connected')
  await session.end()

  // The page's own origin has no relay.
  await page.goto(site.url)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Wallets are unavailable' })).toContainText(
    'We could not reach the wallet service.',
  )
  await expect(page.getByRole('dialog').getByRole('button')).toHaveText(['Close'])
})

test('3 a component re-renders only for its selection, even under a double mount; 2.8 the page redirects when disconnected', async ({
  context,
  portico,
}) => {
  await using site = await serveBuilt('tests/browser/support/react-page', { development: true })
  const page = await context.newPage()
  const sockets: string[] = []
  page.on('websocket', (socket) => sockets.push(socket.url()))
  await page.goto(`${site.url}?server=${encodeURIComponent(portico.url)}`)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  const wallet = aWallet()
  const session = await wallet.join((await page.getByLabel('uri').textContent()) ?? '')
  await expect(page.getByLabel('status')).toHaveText('connected')
  await expect(page.getByRole('dialog')).toBeHidden()

  const renders = () =>
    page.evaluate(() => ({ ...(Reflect.get(window, 'renders') as Record<string, number>) }))
  const before = await renders()
  expect(before['mounts']).toBe(2)
  await page.getByRole('button', { name: 'Prolong' }).click()
  await expect.poll(async () => (await renders())['expiry']).toBe((before['expiry'] ?? 0) + 1)
  expect(await renders()).toMatchObject({ status: before['status'], address: before['address'] })
  expect(sockets).toHaveLength(1)

  await page.reload()
  await expect(page.getByLabel('status')).toHaveText('connected')
  await expect.poll(() => sockets.length).toBe(2)
  // With a redirect URL, it navigates there only when the wallet becomes disconnected.
  const left = `${site.url}?left`
  const leaving = new URLSearchParams({ server: portico.url, leaveTo: left })
  await page.goto(`${site.url}?${leaving}`)
  await expect(page.getByLabel('status')).toHaveText('connected')
  await session.end()
  await expect(page).toHaveURL(left)
})
