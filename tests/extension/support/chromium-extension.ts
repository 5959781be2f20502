/** Chromium with the unpacked extension and a profile that survives restarts. */
import { cpSync } from 'node:fs'
import path from 'node:path'
import { type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test'
import { BROWSER_SWITCHES } from '../../../tools/machine/chromium.ts'
import type { BrowserPage } from '../../support/browser-page.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { type ExtensionBrowser, raiseVersion } from './extension-browser.ts'

const INSTALLATION_LIMIT_MS = 30_000

export interface ChromiumExtension extends ExtensionBrowser {
  readonly context: () => BrowserContext
  readonly id: string
  /** Opens a page of the extension in a tab. */
  readonly openOwnPage: (name: 'approval' | 'popup') => Promise<Page>
}

export async function chromiumWithExtension(
  built: string,
  executablePath: string,
): Promise<ChromiumExtension> {
  const profile = temporaryFolder()
  // A copy, because an update replaces its files.
  const extension = path.join(profile.path, 'extension')
  cpSync(built, extension, { recursive: true })
  let context = await launch()
  const id = await extensionId(context)

  async function launch(): Promise<BrowserContext> {
    return chromium.launchPersistentContext(path.join(profile.path, 'profile'), {
      executablePath,
      headless: true,
      viewport: null,
      args: [
        ...BROWSER_SWITCHES,
        // Drawing animations takes as much time as what is tested.
        '--force-prefers-reduced-motion',
        `--disable-extensions-except=${extension}`,
        `--load-extension=${extension}`,
      ],
    })
  }

  const ownUrl = (name: string) => `chrome-extension://${id}/${name}.html`
  const open = async (url: string) => {
    const page = await context.newPage()
    await page.goto(url)
    return page
  }

  /** Runs commands of the DevTools protocol on a page outside the extension, because the extension's windows may close at any time. */
  async function withSession<Result>(run: (session: CDPSession) => Promise<Result>) {
    const isOwn = (page: Page) => page.url().startsWith('chrome-extension:')
    const page = context.pages().find((each) => !isOwn(each)) ?? (await context.newPage())
    const session = await context.newCDPSession(page)
    const result = await run(session)
    // The page may have been closed meanwhile.
    await session.detach().catch(() => undefined)
    return result
  }

  /**
   * The version of the worker, other than a former one, once it is installed. While Chromium installs one, stopping it makes the
   * installation fail, and the extension has no worker until it loads again.
   */
  const installedWorker = (former?: string) =>
    withSession(async (session) => {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      session.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
        const installed = versions.find(
          ({ status, versionId }) => status === 'activated' && versionId !== former,
        )
        if (installed !== undefined) resolve(installed.versionId)
      })
      await session.send('ServiceWorker.enable')
      const late = new Error('The worker was not installed')
      const timer = setTimeout(reject, INSTALLATION_LIMIT_MS, late)
      return promise.finally(() => clearTimeout(timer))
    })

  let isUnpackedAllowed = false

  /** Without the developer mode, which the profile keeps, Chromium disables unpacked extensions when they load again. */
  async function allowUnpacked(): Promise<void> {
    if (isUnpackedAllowed) return
    isUnpackedAllowed = true
    const settings = await open('chrome://extensions')
    await settings.evaluate(() =>
      Reflect.get(chrome, 'developerPrivate').updateProfileConfiguration({ inDeveloperMode: true }),
    )
    await settings.close()
  }

  return {
    context: () => context,
    id,
    openPage: open,
    openOwnPage: (name) => open(ownUrl(name)),
    openPopup: () => open(ownUrl('popup')),
    approvalWindows: async () =>
      context.pages().filter((page) => page.url() === ownUrl('approval')),
    press: (page, name, timeout) =>
      pageOf(context, page)
        .getByRole('button', { name, exact: true })
        .click({ timeout })
        .then(
          () => true,
          () => false,
        ),
    stopWorker: () =>
      withSession(async (session) => {
        await session.send('ServiceWorker.enable')
        await session.send('ServiceWorker.stopAllWorkers')
      }),
    async update() {
      raiseVersion(extension)
      await allowUnpacked()
      const before = await installedWorker()
      const page = await open(ownUrl('popup'))
      const closed = page.waitForEvent('close')
      // This closes the extension's pages, including this one.
      void page.evaluate(() => chrome.runtime.reload()).catch(() => undefined)
      await closed
      await installedWorker(before)
    },
    async restart() {
      await context.close()
      context = await launch()
      await extensionId(context)
    },
    async [Symbol.asyncDispose]() {
      await context.close()
      profile.remove()
    },
  }
}

function pageOf(context: BrowserContext, page: BrowserPage): Page {
  const found = context.pages().find((each) => each === page)
  if (found === undefined) throw new Error('The window was closed')
  return found
}

/** The id that Chromium derives from the folder, once the worker has started. */
async function extensionId(context: BrowserContext): Promise<string> {
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  return new URL(worker.url()).host
}
