/** Firefox with the extension as a temporary add-on, and a profile that survives restarts. */
import path from 'node:path'
import puppeteer, { type Page } from 'puppeteer-core'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import type { BrowserPage, ExtensionBrowser } from './extension-browser.ts'

/** Firefox stops the background scripts after this time without events. */
const IDLE_MS = 3000

/** A temporary add-on is installed again after each start; these settings keep its storage and its address. */
const PREFERENCES = {
  'extensions.webextensions.keepStorageOnUninstall': true,
  'extensions.webextensions.keepUuidOnUninstall': true,
  'extensions.background.idle.timeout': IDLE_MS,
  'browser.sessionstore.resume_from_crash': false,
}

export async function firefoxWithExtension(
  extension: string,
  executablePath: string,
): Promise<ExtensionBrowser> {
  const profile = temporaryFolder()
  let browser = await launch()

  async function launch() {
    const launched = await puppeteer.launch({
      browser: 'firefox',
      executablePath,
      headless: true,
      userDataDir: path.join(profile.path, 'profile'),
      extraPrefsFirefox: PREFERENCES,
    })
    await launched.installExtension(extension)
    return launched
  }

  async function pageOf(page: BrowserPage): Promise<Page> {
    const found = (await browser.pages()).find((each) => browserPage(each) === page)
    if (found === undefined) throw new Error('The window was closed')
    return found
  }

  return {
    async openPage(url) {
      const page = await browser.newPage()
      await page.goto(url)
      return browserPage(page)
    },
    async approvalWindows() {
      const pages = await browser.pages()
      const urls = await Promise.all(
        pages.map((page) => page.evaluate(() => location.href).catch(() => '')),
      )
      return pages.filter((_, index) => urls[index]?.endsWith('/approval.html')).map(browserPage)
    },
    press: async (page, name, timeout) =>
      (await pageOf(page))
        .locator(`::-p-aria([name="${name}"][role="button"])`)
        .setTimeout(timeout)
        .click()
        .then(
          () => true,
          () => false,
        ),
    stopWorker: () => new Promise((resolve) => setTimeout(resolve, 2 * IDLE_MS)),
    async restart() {
      await browser.close()
      browser = await launch()
    },
    async [Symbol.asyncDispose]() {
      await browser.close()
      profile.remove()
    },
  }
}

/** Puppeteer also evaluates handles, which its types express and ours do not. */
function browserPage(page: Page): BrowserPage {
  return page as unknown as BrowserPage
}
