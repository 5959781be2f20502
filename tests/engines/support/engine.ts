/** A browser engine other than Chromium's, for the core journeys. */
import type { BrowserPage } from '../../support/browser-page.ts'

export interface Engine extends AsyncDisposable {
  /** Opens a browser with empty storage. */
  readonly visitor: () => Promise<Visitor>
}

export interface Visitor extends AsyncDisposable {
  readonly page: Pick<BrowserPage, 'evaluate' | 'mouse' | 'keyboard'>
  readonly open: (url: string) => Promise<void>
  readonly resize: (width: number, height: number) => Promise<void>
  readonly screenshot: () => Promise<Uint8Array>
  /** Errors that the pages logged or threw; in WebKitGTK those of the page opened last, until it is left. */
  readonly errors: () => Promise<readonly string[]>
}
