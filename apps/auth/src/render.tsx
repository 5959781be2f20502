import { ROUTER_BASE } from '@portico/contracts/limits'
import type { PageData } from '@portico/contracts/page-data'
import { loginPathBefore, pathAndQuery } from '@portico/rules/wallet-redirects'
import { renderToString } from 'react-dom/server'
import { Application } from './application.tsx'
import { pathUnderBase, redirectPath, requiresSession, screenOf, titleOf } from './routes.ts'
import { serverEnvironment } from './server-environment.ts'

/** Server-side rendering: returns the page's title and HTML, or a redirect (§2.1, §2.2). */
export function render(page: PageData): { redirect: string } | { title: string; html: string } {
  const path = pathUnderBase(page.path)
  const screen = screenOf(path)
  if (screen === undefined) {
    const query = page.query === '' ? '' : `?${page.query}`
    return { redirect: `${ROUTER_BASE}${redirectPath(path)}${query}` }
  }
  // Requires a signed-in identity; otherwise starts login and returns here (§2.2).
  if (requiresSession(screen) && page.session === null) {
    return { redirect: loginPathBefore(pathAndQuery(page)) }
  }
  return {
    title: titleOf(screen, page.organization.orgMetaData.companyInfo.name),
    html: renderToString(<Application page={page} environment={serverEnvironment} />),
  }
}
