/** The mobile wallet on a phone, with the real relay, chain and signatures. The camera plays a film of the page's code. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { sendMessage } from '@portico/chain-client/messages'
import { bytesOfBase64, bytesOfHex, hexOf } from '@portico/keys/bytes'
import { verify } from '@portico/keys/signature'
import { BROWSER_SWITCHES, findExtensionChromium } from '../../tools/machine/chromium.ts'
import { drawFrame, y4mFilm } from '../support/camera-frames.ts'
import { expectGood } from './support/accessible.ts'
import { openConnectingPage } from './support/connecting-page.ts'
import { expectShownAsText, HOSTILE_TEXT, MARKUP } from './support/hostile-text.ts'
import { EXHAUSTIVE, expect, test, watch } from './support/portico.ts'
import { newUser, ready, visit } from './support/steps.ts'

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const
const PASSPHRASE = 'walnut ferry lagoon 46'
const WORDS =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'

/** An address that belongs to no demonstration person. */
const RECIPIENT = 'tp13dkh6lhe5zzfe4qwkl4fqyfmh58p35w5qaxwxy'

// 'I agree' in hexadecimal.
const MESSAGE_HEX = '49206167726565'

/** The code of a page waiting for a wallet, with the page's own name. */
async function codeOf(page: Page, name = 'Lender'): Promise<string> {
  await openConnectingPage(page)
  await page.evaluate((content) => {
    document.head.prepend(Object.assign(document.createElement('meta'), { name: 'name', content }))
    void window.wallet.init({ walletAppId: 'figure_mobile' }).catch(() => undefined)
  }, name)
  return page.evaluate(async () => {
    for (;;) {
      const { QRCodeUrl } = window.wallet.state.modal
      if (QRCodeUrl) return QRCodeUrl
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })
}

/** Restores a wallet from its words on an empty device. */
async function restoreWallet(phone: Page): Promise<void> {
  await enterWords(phone)
  await phone.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect(phone.getByRole('navigation', { name: 'Wallet' })).toBeVisible()
}

async function enterWords(phone: Page): Promise<void> {
  await phone.getByRole('button', { name: 'Restore from recovery words' }).click()
  await phone.getByLabel('Recovery words').fill(WORDS)
  await phone.getByRole('button', { name: 'Continue' }).click()
  await phone.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await phone.getByLabel('Passphrase again').fill(PASSPHRASE)
}

async function unlock(phone: Page): Promise<void> {
  await phone.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await phone.getByRole('button', { name: 'Unlock', exact: true }).click()
}

/** Reads a request to its end, and approves it. */
async function approve(phone: Page, name: string, clickCount = 1): Promise<void> {
  const button = phone.getByRole('button', { name, exact: true })
  await expect(button).toBeVisible()
  await phone.locator('main').evaluate((main) => main.scrollTo(0, main.scrollHeight))
  await button.click({ clickCount })
}

/** Waits until the page is stored, so that it opens without a network. */
async function stored(phone: Page): Promise<void> {
  await phone.evaluate(async () => {
    await navigator.serviceWorker.ready
    while (navigator.serviceWorker.controller === null) {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })
}

/** A desk without a code first, so that several pictures are read. */
function filmOf(code: string): Buffer {
  const frame = { name: 'film', width: 720, height: 720, angle: 8 }
  return y4mFilm([
    ...Array.from({ length: 5 }, () => drawFrame(code, { ...frame, side: 30 })),
    ...Array.from({ length: 20 }, () => drawFrame(code, { ...frame, side: 520, noise: 20 })),
  ])
}

/** A phone with notifications and a camera, which shows a code. */
async function aPhone(
  code?: string,
): Promise<{ context: BrowserContext; close: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-camera-'))
  const film = join(folder, 'code.y4m')
  if (code !== undefined) writeFileSync(film, filmOf(code))
  // The headless shell has neither.
  const executablePath = findExtensionChromium()
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      ...BROWSER_SWITCHES,
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${film}`,
    ],
  })
  const context = await browser.newContext({
    ...PHONE,
    permissions: ['camera'],
    reducedMotion: 'reduce',
  })
  return {
    context,
    async close() {
      await browser.close()
      rmSync(folder, { recursive: true })
    },
  }
}

test('2.7 a code is scanned, the connection is approved, and the page’s message is signed; marks in its name and markup in its message are shown', async ({
  page,
  portico,
  complaints,
}) => {
  const code = await codeOf(page, HOSTILE_TEXT)
  const { context, close } = await aPhone(code)
  const phone = await context.newPage()
  watch(phone, portico.url, complaints)
  await phone.goto(`${portico.url}/mobile-wallet`)
  await restoreWallet(phone)
  await expectGood(phone)

  await phone.getByRole('button', { name: 'Scan' }).click()
  await expectShownAsText(phone)
  await approve(phone, 'Connect')
  await expect.poll(() => page.evaluate(() => window.wallet.state.status)).toBe('connected')
  const { address, publicKey } = await page.evaluate(() => window.wallet.state)
  expect(address).toMatch(/^tp1/)

  const message = new TextEncoder().encode(MARKUP)
  const pending = await page.evaluateHandle((hex) => {
    const answer = window.wallet.signHexMessage(hex)
    return { answer }
  }, hexOf(message))
  await phone.getByRole('button', { name: 'Next request (1 left)' }).click()
  await expectShownAsText(phone, MARKUP)
  await approve(phone, 'Sign')
  const { result } = (await pending.evaluate(({ answer }) => answer)) as {
    result: { signature: string }
  }
  const [key, signature] = [bytesOfBase64(publicKey), bytesOfHex(result.signature)]
  expect(key && signature && verify(key, message, signature)).toBe(true)
  await close()
})

test('protocol 14: a link connects after a passkey has opened the wallet, and leaves no trace in the address', async ({
  page,
  browser,
  portico,
  complaints,
}) => {
  const code = await codeOf(page)
  const context = await browser.newContext({ ...PHONE, reducedMotion: 'reduce' })
  const phone = await context.newPage()
  watch(phone, portico.url, complaints)
  const devtools = await context.newCDPSession(phone)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      hasPrf: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await phone.goto(`${portico.url}/mobile-wallet`)
  await restoreWallet(phone)
  await phone.getByRole('button', { name: 'Settings', exact: true }).click()
  await phone.getByRole('button', { name: 'Passkey' }).click()
  await phone.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await phone.getByRole('button', { name: 'Add passkey' }).click()
  await expect(phone.getByText('Unlocks this wallet')).toBeVisible()

  await phone.goto(
    `${portico.url}/mobile-wallet?data=${encodeURIComponent(encodeURIComponent(code))}`,
  )
  await expect(phone.getByText('Connecting to the page')).toBeVisible()
  expect(phone.url()).toBe(`${portico.url}/mobile-wallet`)
  await phone.getByRole('button', { name: 'Use your passkey' }).click()
  await approve(phone, 'Connect')
  await expect.poll(() => page.evaluate(() => window.wallet.state.status)).toBe('connected')
  await phone.goBack()
  expect(phone.url()).not.toContain('data=')
  await context.close()
})

test('9 without a network the wallet opens and unlocks, and explains what has to wait', async ({
  browser,
  portico,
}) => {
  const context = await browser.newContext({ ...PHONE, reducedMotion: 'reduce' })
  const phone = await context.newPage()
  await phone.goto(`${portico.url}/mobile-wallet`)
  await restoreWallet(phone)
  await stored(phone)
  await context.setOffline(true)
  await phone.goto(`${portico.url}/mobile-wallet`)
  await expect(phone.getByText('You are offline')).toBeVisible()
  await phone.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await phone.getByRole('button', { name: 'Unlock', exact: true }).click()
  for (const tab of ['Scan', 'Groups', 'Activity', 'Settings', 'Accounts']) {
    await phone.getByRole('button', { name: tab }).click()
    await expect(phone.getByRole('button', { name: tab })).toHaveAttribute('aria-current', 'page')
    await expect(phone.getByRole('heading', { level: 1 })).toBeVisible()
  }
  await context.close()
})

test(
  '2.7 the scanner explains why a code is not a connection and keeps scanning; the light is switched on; a link can be pasted',
  EXHAUSTIVE,
  async ({ page, portico, complaints }) => {
    const code = await codeOf(page)
    const { context, close } = await aPhone('https://shop.example/menu')
    const phone = await context.newPage()
    await phone.addInitScript(() => {
      // The camera that plays the film has no light.
      Object.assign(MediaStreamTrack.prototype, {
        getCapabilities: () => ({ torch: true }),
        async applyConstraints({ advanced: [first] }: { advanced: readonly { torch: boolean }[] }) {
          document.documentElement.dataset['torch'] = String(first?.torch)
        },
      })
    })
    watch(phone, portico.url, complaints)
    await phone.goto(`${portico.url}/mobile-wallet`)
    await restoreWallet(phone)
    await phone.getByRole('button', { name: 'Scan' }).click()
    await expect(phone.getByText('This is a link to shop.example, not a connection.')).toBeVisible()
    await expect(phone.getByLabel('The camera’s picture')).toBeVisible()
    const light = phone.getByRole('button', { name: 'Light' })
    await light.click()
    await expect(light).toHaveAttribute('aria-pressed', 'true')
    await expect(phone.locator('html[data-torch="true"]')).toBeAttached()
    await light.click()
    await expect(light).toHaveAttribute('aria-pressed', 'false')
    await expect(phone.locator('html[data-torch="false"]')).toBeAttached()

    await phone.getByRole('button', { name: 'Paste a link' }).click()
    const tracks = await phone.evaluate(() => document.querySelector('video'))
    expect(tracks).toBeNull()
    await phone.getByLabel('Link').fill('https://shop.example/menu')
    await phone.getByRole('button', { name: 'Connect' }).click()
    await expect(phone.getByText('This is a link to shop.example, not a connection.')).toBeVisible()
    await phone.getByLabel('Link').fill(encodeURIComponent(code.replace('wc:', 'WC:')))
    await phone.getByRole('button', { name: 'Connect' }).click()
    await approve(phone, 'Connect')
    await expect.poll(() => page.evaluate(() => window.wallet.state.status)).toBe('connected')
    await close()
  },
)

test('2.7 if the camera is not allowed, the scanner explains how to allow it', async ({
  browser,
  portico,
}) => {
  const context = await browser.newContext({ ...PHONE, reducedMotion: 'reduce' })
  const phone = await context.newPage()
  await phone.addInitScript(() => {
    const refused = () => Promise.reject(new DOMException('', 'NotAllowedError'))
    Object.assign(navigator.mediaDevices, { getUserMedia: refused })
  })
  await phone.goto(`${portico.url}/mobile-wallet`)
  await restoreWallet(phone)
  await phone.getByRole('button', { name: 'Scan' }).click()
  await expect(phone.getByText('The camera is not allowed')).toBeVisible()
  await expectGood(phone)
  await context.close()
})

test('2.7 permissions are requested in a tap, never when the wallet opens; a push is shown, and its notification opens the wallet', async ({
  portico,
}) => {
  const { context, close } = await aPhone()
  await context.grantPermissions(['notifications'], { origin: portico.url })
  const requested: string[] = []
  await context.exposeFunction('noteRequest', (request: string) => requested.push(request))
  await context.addInitScript(() => {
    const note = (permission: string) => {
      const { isActive } = navigator.userActivation
      void Reflect.get(window, 'noteRequest')(`${permission}${isActive ? '' : ' without a tap'}`)
    }
    Notification.requestPermission = async () => {
      note('notifications')
      return 'default'
    }
    StorageManager.prototype.persist = async () => {
      note('storage')
      return true
    }
  })
  const phone = await context.newPage()
  await phone.goto(`${portico.url}/mobile-wallet`)
  await restoreWallet(phone)
  expect(requested).toEqual([])
  await phone.getByRole('button', { name: 'Keep it' }).click()
  await expect.poll(() => requested).toEqual(['storage'])
  await phone.getByRole('button', { name: 'Settings', exact: true }).click()
  await phone.getByRole('button', { name: /^Notifications/ }).click()
  await expect.poll(() => requested).toEqual(['storage', 'notifications'])

  await stored(phone)
  const devtools = await context.newCDPSession(phone)
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first !== undefined) resolve(first.registrationId)
    })
  })
  await devtools.send('ServiceWorker.enable')
  await devtools.send('ServiceWorker.deliverPushMessage', {
    origin: portico.url,
    registrationId: await registered,
    data: 'A page is waiting for you',
  })
  const shown = () =>
    phone.evaluate(async () => {
      const { getNotifications } = ServiceWorkerRegistration.prototype
      const found = await getNotifications.call(await navigator.serviceWorker.ready)
      return found.map(({ title, body }) => `${title}. ${body}`)
    })
  await expect
    .poll(shown)
    .toEqual(['A page is waiting for you. Open your wallet to see the request.'])

  // No tool can tap a notification, and browsers only open a window on such a tap.
  const [worker] = context.serviceWorkers()
  const tapped = () =>
    worker?.evaluate(async () => {
      const scope = globalThis as unknown as {
        registration: ServiceWorkerRegistration
        NotificationEvent: new (type: string, init: object) => Event
        Clients: { prototype: object }
        WindowClient: { prototype: object }
      }
      await scope.registration.showNotification('', { tag: 'request' })
      const [notification] = await scope.registration.getNotifications()
      const event = new scope.NotificationEvent('notificationclick', { notification })
      const effects: unknown[] = []
      const note = (effect: string) => async (url?: string) => void effects.push(effect, url)
      Object.assign(scope.Clients.prototype, { openWindow: note('opens') })
      Object.assign(scope.WindowClient.prototype, { focus: note('shows') })
      const handled = Promise.withResolvers<unknown>()
      Object.assign(event, { waitUntil: handled.resolve })
      dispatchEvent(event)
      await handled.promise
      return [...effects, (await scope.registration.getNotifications()).length]
    })
  expect(await tapped()).toEqual(['shows', undefined, 0])
  await phone.close()
  expect(await tapped()).toEqual(['opens', expect.stringMatching(/^\/mobile-wallet\b/), 0])
  await close()
})

test('4 one window at a time runs the wallet: the newest, until the user chooses the other', async ({
  browser,
  portico,
}) => {
  const context = await browser.newContext({ ...PHONE, reducedMotion: 'reduce' })
  const [first, second] = [await context.newPage(), await context.newPage()]
  await first.goto(`${portico.url}/mobile-wallet`)
  await restoreWallet(first)
  await second.goto(`${portico.url}/mobile-wallet`)
  await expect(first.getByText('Your wallet is open in another window')).toBeVisible()
  await expect(second.getByLabel('Passphrase', { exact: true })).toBeVisible()
  await first.getByRole('button', { name: 'Use it here' }).click()
  await expect(second.getByText('Your wallet is open in another window')).toBeVisible()
  await expect(first.getByLabel('Passphrase', { exact: true })).toBeVisible()
  await context.close()
})

test('9 Back, reload and double presses lose no request, and nothing is signed twice; marks in a memo are shown', async ({
  page,
  browser,
  portico,
  complaints,
}) => {
  const context = await browser.newContext({ ...PHONE, reducedMotion: 'reduce' })
  const phone = await context.newPage()
  watch(phone, portico.url, complaints)
  await phone.goto(`${portico.url}/mobile-wallet`)
  // A wallet that was not finished leaves nothing behind.
  await phone.getByRole('button', { name: 'Create a wallet' }).click()
  await phone.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await phone.getByLabel('Passphrase again').fill(PASSPHRASE)
  await phone.getByRole('button', { name: 'Continue' }).dblclick()
  await expect(phone.getByText('Write down your recovery words')).toBeVisible()
  await phone.reload()
  await enterWords(phone)
  await phone.getByRole('button', { name: 'Restore', exact: true }).dblclick()
  await expect(phone.getByRole('navigation', { name: 'Wallet' })).toBeVisible()
  await expect(phone.getByText('Account 1')).toHaveCount(1)

  const code = await codeOf(page)
  await phone.getByRole('button', { name: 'Scan' }).click()
  await phone.getByRole('button', { name: 'Paste a link' }).click()
  await phone.getByLabel('Link').fill(code)
  await phone.getByRole('button', { name: 'Connect' }).click()
  await approve(phone, 'Connect', 2)
  await expect.poll(() => page.evaluate(() => window.wallet.state.status)).toBe('connected')
  const { address } = await page.evaluate(() => window.wallet.state)
  const sequence = async () => {
    const response = await fetch(`${portico.url}/chain/cosmos/auth/v1beta1/accounts/${address}`)
    const { account } = (await response.json()) as { account: { sequence: string } }
    return Number(account.sequence)
  }
  const before = await sequence()

  const message = sendMessage({ from: address, to: RECIPIENT, amount: '5', denom: 'nhash' })
  const request = { message, memo: HOSTILE_TEXT }
  const pending = await page.evaluateHandle((sent) => {
    const answer = window.wallet.sendMessage(sent)
    return { answer }
  }, request)
  const title = phone.getByRole('heading', { name: /^Send 0\.000000005 hash/ })
  const next = phone.getByRole('button', { name: 'Next request (1 left)' })
  await next.or(title).click()
  await expect(title).toBeVisible()
  await expectShownAsText(phone)
  await phone.reload()
  await unlock(phone)
  await expect(title).toBeVisible()
  await phone.goBack()
  await phone.goForward()
  await unlock(phone)
  await approve(phone, 'Send', 2)
  const answer = await pending.evaluate(({ answer: result }) => result)
  expect(answer).toMatchObject({ valid: true, result: { txResponse: { code: 0 } } })
  await phone.reload()
  await unlock(phone)
  await phone.getByRole('button', { name: 'Activity' }).click()
  await expect(phone.getByText(/^Send 0\.000000005 hash/)).toHaveCount(1)
  expect(await sequence()).toBe(before + 1)
  await context.close()
})

test('2.7 in a demonstration a phone-sized window beside the page gets the link, approves and serves the page', async ({
  page,
  context,
  portico,
  complaints,
}) => {
  await newUser(page, portico)
  await visit(page, '/auth/wallet?redirectUrl=%2Fdashboard%2Fwallet')
  await page.getByText('Connect a wallet you already have', { exact: true }).click()
  await page.getByRole('button', { name: 'Mobile Wallet', exact: true }).click()
  const opened = context.waitForEvent('page')
  await page.getByRole('button', { name: 'Open the demonstration phone' }).click()
  const phone = await opened
  watch(phone, portico.url, complaints)
  const size = await phone.evaluate(() => [window.innerWidth, window.innerHeight])
  expect(size).toEqual([390, 844])
  await ready(phone)
  expect(phone.url()).toBe(`${portico.url}/mobile-wallet`)
  await enterWords(phone)
  await phone.getByRole('button', { name: 'Restore', exact: true }).click()
  await approve(phone, 'Connect')
  await phone.getByRole('button', { name: 'Next request (1 left)' }).click()
  await approve(phone, 'Sign')
  await expect(page).toHaveURL(/\/dashboard\/wallet$/)
  await expect(page.getByText(/In hash\. You have [\d,.]+ hash\./)).toBeVisible()

  await phone.getByRole('button', { name: 'Done' }).click()
  await page.getByLabel('Amount').fill('2.5')
  await page.getByLabel("Recipient's address").fill(RECIPIENT)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await approve(phone, 'Send')
  await expect(page.getByText(/It is in block/)).toBeVisible()
})

test('protocol 6: on a phone the wallet offers the way back to the page that opened it', async ({
  browser,
  portico,
  complaints,
}) => {
  const context = await browser.newContext({
    ...PHONE,
    reducedMotion: 'reduce',
    baseURL: portico.url,
    userAgent: 'Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 Mobile',
  })
  const page = await context.newPage()
  watch(page, portico.url, complaints)
  const code = await codeOf(page)
  const wallet = await context.newPage()
  watch(wallet, portico.url, complaints)
  await wallet.goto('/mobile-wallet')
  await restoreWallet(wallet)
  await wallet.goto(`/mobile-wallet?data=${encodeURIComponent(encodeURIComponent(code))}`)
  await unlock(wallet)
  await approve(wallet, 'Connect')
  await expect.poll(() => page.evaluate(() => window.wallet.state.status)).toBe('connected')
  const pending = await page.evaluateHandle((hex) => {
    const answer = window.wallet.signHexMessage(hex)
    return { answer }
  }, MESSAGE_HEX)
  await wallet.getByRole('button', { name: 'Next request (1 left)' }).click()
  await approve(wallet, 'Sign')
  expect(await pending.evaluate(({ answer }) => answer)).toMatchObject({ valid: true })
  await wallet.getByRole('button', { name: 'Return to page' }).click()
  // A window with a history is not closed by its page, so the wallet opens the address.
  await wallet.waitForURL(page.url())
  await context.close()
})
