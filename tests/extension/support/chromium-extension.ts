/** Chromium with the unpacked extension and a profile that survives restarts. */
import path from 'node:path'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { BROWSER_SWITCHES } from '../../../tools/machine/chromium.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import type { BrowserPage, ExtensionBrowser } from './extension-browser.ts'

export interface ChromiumExtension extends ExtensionBrowser {
  readonly context: () => BrowserContext
  readonly id: string
  /** Opens a page of the extension in a tab. */
  readonly openOwnPage: (name: 'approval' | 'popup') => Promise<Page>
}

export async function chromiumWithExtension(
  extension: string,
  executablePath: string,
): Promise<ChromiumExtension> {
  const profile = temporaryFolder()
  let context = await launch()
  const id = await extensionId(context)

  async function launch(): Promise<BrowserContext> {
    return chromium.launchPersistentContext(path.join(profile.path, 'profile'), {
      executablePath,
      headless: true,
      viewport: null,
      args: [
        ...BROWSER_SWITCHES,
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

  return {
    context: () => context,
    id,
    openPage: open,
    openOwnPage: (name) => open(ownUrl(name)),
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
    async stopWorker() {
      const page = context.pages()[0] ?? (await context.newPage())
      const session = await context.newCDPSession(page)
      await session.send('ServiceWorker.enable')
      await session.send('ServiceWorker.stopAllWorkers')
      await session.detach()
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
