import '@portico/ui/tokens.css'
import '@portico/ui/font.css'
import '@portico/ui/base.css'
import './beside-wallet.css'
import './load-failed.css'
import type { PageData } from '@portico/contracts/page-data'
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import { type TextStorage, textStorage } from '@portico/contracts/text-storage'
import { type ReactNode, StrictMode, useEffect } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import * as z from 'zod/mini'
import { FailureScreen } from './error-boundary.tsx'
import { leavePage } from './leave-page.ts'
import { OfflineNotice } from './offline-notice.tsx'
import { readPageData } from './read-page-data.ts'

/**
 * Hydrates the page that the server rendered, from the same data. A page without valid data is replaced with the error
 * screen.
 */
export function hydratePage(render: (page: PageData) => ReactNode): void {
  // Zod's compiled schemas need eval, which the page's Content-Security-Policy forbids.
  z.config({ jitless: true })

  // A page restored from the back-forward cache may show the session of a user who has since logged out (§2.1).
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) window.location.reload()
  })

  addOfflineNotice()
  const root = document.getElementById('root')
  if (root === null) throw new Error('The document has no #root element')
  try {
    const page = readPageData(document)
    const redirect = correctedUrl(page, {
      storage: textStorage(() => window.sessionStorage),
      location: window.location,
    })
    if (redirect !== undefined) {
      window.location.replace(redirect)
      return
    }
    hydrateRoot(
      root,
      <StrictMode>
        <Ready>{render(page)}</Ready>
      </StrictMode>,
    )
  } catch (error) {
    window.reportError(error)
    createRoot(root).render(
      <Ready>
        <main className="without-page-data">
          <FailureScreen
            {...supportContacts(document)}
            signedIn={false}
            onRetry={() => leavePage(window, () => window.location.reload())}
          />
        </main>
      </Ready>,
    )
  }
}

/** The support phone and email, from the message that every document contains in case its scripts fail to load. */
function supportContacts(document: Document): { supportPhone?: string; supportEmail?: string } {
  const contact = (scheme: string) =>
    document
      .querySelector(`#load-failed a[href^="${scheme}:"]`)
      ?.getAttribute('href')
      ?.slice(scheme.length + 1)
  const [supportPhone, supportEmail] = [contact('tel'), contact('mailto')]
  return { ...(supportPhone && { supportPhone }), ...(supportEmail && { supportEmail }) }
}

/**
 * The URL to redirect to, so that this tab keeps its organization. A URL without an organization shows the one that the
 * browser opened last, possibly in another tab. The redirect URL names the organization, so it redirects only once.
 */
export function correctedUrl(
  page: PageData,
  { storage, location }: { storage: TextStorage; location: Pick<Location, 'href'> },
): string | undefined {
  const { orgCode } = page.organization
  const stored = storage.read(STORAGE_KEYS.organization)
  const [, address = '', fragment = ''] = /^([^#]*)(.*)$/.exec(location.href) ?? []
  const search = new URLSearchParams(page.query)
  if (stored === undefined || stored === orgCode || search.has('orgCode')) {
    storage.write(STORAGE_KEYS.organization, orgCode)
    return undefined
  }
  return `${address}${address.includes('?') ? '&' : '?'}orgCode=${encodeURIComponent(stored)}${fragment}`
}

/** Marks the document as hydrated, so that its forms can be submitted. */
function Ready({ children }: { children: ReactNode }) {
  useEffect(() => {
    document.documentElement.dataset.ready = ''
  }, [])
  return children
}

/** In a root of its own: beside the page it would change the ids that React counts, and the server's would not match. */
function addOfflineNotice(): void {
  const element = document.createElement('div')
  document.body.append(element)
  createRoot(element).render(<OfflineNotice />)
}
