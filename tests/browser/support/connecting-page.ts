/** A page of ours that connects to wallets with the session library, under our pages' Content-Security-Policy. */
import type { FrameLocator, Page } from '@playwright/test'
import { bundleScript } from '../../support/bundle-script.ts'
import { ready } from './steps.ts'

const ENTRY = new URL('./connecting-page-script.ts', import.meta.url)

// This page shows no product screen, so nothing else connects.
const PATH = '/nowhere'

let script: Promise<string> | undefined

/** Opens the page; `window.wallet` connects and sends requests. */
export async function openConnectingPage(page: Page): Promise<void> {
  script ??= bundleScript(ENTRY)
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
