/**
 * The operator console (`/console`). The document contains no data: the application renders in the browser and loads what
 * the operator may see.
 */
import { randomBytes } from 'node:crypto'
import { CONSOLE_PATH, type ConsolePage } from '@portico/contracts/console-page'
import { loginPathBefore } from '@portico/rules/wallet-redirects'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Brands, organizationInfo } from '../brands/brands.ts'
import type { Config } from '../config.ts'
import { PAGES } from '../http/rate-limits.ts'
import { pageHeaders } from '../http/security-headers.ts'
import { type Edge, enforceRateLimit } from '../http/serve.ts'
import type { Application } from './application.ts'
import { htmlDocument } from './document.ts'

/** A neutral appearance: operators of all lenders see the same console. The colors are those of `tokens.css`. */
export const CONSOLE_APPEARANCE = {
  css: '',
  styleSheet: undefined,
  icon: `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#3a4556"/><path d="M8 24V13a8 8 0 0 1 16 0v11M13 24V14a3 3 0 0 1 6 0v10" fill="none" stroke="#fff" stroke-width="2.5"/></svg>')}`,
  toolbarColors: { light: '#3a4556', dark: '#2d3644' },
} as const

export function consolePage(
  edge: Edge,
  deps: {
    readonly config: Config
    readonly organizations: Pick<Brands['organizations'], 'defaultOrganization'>
    readonly console: Pick<Application, 'entry'>
  },
): void {
  const { config, organizations } = deps

  const sendConsole = async (request: FastifyRequest, reply: FastifyReply) => {
    const visitor = edge.visitor(request, reply)
    await enforceRateLimit(edge.rateLimit, `pages ${visitor.network}`, PAGES)
    const session = await edge.sessions.ofCookie(visitor.ownSessionCookie)
    if (session === undefined) return reply.redirect(loginPathBefore(request.url))
    const { defaultOrganization } = organizations
    const { supportPhone } = defaultOrganization.companyInfo
    const data: ConsolePage = {
      version: config.version,
      demonstration: !config.production,
      supportPhone,
    }
    const nonce = randomBytes(16).toString('base64url')
    const headers = pageHeaders(
      nonce,
      { ...config, bannersUrl: undefined },
      { kind: 'off' },
      'none',
    )
    return reply
      .headers(headers)
      .type('text/html; charset=utf-8')
      .send(
        htmlDocument({
          page: {
            label: null,
            organization: organizationInfo(defaultOrganization, visitor.linkOrigin),
            supportPhone,
          },
          data,
          title: 'Operator console',
          html: '',
          entry: deps.console.entry(nonce),
          nonce,
          appearance: CONSOLE_APPEARANCE,
          robots: 'none',
        }),
      )
  }

  const own = { config: { impersonation: 'own' } } as const
  edge.app.get(CONSOLE_PATH, own, sendConsole)
  edge.app.get(`${CONSOLE_PATH}/*`, own, sendConsole)
}
