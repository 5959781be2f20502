import type { PageData } from '@portico/contracts/page-data'
import { pathAndQuery, withoutTrailingSlashes } from '@portico/rules/wallet-redirects'
import { renderToString } from 'react-dom/server'
import { Application, isFound } from './application.tsx'
import { documentTitle, routeOf } from './routes.ts'
import { serverEnvironment } from './server-environment.ts'

/** Server-side rendering; the status is 404 for unknown paths. A page's path with trailing slashes redirects to it. */
export function render(
  page: PageData,
): { redirect: string } | { title: string; html: string; status: number } {
  const path = withoutTrailingSlashes(page.path)
  if (path !== page.path && routeOf(path) !== undefined) {
    return { redirect: pathAndQuery({ path, query: page.query }) }
  }
  const company = page.organization.orgMetaData.companyInfo.name
  const found = isFound(page)
  return {
    title: documentTitle(found ? page.path : '', company),
    html: renderToString(<Application page={page} environment={serverEnvironment} />),
    status: found ? 200 : 404,
  }
}
