import '@portico/ui/tokens.css'
import '@portico/ui/font.css'
import '@portico/ui/base.css'
import { MobileWalletPage } from '@portico/contracts/mobile-wallet'
import { PAGE_DATA_ELEMENT } from '@portico/contracts/page-data'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import * as z from 'zod/mini'
import { takeArrivalCode } from './arrival.ts'
import { browserEnvironment, MobileEnvironmentContext } from './environment.ts'
import { MobileWallet } from './mobile-wallet.tsx'

// First of all: the address may contain a secret.
const arrivalCode = takeArrivalCode(window)

// Zod's compiled schemas need eval, which the page's Content-Security-Policy forbids.
z.config({ jitless: true })

const root = document.getElementById('root')
const data = document.getElementById(PAGE_DATA_ELEMENT)?.textContent
if (root === null || data == null) throw new Error('The document is incomplete')
const page = MobileWalletPage.parse(JSON.parse(data))

createRoot(root).render(
  <StrictMode>
    <MobileEnvironmentContext value={browserEnvironment(page, { window, arrivalCode })}>
      <MobileWallet />
    </MobileEnvironmentContext>
  </StrictMode>,
)
