import { ROUTER_BASE } from '@portico/contracts/limits'
import type { PageData } from '@portico/contracts/page-data'
import { renderToString } from 'react-dom/server'
import { Application } from './application.tsx'
import { elsewhere, isScreen, pathUnderBase, titleOf } from './routes.ts'
import { serverEnvironment } from './server-environment.ts'

/** Renders a page for the server: its markup, or where its address leads instead (§2.1, §2.2). */
export function render(page: PageData): { redirect: string } | { title: string; html: string } {
  const path = pathUnderBase(page.path)
  if (!isScreen(path)) {
    const query = page.query === '' ? '' : `?${page.query}`
    return { redirect: `${ROUTER_BASE}${elsewhere(path)}${query}` }
  }
  return {
    title: titleOf(path, page.organization.orgMetaData.companyInfo.name),
    html: renderToString(<Application page={page} environment={serverEnvironment} />),
  }
}
