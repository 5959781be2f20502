/**
 * The browser that pages of this suite run in: a DOM in this process, with sockets and cryptography of Node. It lasts as
 * long as the test file, because what a page began may still be on its way when the next one starts.
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
  // The server's library for experiments, in the same process, watches the document of whatever has one.
  'MutationObserver',
] as const

/** Where the page is. */
const PAGE_URL = 'https://page.example/checkout?step=2'

/** How a page at that address introduces itself. */
export const PAGE_META = { name: "A lender's page", url: 'https://page.example' }

const { window } = dom(PAGE_URL, MARKUP)
// A DOM has no screen; that of a desk is wide and shows dialogs.
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

// A DOM takes signals of its own kind only, and here pages have those of Node.
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
