import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { servePages } from '../tests/extension/support/page-server.ts'
import { drawFrame, y4mFilm } from '../tests/support/camera-frames.ts'
import { BROWSER_SWITCHES, findExtensionChromium } from '../tools/machine/chromium.ts'
import { type Figure, figure, short } from './figure.ts'
import { measureAlternately } from './pairs.ts'
import { aSite } from './sites.ts'
import { runMain } from './start-figures.ts'

const SCAN_BUDGET_MS = 2500
const WORDS =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'
const PASSPHRASE = 'walnut ferry lagoon 46'

/** As Lighthouse simulates a slow phone: slow 4G, and a processor four times slower. */
const SLOW = { latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750, offline: false }
const SLOWER = 4

/** The time from the tap on Scan in the mobile wallet to the approval. */
export async function mobileScanFigures(rounds: number): Promise<Figure[]> {
  await using site = await aSite('embedded', 1)
  await using running = await runMain(site.environment)
  const relay = `${running.url.replace('http', 'ws')}/service-wallet-connect-bridge/ws/external`
  await using pages = await servePages(relay, 'Lender')
  const wallet = `${running.url}/mobile-wallet`
  const { slow, fast } = await measureAlternately(rounds, {
    fast: () => scanToApproval(pages.origin, wallet, false),
    slow: () => scanToApproval(pages.origin, wallet, true),
  })
  return [
    figure({
      figure: 'From Scan to the approval, slow 4G and 4x slower CPU; without these',
      on: 'Chromium',
      ours: slow,
      baseline: fast,
      write: (ms) => `${short(ms)} ms`,
      budget: { text: 'under 2.5 s', isMet: ({ ours }) => ours < SCAN_BUDGET_MS },
    }),
  ]
}

/** A wallet is restored on a new phone, and its camera shows the code of a waiting page. */
async function scanToApproval(origin: string, wallet: string, isSlow: boolean): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-camera-'))
  // The headless shell has neither extensions nor a camera.
  const executablePath = findExtensionChromium()
  if (executablePath === undefined) throw new Error('No Chromium with a camera was found')
  const film = path.join(folder, 'code.y4m')
  const launch = () =>
    chromium.launch({
      executablePath,
      args: [
        ...BROWSER_SWITCHES,
        '--use-fake-device-for-media-stream',
        `--use-file-for-fake-video-capture=${film}`,
      ],
    })
  let browser: Browser | undefined
  try {
    browser = await launch()
    const code = await codeOf(await browser.newContext(), origin)
    const frame = { name: 'film', width: 720, height: 720, angle: 8, side: 520, noise: 20 }
    writeFileSync(film, y4mFilm([drawFrame(code, frame)]))
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
      permissions: ['camera'],
      reducedMotion: 'reduce',
    })
    const phone = await context.newPage()
    await phone.goto(wallet)
    await restore(phone)
    if (isSlow) {
      const session = await context.newCDPSession(phone)
      await session.send('Network.emulateNetworkConditions', SLOW)
      await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
    }
    const begin = performance.now()
    await phone.getByRole('button', { name: 'Scan' }).click()
    await phone.getByRole('button', { name: 'Connect', exact: true }).waitFor()
    return performance.now() - begin
  } finally {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The code of a page that waits for a wallet, which stays open. */
async function codeOf(context: BrowserContext, origin: string): Promise<string> {
  const page = await context.newPage()
  await page.goto(origin)
  return page.evaluate(() => Reflect.get(window, 'page').showCode())
}

async function restore(phone: Page): Promise<void> {
  await phone.getByRole('button', { name: 'Restore from recovery words' }).click()
  await phone.getByLabel('Recovery words').fill(WORDS)
  await phone.getByRole('button', { name: 'Continue' }).click()
  await phone.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await phone.getByLabel('Passphrase again').fill(PASSPHRASE)
  await phone.getByRole('button', { name: 'Restore', exact: true }).click()
  await phone.getByRole('navigation', { name: 'Wallet' }).waitFor()
}
