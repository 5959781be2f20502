import { formatPhone, phoneLink } from '@portico/rules/phone'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { escapeHtml } from '../escape-html.ts'
import { sendPlainPage } from '../http/plain-page.ts'
import type { Edge } from '../http/serve.ts'

/** Where the lender's own application answers. */
const OUTSIDE = ['/account', '/portfolio', '/legal'] as const

/** Pages outside the product: the lender's application answers them, or a plain page says that it would. */
export function outsidePages({ app, visitor }: Edge, { lenderAppUrl }: Config): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    if (lenderAppUrl !== undefined) return reply.redirect(new URL(request.url, lenderAppUrl).href)
    const { name, supportPhone, supportEmail } = visitor(request, reply).organization.companyInfo
    const [phone, email] = [escapeHtml(formatPhone(supportPhone)), escapeHtml(supportEmail)]
    return sendPlainPage(reply, {
      title: name,
      heading: `This page belongs to ${name}’s own application`,
      html: `<p>It is not part of this sign-in service. An operator connects it with the setting <code>LENDER_APP_URL</code>.</p>
<p><a href="/auth/login">Go to the login page</a></p>
<p>Questions? Call <a href="${phoneLink(supportPhone)}">${phone}</a> or write to <a href="mailto:${email}">${email}</a>.</p>`,
    })
  }
  for (const path of OUTSIDE) {
    app.get(path, answer)
    app.get(`${path}/*`, answer)
  }
}
