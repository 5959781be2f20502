/** Mails as HTML documents, for the mailbox and the gallery of demonstration mode. */
import type { FastifyReply } from 'fastify'
import { contentSecurityPolicy } from '../http/security-headers.ts'

/** A mail runs no scripts and loads no resources; its links open in a new tab. */
const MAIL_HEADERS = {
  'content-security-policy': contentSecurityPolicy({
    sandbox: 'allow-popups allow-popups-to-escape-sandbox',
    'style-src': "'unsafe-inline'",
    'frame-ancestors': "'self'",
  }),
  'x-frame-options': 'SAMEORIGIN',
  'content-type': 'text/html; charset=utf-8',
}

/** Sends a mail's HTML, which only our own pages may frame. */
export function sendMailDocument(reply: FastifyReply, html: string): FastifyReply {
  return reply.headers(MAIL_HEADERS).send(html.replace('<head>', '<head><base target="_blank">'))
}
