import '@portico/ui/tokens.css'
import '@portico/ui/base.css'
import './beside-wallet.css'
import './load-failed.css'
import type { PageData } from '@portico/contracts/page-data'
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import { type ReactNode, StrictMode, useEffect } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import * as z from 'zod/mini'
import { FailureScreen } from './error-boundary.tsx'
import { readPageData } from './read-page-data.ts'
import { type TextStorage, textStorage } from './text-storage.ts'

/**
 * Takes over the page that the server rendered: draws the same from the same data and listens from then on. A page
 * without usable data becomes the error screen.
 */
export function takeOver(draw: (page: PageData) => ReactNode): void {
  // Compiled schemas would need eval, which the page's policy forbids.
  z.config({ jitless: true })

  // A page out of the back-forward cache may belong to somebody who has logged out since (§2.1).
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) window.location.reload()
  })

  const root = document.getElementById('root')
  if (root === null) throw new Error('The document has no #root to draw in')
  try {
    const page = readPageData(document)
    const corrected = addressOfTab(page, {
      storage: textStorage(() => window.sessionStorage),
      location: window.location,
    })
    if (corrected !== undefined) {
      window.location.replace(corrected)
      return
    }
    hydrateRoot(
      root,
      <StrictMode>
        <Ready>{draw(page)}</Ready>
      </StrictMode>,
    )
  } catch (error) {
    window.reportError(error)
    createRoot(root).render(
      <Ready>
        <main className="without-page-data">
          <FailureScreen
            {...supportIn(document)}
            signedIn={false}
            onRetry={() => window.location.reload()}
          />
        </main>
      </Ready>,
    )
  }
}

/** Phone and e-mail of support, from the message that each document carries for visitors whose scripts do not arrive. */
function supportIn(document: Document): { supportPhone?: string; supportEmail?: string } {
  const contact = (scheme: string) =>
    document
      .querySelector(`#load-failed a[href^="${scheme}:"]`)
      ?.getAttribute('href')
      ?.slice(scheme.length + 1)
  const [supportPhone, supportEmail] = [contact('tel'), contact('mailto')]
  return { ...(supportPhone && { supportPhone }), ...(supportEmail && { supportEmail }) }
}

/**
 * Where this tab should be instead, so that it stays with its organization. An address that names no organization shows
 * the one that the browser opened last, which may be another tab's. The corrected address names it, so this happens once.
 */
export function addressOfTab(
  page: PageData,
  { storage, location }: { storage: TextStorage; location: Pick<Location, 'href'> },
): string | undefined {
  const { orgCode } = page.organization
  const kept = storage.read(STORAGE_KEYS.organization)
  const [, address = '', fragment = ''] = /^([^#]*)(.*)$/.exec(location.href) ?? []
  const search = new URLSearchParams(page.query)
  if (kept === undefined || kept === orgCode || search.has('orgCode')) {
    storage.keep(STORAGE_KEYS.organization, orgCode)
    return undefined
  }
  return `${address}${address.includes('?') ? '&' : '?'}orgCode=${encodeURIComponent(kept)}${fragment}`
}

/** Tells the document that somebody listens now, so that its forms may be sent. */
function Ready({ children }: { children: ReactNode }) {
  useEffect(() => {
    document.documentElement.dataset.ready = ''
  }, [])
  return children
}
