import { ROUTER_BASE } from '@portico/contracts/limits'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { assertSameOrigin } from '../http/csrf.ts'
import { sendPlainPage } from '../http/plain-page.ts'
import { ACCOUNT_DISCLOSING } from '../http/rate-limits.ts'
import { type Edge, enforceRateLimit } from '../http/serve.ts'
import { LOCKOUT_PATH } from '../mail/mails.ts'
import type { LockoutLink } from './lockout-link.ts'

/** The page behind the link. Only its button consumes the link, because mail scanners open links before users do. */
export function lockoutPages(edge: Edge, lockoutLink: LockoutLink): void {
  const path = `${ROUTER_BASE}${LOCKOUT_PATH}`
  const show = (reply: FastifyReply) =>
    sendPlainPage(reply, {
      title: 'Log in',
      heading: 'Log in with this browser',
      html: `<form method="post"><p>There were too many wrong attempts on your account, so new browsers have to wait. Continue, and you can log in with this browser without waiting.</p>
<p><button>Continue to log in</button></p></form>`,
      form: 'by-user',
    })

  edge.app.get(path, (_request, reply) => show(reply))
  void edge.app.register(async (forms) => {
    forms.addContentTypeParser('application/x-www-form-urlencoded', (_request, payload, done) => {
      payload.resume()
      done(null, undefined)
    })
    forms.post(path, async (request: FastifyRequest, reply: FastifyReply) => {
      const visitor = edge.visitor(request, reply)
      assertSameOrigin(request, visitor.origin)
      await enforceRateLimit(edge.rateLimit, `lockout link ${visitor.network}`, ACCOUNT_DISCLOSING)
      const { token, ...brand } = request.query as Record<string, string>
      const email = await lockoutLink.open(String(token), visitor)
      if (email === undefined) {
        const details = { call: path, reason: 'lockout-link' }
        edge.boundedAudit.noteRefusal('call-refused', { details }, visitor)
        return sendPlainPage(reply.code(410), {
          title: 'Log in',
          heading: 'This link has been used or has expired',
          html: `<p>Try to log in; if you have to wait, we email you another link.</p>
<p><a href="${ROUTER_BASE}/login">Go to the login page</a></p>`,
        })
      }
      const query = new URLSearchParams({ ...brand, email })
      return reply.redirect(`${ROUTER_BASE}/login?${query}`, 303)
    })
  })
}
