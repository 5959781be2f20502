/** A browser engine other than Chromium's, for the core journeys. */
import type { BrowserPage } from '../../support/browser-page.ts'

export interface Engine extends AsyncDisposable {
  /** Opens a browser that has stored nothing. */
  readonly visitor: () => Promise<Visitor>
}

export interface Visitor extends AsyncDisposable {
  readonly page: Pick<BrowserPage, 'evaluate' | 'mouse' | 'keyboard' | 'reload'>
  readonly open: (url: string) => Promise<void>
  readonly resize: (width: number, height: number) => Promise<void>
  readonly screenshot: () => Promise<Uint8Array>
  /** What the opened pages reported as errors. */
  readonly errors: () => Promise<readonly string[]>
}
