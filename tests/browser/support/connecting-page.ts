/** A page of ours that connects to wallets with the session library, under our pages' Content-Security-Policy. */
import { fileURLToPath } from 'node:url'
import type { FrameLocator, Page } from '@playwright/test'
import { build } from 'vite'
import { ready } from './steps.ts'

const ENTRY = fileURLToPath(new URL('./connecting-page-script.ts', import.meta.url))

// This page has no screen of the product, so nothing else connects.
const PATH = '/nowhere'

let script: Promise<string> | undefined

/** Opens the page; `window.wallet` connects and sends requests. */
export async function openConnectingPage(page: Page): Promise<void> {
  script ??= bundled()
  await page.goto(PATH)
  await ready(page)
  await page.evaluate(await script)
}

/** The hosted wallet in its frame. */
export function walletFrame(page: Page): FrameLocator {
  return page.frameLocator('#figure-wallet-hosted iframe')
}

/** Scrolls to the end of a request, which is required for approval. */
export async function readToEnd(page: Page): Promise<void> {
  await walletFrame(page)
    .locator('main')
    .evaluate((main) => main.scrollTo(0, main.scrollHeight))
}

/** One script without modules, because it is evaluated in the page. */
async function bundled(): Promise<string> {
  const bundle = await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      lib: { entry: ENTRY, formats: ['iife'], name: 'connectingPage' },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })
  const [first] = Array.isArray(bundle) ? bundle : [bundle]
  if (first === undefined || !('output' in first)) throw new Error('The script was not built')
  return first.output[0].code
}
