/** The browsers of the extension's tests. Tests in a browser that is missing on this machine are skipped; the suite says why. */
import { findExtensionChromium } from '../../../tools/machine/chromium.ts'
import { findFirefox } from '../../../tools/machine/firefox.ts'
import type { BuiltExtension } from './built-extension.ts'
import { chromiumWithExtension } from './chromium-extension.ts'
import type { ExtensionBrowser } from './extension-browser.ts'
import { firefoxWithExtension } from './firefox-extension.ts'

export interface Browser {
  readonly name: 'Chromium' | 'Firefox'
  readonly isMissing: boolean
  readonly open: (extension: BuiltExtension) => Promise<ExtensionBrowser>
}

const chromium = findExtensionChromium()
const firefox = findFirefox()

export const CHROMIUM = {
  name: 'Chromium',
  isMissing: chromium === undefined,
  open: (extension: BuiltExtension) => chromiumWithExtension(extension.chromium, chromium ?? ''),
} satisfies Browser

export const FIREFOX = {
  name: 'Firefox',
  isMissing: firefox === undefined,
  open: (extension: BuiltExtension) => firefoxWithExtension(extension.firefox, firefox ?? ''),
} satisfies Browser

/** Where the tests run that each engine has to pass: in Chromium in `npm test`, in Firefox in `npm run test:exhaustive`. */
export const BROWSER: Browser = process.env.PORTICO_EXHAUSTIVE === undefined ? CHROMIUM : FIREFOX
