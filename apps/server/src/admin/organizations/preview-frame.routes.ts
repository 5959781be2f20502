/**
 * The frame of the console's live preview: the applications' own views in sample states, which get their brand from the
 * embedding page. Its policy gives it an opaque origin, so a hostile style sheet, text or image has no cookies, storage,
 * network or access to the console.
 */
import { randomBytes } from 'node:crypto'
import { Refusal } from '@portico/contracts/errors'
import { PREVIEW_PATH, PREVIEW_READY } from '@portico/contracts/preview'
import { isEmpty } from '@portico/rules/operator-permissions'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Brands } from '../../brands/brands.ts'
import { contentSecurityPolicy, hashSource } from '../../http/security-headers.ts'
import { previewEntry } from '../../pages/application.ts'
import { htmlDocument } from '../../pages/document.ts'
import type { AdminEdge } from '../serve-admin.ts'
import { previewPage } from './preview-brand.ts'

/** The applications whose screens show an organization's brand. */
const PREVIEW_APPS = ['auth', 'portal', 'wallet'] as const

/** Shows the mail that the embedding page posts, without running the mail's scripts. */
const MAIL_SCRIPT = `(() => {
  const policy = window.trustedTypes?.createPolicy('portico', { createHTML: (html) => html })
  addEventListener('message', ({ source, data }) => {
    if (source !== parent || typeof data?.mail !== 'string') return
    const html = policy ? policy.createHTML(data.mail) : data.mail
    const mail = new DOMParser().parseFromString(html, 'text/html')
    document.documentElement.replaceWith(document.adoptNode(mail.documentElement))
  })
  addEventListener('click', (event) => event.preventDefault(), true)
  parent.postMessage('${PREVIEW_READY}', '*')
})()`

/** The common policy of both frames: scripts, an opaque origin, framed only by the console. */
const SANDBOX = {
  sandbox: 'allow-scripts',
  'frame-ancestors': "'self'",
  'trusted-types': 'portico',
} as const

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'x-frame-options': 'SAMEORIGIN',
  'cache-control': 'no-store',
}

export function previewFrames(edge: AdminEdge, brands: Brands): void {
  const entries = new Map(
    PREVIEW_APPS.map((name) => [name as string, previewEntry(edge.app, name)]),
  )

  /** @throws Refusal - without an operator who may read organizations */
  async function assertOperator(request: FastifyRequest, reply: FastifyReply) {
    const visitor = edge.visitor(request, reply)
    const session = await edge.sessions.ofCookie(visitor.ownSessionCookie)
    if (session === undefined) throw new Refusal('not-found')
    const { operator, access } = await edge.operators.ofSession(session)
    if (access !== 'granted' || isEmpty(operator.scopeOf('organizations.read'))) {
      throw new Refusal('not-found')
    }
    return visitor
  }

  edge.app.get(`${PREVIEW_PATH}/mail`, async (request, reply) => {
    await assertOperator(request, reply)
    return reply
      .headers({
        ...HEADERS,
        'content-security-policy': contentSecurityPolicy({
          ...SANDBOX,
          'script-src': hashSource(MAIL_SCRIPT),
          'style-src': "'unsafe-inline'",
        }),
      })
      .send(
        `<!doctype html><html lang="en"><head><title>Mail</title></head><body><script>${MAIL_SCRIPT}</script></body></html>`,
      )
  })

  edge.app.get(`${PREVIEW_PATH}/:application/:screen`, async (request, reply) => {
    // The route's pattern has it. The page itself finds the screen in its path.
    const { application } = request.params as { application: string }
    const { linkOrigin } = await assertOperator(request, reply)
    const entry = entries.get(application)
    if (entry === undefined) throw new Refusal('not-found')
    const { defaultOrganization } = brands.organizations
    const nonce = randomBytes(16).toString('base64url')
    return reply
      .headers({
        ...HEADERS,
        'content-security-policy': contentSecurityPolicy({
          ...SANDBOX,
          'script-src': `'nonce-${nonce}' 'strict-dynamic'`,
          'style-src': `'self' 'nonce-${nonce}'`,
          'img-src': "'self' data:",
          'font-src': "'self'",
        }),
      })
      .send(
        htmlDocument({
          page: previewPage(brands, defaultOrganization, { origin: linkOrigin }),
          title: 'Preview',
          html: '',
          entry,
          nonce,
          appearance: { ...brands.appearanceOf(defaultOrganization), styleSheet: undefined },
          robots: 'none',
          isSandboxed: true,
        }),
      )
  })
}
