/**
 * The browser of this suite's pages: a DOM in this process, with Node's sockets and cryptography. It lasts as
 * long as the test file, because a page's requests may still be pending when the next one starts.
 */
import { dom } from './published.ts'

const MARKUP = `<!doctype html><html><head>
  <title>A lender's page</title>
  <meta name="description" content="Where wallets connect">
  <link rel="icon" href="/favicon.ico">
</head><body></body></html>`

const NAMES = [
  'window',
  'document',
  'location',
  'localStorage',
  'navigator',
  'CustomEvent',
  'CSSStyleSheet',
  // The server's experiment library, in the same process, observes any document.
  'MutationObserver',
] as const

/** The page's URL. */
const PAGE_URL = 'https://page.example/checkout?step=2'

/** The client metadata of a page at that URL. */
export const PAGE_META = { name: "A lender's page", url: 'https://page.example' }

const { window } = dom(PAGE_URL, MARKUP)
// A DOM has no screen; simulate a desktop, which shows dialogs.
Object.assign(window, { matchMedia: () => ({ matches: false }) })
Object.assign(window.HTMLDialogElement.prototype, {
  showModal(this: HTMLDialogElement) {
    this.open = true
  },
  close(this: HTMLDialogElement) {
    this.open = false
  },
})
for (const name of NAMES) {
  const value = name === 'window' ? window : window[name]
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
}

// A DOM accepts only its own abort signals, but pages here have Node's.
const { EventTarget: Target } = window
const { addEventListener } = Target.prototype
Target.prototype.addEventListener = function addListener(type, listener, options) {
  if (typeof options !== 'object' || options.signal === undefined) {
    return addEventListener.call(this, type, listener, options)
  }
  const { signal, ...others } = options
  addEventListener.call(this, type, listener, others)
  signal.addEventListener('abort', () => this.removeEventListener(type, listener, others))
}
