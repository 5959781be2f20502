/** Firefox, with a virtual authenticator for passkeys. Each visitor has a container of their own. */
import puppeteer from 'puppeteer-core'
import { browserPage, inBrowser } from '../../support/firefox.ts'
import type { Engine } from './engine.ts'

const PREFERENCES = {
  // Drawing animations takes as much time as what is tested.
  'ui.prefersReducedMotion': 1,
  // Only virtual authenticators.
  'security.webauth.webauthn_enable_softtoken': true,
  'security.webauth.webauthn_enable_usbtoken': false,
}

/** A device that verifies its owner at once. */
const ADD_AUTHENTICATOR = `
  Cc['@mozilla.org/webauthn/service;1']
    .getService(Ci.nsIWebAuthnService)
    .addVirtualAuthenticator('ctap2_1', 'internal', true, true, true, true)`

export async function openFirefox(executablePath: string): Promise<Engine> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    extraPrefsFirefox: PREFERENCES,
    args: ['--remote-allow-system-access'],
  })
  await inBrowser(browser, ADD_AUTHENTICATOR)
  return {
    async visitor() {
      const context = await browser.createBrowserContext()
      const page = await context.newPage()
      const errors: string[] = []
      page.on('pageerror', (error) => errors.push(String(error)))
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text())
      })
      return {
        page: browserPage(page),
        open: async (url) => void (await page.goto(url)),
        resize: (width, height) => page.setViewport({ width, height }),
        screenshot: () => page.screenshot(),
        errors: async () => errors,
        [Symbol.asyncDispose]: () => context.close(),
      }
    },
    [Symbol.asyncDispose]: () => browser.close(),
  }
}
