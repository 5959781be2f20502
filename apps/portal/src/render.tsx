import type { PageData } from '@portico/contracts/page-data'
import { renderToString } from 'react-dom/server'
import { Application, isFound } from './application.tsx'
import { titleOf } from './routes.ts'
import { serverEnvironment } from './server-environment.ts'

/** Renders a page for the server; an address without a page has the status that says so. */
export function render(page: PageData): { title: string; html: string; status: number } {
  const company = page.organization.orgMetaData.companyInfo.name
  const found = isFound(page)
  return {
    title: `${(found && titleOf(page.path)) || 'Page not found'} | ${company}`,
    html: renderToString(<Application page={page} environment={serverEnvironment} />),
    status: found ? 200 : 404,
  }
}
