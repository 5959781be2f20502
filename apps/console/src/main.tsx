import '@portico/ui/tokens.css'
import '@portico/ui/font.css'
import '@portico/ui/base.css'
import './console.css'
import { ConsolePage } from '@portico/contracts/console-page'
import { PAGE_DATA_ELEMENT } from '@portico/contracts/page-data'
import { OfflineNotice } from '@portico/shell/offline-notice'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import * as z from 'zod/mini'
import { Application } from './application.tsx'
import { browserEnvironment } from './environment.ts'

// Zod's compiled schemas need eval, which the page's Content-Security-Policy forbids.
z.config({ jitless: true })

// A page restored from the back-forward cache may show what another operator loaded.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) window.location.reload()
})

const root = document.getElementById('root')
const data = document.getElementById(PAGE_DATA_ELEMENT)?.textContent
if (root === null || data == null) throw new Error('The document is incomplete')
const page = ConsolePage.parse(JSON.parse(data))

createRoot(root).render(
  <StrictMode>
    <Application environment={browserEnvironment(page, window)} />
    <OfflineNotice />
  </StrictMode>,
)
