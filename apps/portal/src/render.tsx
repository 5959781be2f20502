import type { PageData } from '@portico/contracts/page-data'
import { renderToString } from 'react-dom/server'
import { Application, isFound } from './application.tsx'
import { documentTitle } from './routes.ts'
import { serverEnvironment } from './server-environment.ts'

/** Server-side rendering; the status is 404 for unknown paths. */
export function render(page: PageData): { title: string; html: string; status: number } {
  const company = page.organization.orgMetaData.companyInfo.name
  const found = isFound(page)
  return {
    title: documentTitle(found ? page.path : '', company),
    html: renderToString(<Application page={page} environment={serverEnvironment} />),
    status: found ? 200 : 404,
  }
}
