import '@portico/ui/tokens.css'
import '@portico/ui/font.css'
import '@portico/ui/base.css'
import { GALLERY_BRAND_EVENT } from '@portico/contracts/gallery'
import type { PageData } from '@portico/contracts/page-data'
import { PREVIEW_READY, PreviewBrand, PreviewMessage } from '@portico/contracts/preview'
import { ToastProvider } from '@portico/ui/toast'
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import * as z from 'zod/mini'
import { readPageData } from './read-page-data.ts'

/**
 * Shows the gallery screen selected by the URL: the real view in a given state, without behavior. An event can switch the
 * brand, so a test of every brand loads each screen only once.
 */
export function showScreen(screens: Readonly<Record<string, (page: PageData) => ReactNode>>): void {
  z.config({ jitless: true })
  const element = document.getElementById('root')
  const name = window.location.pathname.split('/').at(-1) ?? ''
  const screen = Object.hasOwn(screens, name) ? screens[name] : undefined
  if (element === null || screen === undefined)
    throw new Error(`The gallery has no screen '${name}'`)
  // In the gallery's iframes, focusing a field would scroll the whole gallery to it.
  if (window.parent !== window) HTMLElement.prototype.focus = () => undefined
  const root = createRoot(element)
  const show = (page: PageData) =>
    flushSync(() => root.render(<ToastProvider>{screen(page)}</ToastProvider>))
  show(readPageData(document))
  document.documentElement.dataset['ready'] = ''

  window.addEventListener(GALLERY_BRAND_EVENT, (event) => {
    if (!(event instanceof CustomEvent)) return
    showBrand(PreviewBrand.parse(event.detail))
  })

  const showBrand = ({ page, css }: PreviewBrand) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    document.adoptedStyleSheets = [sheet]
    // The style sheet of the brand the document was rendered with.
    for (const link of document.querySelectorAll<HTMLLinkElement>('link[href^="/brand/styles/"]')) {
      link.disabled = true
    }
    show(page)
  }

  // Only the console frames a document whose origin is opaque.
  if (window.parent === window || window.origin !== 'null') return
  window.addEventListener('message', ({ source, data }) => {
    const message = PreviewMessage.safeParse(data)
    if (source !== window.parent || !message.success) return
    document.documentElement.dataset['scheme'] = message.data.scheme
    showBrand(message.data.brand)
  })
  for (const type of ['click', 'submit']) {
    window.addEventListener(type, (event) => event.preventDefault(), true)
  }
  window.parent.postMessage(PREVIEW_READY, '*')
}
