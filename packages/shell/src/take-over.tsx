import '@portico/ui/tokens.css'
import '@portico/ui/base.css'
import './beside-wallet.css'
import './load-failed.css'
import type { PageData } from '@portico/contracts/page-data'
import { type ReactNode, StrictMode, useEffect } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import * as z from 'zod/mini'
import { Snag } from './error-boundary.tsx'
import { readPageData } from './read-page-data.ts'

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
        <Snag signedIn={false} onRetry={() => window.location.reload()} />
      </Ready>,
    )
  }
}

/** Tells the document that somebody listens now, so that its forms may be sent. */
function Ready({ children }: { children: ReactNode }) {
  useEffect(() => {
    document.documentElement.dataset.ready = ''
  }, [])
  return children
}
