/** The extension API: Firefox calls it `browser`, Chromium `chrome`. */
export type BrowserApi = typeof chrome

export const api: BrowserApi =
  Reflect.get(globalThis, 'browser') ?? Reflect.get(globalThis, 'chrome')
