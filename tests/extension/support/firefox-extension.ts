/** Firefox with the extension installed in its profile, as a user has it. The profile survives restarts. */
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import puppeteer, { type Page } from 'puppeteer-core'
import { FIREFOX_ID } from '../../../tools/extension/manifest.ts'
import { zip } from '../../../tools/extension/zip.ts'
import { type BrowserPage, until } from '../../support/browser-page.ts'
import { browserPage, inBrowser } from '../../support/firefox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { type ExtensionBrowser, raiseVersion } from './extension-browser.ts'

/** Only the ESR and developer editions run extensions that Mozilla has not signed. */
const PREFERENCES = {
  'xpinstall.signatures.required': false,
  // Otherwise an extension that was copied into the profile waits for the user to enable it.
  'extensions.autoDisableScopes': 0,
  'browser.sessionstore.resume_from_crash': false,
  // Otherwise it waits up to a minute before it connects again to a relay that has cut its connections.
  'network.websocket.delay-failed-reconnects': false,
  // Drawing animations takes as much time as what is tested.
  'ui.prefersReducedMotion': 1,
  // Pages open windows without a click of the driver.
  'dom.disable_open_during_load': false,
  // A permission that the extension requests on a click is granted without the browser's prompt.
  'extensions.webextOptionalPermissionPrompts': false,
}

export async function firefoxWithExtension(
  extension: string,
  executablePath: string,
): Promise<ExtensionBrowser> {
  const folder = temporaryFolder()
  const profile = path.join(folder.path, 'profile')
  mkdirSync(path.join(profile, 'extensions'), { recursive: true })
  copyFileSync(extension, path.join(profile, 'extensions', `${FIREFOX_ID}.xpi`))
  const unpacked = path.join(folder.path, 'unpacked')
  cpSync(path.join(path.dirname(extension), 'firefox'), unpacked, { recursive: true })
  let browser = await launch()

  async function launch() {
    const launched = await puppeteer.launch({
      browser: 'firefox',
      executablePath,
      headless: true,
      userDataDir: profile,
      extraPrefsFirefox: PREFERENCES,
      // For `inBrowser`.
      args: ['--remote-allow-system-access'],
    })
    const isStarted = `${EXTENSION}?.backgroundState === 'running'`
    try {
      await until('The start of the extension', async () =>
        (await inBrowser(launched, isStarted)) === true ? true : undefined,
      )
    } catch (error) {
      await launched.close()
      throw error
    }
    return launched
  }

  async function pageOf(page: BrowserPage): Promise<Page> {
    const found = (await browser.pages()).find((each) => browserPage(each) === page)
    if (found === undefined) throw new Error('The window was closed')
    return found
  }

  const loaded = (page: Page) =>
    until('Loading', async () => {
      const isLoaded = await page.evaluate(
        () => location.href !== 'about:blank' && document.readyState === 'complete',
      )
      return isLoaded || undefined
    })

  /** Pages of the web, which never become pages of the extension. */
  const ofTheWeb = new WeakSet<Page>()

  async function ownPages(name: string): Promise<readonly BrowserPage[]> {
    const pages = (await browser.pages()).filter((page) => !ofTheWeb.has(page))
    const urls = await Promise.all(
      // Windows that were closed stay in the list.
      pages.map((page) => page.evaluate(() => location.href).catch(() => '')),
    )
    return pages.filter((_, index) => urls[index]?.endsWith(`/${name}.html`)).map(browserPage)
  }

  return {
    async openPage(url) {
      const before = new Set(await browser.pages())
      // Now and then, Firefox never answers `newPage` or `goto`.
      await inBrowser(
        browser,
        `(() => {
          const { gBrowser } = ${USER_WINDOW}
          gBrowser.selectedTab = gBrowser.addTrustedTab(${JSON.stringify(url)})
        })()`,
      )
      const page = await until('The page', async () =>
        (await browser.pages()).find(
          (each) => !before.has(each) && each.url().startsWith(new URL(url).origin),
        ),
      )
      ofTheWeb.add(page)
      await loaded(page)
      return browserPage(page)
    },
    approvalWindows: () => ownPages('approval'),
    async openPopup() {
      await inBrowser(
        browser,
        `(() => {
          const extension = ${EXTENSION}
          const { gBrowser } = ${USER_WINDOW}
          extension.tabManager.addActiveTabPermission(gBrowser.selectedTab)
          gBrowser.addTrustedTab(extension.baseURI.resolve('popup.html'), {
            triggeringPrincipal: extension.principal,
          })
        })()`,
      )
      return until('The popup', async () => (await ownPages('popup'))[0], POPUP_LIMIT_MS)
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
    async stopWorker() {
      // As when it is idle, but also if it is not: in Chromium, it can be stopped at any time.
      const options = '{ disableResetIdleForTest: true, ignoreDevToolsAttached: true }'
      await inBrowser(browser, `${EXTENSION}.terminateBackground(${options})`)
    },
    async restart() {
      await browser.close()
      browser = await launch()
    },
    async update() {
      raiseVersion(unpacked)
      const next = path.join(folder.path, 'next.xpi')
      writeFileSync(next, pack(unpacked))
      await inBrowser(
        browser,
        `(async () => {
          const { AddonManager } = ChromeUtils.importESModule('resource://gre/modules/AddonManager.sys.mjs')
          const file = Cc['@mozilla.org/file/local;1'].createInstance(Ci.nsIFile)
          file.initWithPath(${JSON.stringify(next)})
          const install = await AddonManager.getInstallForFile(file)
          await install.install()
        })()`,
      )
    },
    async [Symbol.asyncDispose]() {
      await browser.close()
      folder.remove()
    },
  }
}

/** The files of a folder as an extension's package. */
function pack(folder: string): Buffer {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return zip(
    files.map(({ name, parentPath }) => {
      const file = path.join(parentPath, name)
      return { name: path.relative(folder, file), bytes: readFileSync(file) }
    }),
  )
}

const POPUP_LIMIT_MS = 5000

/** The browser window with the user's tabs; the approval window has no toolbar, and may be closing. */
const USER_WINDOW = `[...Services.wm.getEnumerator('navigator:browser')].find(({ toolbar }) => toolbar.visible)`

/** Firefox's own object of the extension. */
const EXTENSION = `WebExtensionPolicy.getByID('${FIREFOX_ID}')?.extension`
