/** The mobile wallet on a phone, with the real relay, chain and signatures. The camera plays a film of the page's code. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { bytesOfBase64, bytesOfHex } from '@portico/keys/bytes'
import { verify } from '@portico/keys/signature'
import { BROWSER_SWITCHES, findExtensionChromium } from '../../tools/machine/chromium.ts'
import { drawFrame, y4mFilm } from '../support/camera-frames.ts'
import { expectGood } from './support/accessible.ts'
import { openConnectingPage } from './support/connecting-page.ts'
import { expect, test, watch } from './support/portico.ts'

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const
const PASSPHRASE = 'walnut ferry lagoon 46'
const WORDS =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'

// 'I agree' in hexadecimal.
const MESSAGE_HEX = '49206167726565'

/** The code of a page that waits for a wallet. */
async function codeOf(page: Page): Promise<string> {
  await openConnectingPage(page)
  await page.evaluate(() => {
    void window.wallet.init({ walletAppId: 'figure_mobile' }).catch(() => undefined)
  })
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
  await phone.getByRole('button', { name: 'Restore from recovery words' }).click()
  await phone.getByLabel('Recovery words').fill(WORDS)
  await phone.getByRole('button', { name: 'Continue' }).click()
  await phone.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await phone.getByLabel('Passphrase again').fill(PASSPHRASE)
  await phone.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect(phone.getByRole('navigation', { name: 'Wallet' })).toBeVisible()
}

/** Reads a request to its end, and approves it. */
async function approve(phone: Page, name: string): Promise<void> {
  const button = phone.getByRole('button', { name, exact: true })
  await expect(button).toBeVisible()
  await phone.locator('main').evaluate((main) => main.scrollTo(0, main.scrollHeight))
  await button.click()
}

/** A phone whose camera shows a code. */
async function aPhone(
  code: string,
): Promise<{ context: BrowserContext; close: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-camera-'))
  const film = join(folder, 'code.y4m')
  // A desk without a code first, so that several pictures are read.
  const frame = { name: 'film', width: 720, height: 720, angle: 8 }
  writeFileSync(
    film,
    y4mFilm([
      ...Array.from({ length: 5 }, () => drawFrame(code, { ...frame, side: 30 })),
      ...Array.from({ length: 20 }, () => drawFrame(code, { ...frame, side: 520, noise: 20 })),
    ]),
  )
  // The headless shell has no camera.
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

test('2.7 a code is scanned, the connection is approved, and the page’s message is signed', async ({
  page,
  portico,
  complaints,
}) => {
  const code = await codeOf(page)
  const { context, close } = await aPhone(code)
  const phone = await context.newPage()
  watch(phone, portico.url, complaints)
  await phone.goto(`${portico.url}/mobile-wallet`)
  await restoreWallet(phone)
  await expectGood(phone)

  await phone.getByRole('button', { name: 'Scan' }).click()
  await approve(phone, 'Connect')
  await expect.poll(() => page.evaluate(() => window.wallet.state.status)).toBe('connected')
  const { address, publicKey } = await page.evaluate(() => window.wallet.state)
  expect(address).toMatch(/^tp1/)

  const pending = await page.evaluateHandle((hex) => {
    const answer = window.wallet.signHexMessage(hex)
    return { answer }
  }, MESSAGE_HEX)
  await phone.getByRole('button', { name: 'Next request (1 left)' }).click()
  await approve(phone, 'Sign')
  const { result } = (await pending.evaluate(({ answer }) => answer)) as {
    result: { signature: string }
  }
  const [key, bytes, signature] = [
    bytesOfBase64(publicKey),
    bytesOfHex(MESSAGE_HEX),
    bytesOfHex(result.signature),
  ]
  expect(key && bytes && signature && verify(key, bytes, signature)).toBe(true)
  await close()
})
