/** Chromium with the unpacked extension and a profile that survives restarts. */
import path from 'node:path'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { BROWSER_SWITCHES } from '../../../tools/machine/chromium.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

export interface ChromiumExtension extends AsyncDisposable {
  readonly context: () => BrowserContext
  readonly id: string
  /** Opens a page of the extension in a tab. */
  readonly openOwnPage: (name: 'approval' | 'popup') => Promise<Page>
  /** The approval window, as soon as it is open. */
  readonly approvalWindow: () => Promise<Page>
  /** Stops the worker, as the browser does when it is idle. */
  readonly stopWorker: () => Promise<void>
  /** Closes the browser and opens it again with the same profile. */
  readonly restart: () => Promise<void>
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

  return {
    context: () => context,
    id,
    async openOwnPage(name) {
      const page = await context.newPage()
      await page.goto(ownUrl(name))
      return page
    },
    async approvalWindow() {
      const isApproval = (page: Page) => page.url() === ownUrl('approval')
      return (
        context.pages().find(isApproval) ??
        (await context.waitForEvent('page', { predicate: isApproval }))
      )
    },
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

/** The id that Chromium derives from the folder, once the worker has started. */
async function extensionId(context: BrowserContext): Promise<string> {
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  return new URL(worker.url()).host
}
