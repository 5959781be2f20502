import { formatPhone } from '@portico/rules/phone'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { escapeHtml } from '../escape-html.ts'
import type { Edge } from '../http/serve.ts'

/** Where the lender's own application answers. */
const OUTSIDE = ['/account', '/portfolio', '/legal'] as const

/** Pages outside the product: the lender's application answers them, or a plain page says that it would. */
export function outsidePages({ app, visitor }: Edge, { lenderAppUrl }: Config): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    if (lenderAppUrl !== undefined) return reply.redirect(new URL(request.url, lenderAppUrl).href)
    const { name, supportPhone, supportEmail } = visitor(request, reply).organization.companyInfo
    return reply.type('text/html; charset=utf-8').send(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escapeHtml(name)}</title></head>
<body><main><h1>This page belongs to ${escapeHtml(name)}’s own application</h1>
<p>It is not part of this sign-in service. An operator connects it with the setting <code>LENDER_APP_URL</code>.</p>
<p>Questions? ${escapeHtml(formatPhone(supportPhone))}, ${escapeHtml(supportEmail)}</p>
<p><a href="/auth/login">Go to the login page</a></p></main></body></html>`)
  }
  for (const path of OUTSIDE) {
    app.get(path, answer)
    app.get(`${path}/*`, answer)
  }
}
