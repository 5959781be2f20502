/**
 * Every component in every state, and sample pages. The URL selects what is shown, so that a
 * screenshot of any state can be taken: `?page=login&brand=007B63&scheme=dark&text=200`.
 */

import '../src/tokens.css'
import '../src/font.css'
import '../src/base.css'
import './gallery.css'
import { brandTheme, themeCss } from '@portico/rules/theme'
import { createRoot } from 'react-dom/client'
import { Controls } from './controls.tsx'
import { ErrorPage, LoginPage, NotFoundPage, ResetPage, SelectPage } from './pages.tsx'
import { Parts } from './parts.tsx'

const query = new URLSearchParams(location.search)

const scheme = query.get('scheme')
if (scheme) document.documentElement.dataset.scheme = scheme

const brand = query.get('brand')
if (brand) {
  const sheet = document.createElement('style')
  sheet.textContent = themeCss(brandTheme(`#${brand}`))
  document.head.append(sheet)
}

const text = query.get('text')
if (text) document.documentElement.style.fontSize = `${text}%`

const PAGES = {
  parts: () => (
    <>
      <Controls query={query} />
      <Parts />
    </>
  ),
  login: () => <LoginPage failing={query.has('failing')} />,
  reset: () => <ResetPage />,
  select: () => <SelectPage />,
  error: () => <ErrorPage />,
  'not-found': () => <NotFoundPage />,
}

const requested = query.get('page') ?? 'parts'
const Page = PAGES[requested in PAGES ? (requested as keyof typeof PAGES) : 'parts']

const root = document.getElementById('root')
if (root) createRoot(root).render(<Page />)
