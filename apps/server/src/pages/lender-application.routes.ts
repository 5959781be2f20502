import { LENDER_PATHS } from '@portico/contracts/limits'
import { escapeHtml } from '../escape-html.ts'
import { referenceOf, sendPlainPage, supportSentence } from '../http/plain-page.ts'
import type { Edge } from '../http/serve.ts'

/** Redirects the paths of the lender's application to it, or shows a plain page if none is configured. */
export function lenderApplication({ app, visitor }: Edge, lenderAppUrl: string | undefined): void {
  for (const path of LENDER_PATHS.flatMap((each) => [each, `${each}/*`])) {
    app.get(path, async (request, reply) => {
      if (lenderAppUrl !== undefined) return reply.redirect(new URL(request.url, lenderAppUrl).href)
      const { companyInfo } = visitor(request, reply).organization
      return sendPlainPage(reply, {
        title: companyInfo.name,
        heading: 'This page is not available here',
        html: `<p>It is part of another application of ${escapeHtml(companyInfo.name)}. Please contact us for help.</p>
<p><a href="/auth/login">Go to the login page</a></p>
<p>${supportSentence(companyInfo)}</p>
${referenceOf(reply)}`,
      })
    })
  }
}
