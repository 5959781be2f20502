/** A real browser with the extension, and what users do in it. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type BrowserPage, until } from '../../support/browser-page.ts'

export interface ExtensionBrowser extends AsyncDisposable {
  readonly openPage: (url: string) => Promise<BrowserPage>
  /** The approval windows that are open. */
  readonly approvalWindows: () => Promise<readonly BrowserPage[]>
  /** Opens the popup's page in a tab behind the current one, because drivers do not reach popups. */
  readonly openPopup: () => Promise<BrowserPage>
  /** Presses a button as soon as it is enabled; false if that takes longer than `limitMs`. */
  readonly press: (page: BrowserPage, name: string, limitMs: number) => Promise<boolean>
  /** Stops the worker, as the browser does when it is idle. */
  readonly stopWorker: () => Promise<void>
  /** Closes the browser and opens it again with the same profile. */
  readonly restart: () => Promise<void>
  /** Installs the next version of the extension over the one that runs. */
  readonly update: () => Promise<void>
}

/** Increases the version of an unpacked extension. */
export function raiseVersion(folder: string): void {
  const file = path.join(folder, 'manifest.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }
  const [major, minor, patch] = manifest.version.split('.')
  const version = [major, minor, Number(patch) + 1].join('.')
  writeFileSync(file, JSON.stringify({ ...manifest, version }))
}

/** Longer than a screen takes to change, and shorter than the limit, so that a replaced window is found. */
const PRESS_LIMIT_MS = 3000

const textOf = (page: BrowserPage) => page.evaluate(() => document.body.innerText, undefined)

/** The text of the approval window, once it contains `part`. */
export async function approvalText(browser: ExtensionBrowser, part: string): Promise<string> {
  let texts: readonly string[] = []
  const found = until(`An approval with '${part}'`, async () => {
    texts = await Promise.all((await browser.approvalWindows()).map(textOf))
    return texts.find((text) => text.includes(part))
  })
  return found.catch((cause: unknown) => {
    throw new Error(`No '${part}' in ${JSON.stringify(texts)}`, { cause })
  })
}

/** Scrolls to the end of the approval, as the user has to, and presses a button. */
export async function press(browser: ExtensionBrowser, name: string): Promise<void> {
  await until(`Pressing '${name}'`, async () => {
    for (const page of await browser.approvalWindows()) {
      if (!(await textOf(page)).includes(name)) continue
      await page.evaluate(() => {
        const main = document.querySelector('main')
        main?.scrollTo(0, main.scrollHeight)
      }, undefined)
      if (await browser.press(page, name, PRESS_LIMIT_MS)) return true
    }
    return undefined
  })
}

/** Sends the worker a message from one of the extension's own windows. */
export function sendAsWindow(page: BrowserPage, message: unknown): Promise<unknown> {
  return page.evaluate(
    (sent) =>
      (Reflect.get(globalThis, 'browser') ?? Reflect.get(globalThis, 'chrome')).runtime.sendMessage(
        sent,
      ),
    message,
  )
}
