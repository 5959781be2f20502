import type { PageData } from '@portico/contracts/page-data'
import { renderToString } from 'react-dom/server'
import { Application } from './application.tsx'
import { serverEnvironment } from './server-environment.ts'

/** Renders the wallet on the server. */
export function render(page: PageData): { title: string; html: string } {
  return {
    title: `Wallet | ${page.organization.orgMetaData.companyInfo.name}`,
    html: renderToString(<Application page={page} environment={serverEnvironment} />),
  }
}
