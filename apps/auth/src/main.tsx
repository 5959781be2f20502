import '@portico/ui/tokens.css'
import '@portico/ui/base.css'
import './load-failed.css'
import { type ReactNode, StrictMode, useEffect } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import * as z from 'zod/mini'
import { Application } from './application.tsx'
import { browserEnvironment } from './browser-environment.ts'
import { Snag } from './error-screen/error-screen.tsx'
import { readPageData } from './read-page-data.ts'

// Compiled schemas would need eval, which the page's policy forbids.
z.config({ jitless: true })

// A page out of the back-forward cache shows what was true when it was left (§2.1).
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) window.location.reload()
})

/** Tells the document that somebody listens now, so that its forms may be sent. */
function Ready({ children }: { children: ReactNode }) {
  useEffect(() => {
    document.documentElement.dataset.ready = ''
  }, [])
  return children
}

const root = document.getElementById('root')
if (root === null) throw new Error('The document has no #root to draw in')

try {
  const page = readPageData(document)
  hydrateRoot(
    root,
    <StrictMode>
      <Ready>
        <Application page={page} environment={browserEnvironment(page, window)} />
      </Ready>
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
