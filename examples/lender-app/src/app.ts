import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import { requireSession, sessionOf, signInRoutes } from '@portico/sdk/fastify'
import { openSignIn, PorticoError, verifyWebhook } from '@portico/sdk/server'
import fastify, { type FastifyReply } from 'fastify'
import type { Database } from './database.ts'
import { activityPage, loanPage, messagePage, payPage, welcomePage } from './pages.ts'
import { sqliteSessions } from './sessions.ts'

/** A payment requires a second factor from the last five minutes. */
const PAYMENT = { acr: 'two-factor', maxAgeS: 300 } as const

export interface AppOptions {
  /** Portico's origin. */
  readonly porticoUrl: string
  /** This application's own origin. */
  readonly appUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly database: Database
}

export const webhookSecret = (database: Database) => `whsec_${database.secret('webhooks')}`

/** Builds the application without listening. */
export function buildApp({ porticoUrl, appUrl, clientId, clientSecret, database }: AppOptions) {
  const signIn = openSignIn({
    issuer: `${porticoUrl}/oidc`,
    clientId,
    clientSecret,
    appUrl,
    cookieSecret: database.secret('cookies'),
    store: sqliteSessions(database.connection),
    log: (error) => app.log.warn(error),
  })
  const app = fastify({ logger: { level: 'warn' } })

  app.addHook('onSend', async (_request, reply) => {
    void reply.headers({
      'content-security-policy': [
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'",
        "img-src data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
        // A logout continues at Portico.
        `form-action 'self' ${porticoUrl}`,
      ].join('; '),
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    // Pages show a loan and must not be cached.
    if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-store')
  })
  const send = (reply: FastifyReply, page: string) =>
    reply.type('text/html; charset=utf-8').send(page)

  void app.register(signInRoutes(signIn))

  app.get('/', async (request, reply) => {
    const session = await signIn.session(request.headers)
    if (session !== undefined) return reply.redirect('/loan', 303)
    const { signIn: failure } = request.query as { signIn?: unknown }
    return send(reply, welcomePage(typeof failure === 'string' ? failure : undefined))
  })

  app.get('/loan', { preHandler: requireSession(signIn) }, (request, reply) => {
    const session = sessionOf(request)
    const installments = database.listInstallments(session.claims.sub)
    const { paid } = request.query as { paid?: string }
    const paidNow = installments.find(
      (each) => String(each.number) === paid && each.paidAt !== null,
    )
    return send(reply, loanPage(session, { installments, paid: paidNow?.number }))
  })

  const installmentOf = (sub: string, params: unknown) =>
    database
      .listInstallments(sub)
      .find(({ number }) => String(number) === (params as { number: string }).number)

  app.get('/pay/:number', { preHandler: requireSession(signIn, PAYMENT) }, (request, reply) => {
    const session = sessionOf(request)
    const installment = installmentOf(session.claims.sub, request.params)
    if (installment === undefined) return reply.callNotFound()
    return send(reply, payPage(session, installment))
  })

  void app.register(async (forms) => {
    // The forms have no fields: the URL identifies the installment.
    forms.removeAllContentTypeParsers()
    forms.addContentTypeParser('*', (_request, _payload, done) => done(null))
    forms.post('/pay/:number', async (request, reply) => {
      if (!signIn.isSameOrigin(request.headers)) {
        return send(
          reply.code(403),
          messagePage(undefined, {
            title: 'This payment was not made',
            text: 'It did not come from our own page. Go to your loan and pay there.',
          }),
        )
      }
      const session = await signIn.session(request.headers)
      if (session === undefined || !signIn.meets(session, PAYMENT)) {
        // The second factor is now too old. The user returns to the page with the button.
        return reply.redirect(signIn.loginPath({ ...PAYMENT, returnTo: request.url }), 303)
      }
      const { sub } = session.claims
      const installment = installmentOf(sub, request.params)
      if (installment === undefined) return reply.callNotFound()
      // A second press changes nothing and shows the same page.
      database.payInstallment(sub, installment.number)
      return reply.redirect(`/loan?paid=${installment.number}`, 303)
    })
  })

  app.get('/activity', { preHandler: requireSession(signIn) }, (request, reply) => {
    const session = sessionOf(request)
    return send(reply, activityPage(session, database.listEvents(session.claims.sub)))
  })

  void app.register(async (webhooks) => {
    // The signature covers the raw body.
    webhooks.removeAllContentTypeParsers()
    webhooks.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    )
    webhooks.post('/webhooks', (request, reply) => {
      const { id, type, timestamp, data } = verifyWebhook(webhookSecret(database), {
        headers: request.headers,
        body: String(request.body),
      })
      database.insertEvent({ id, type, happenedAt: timestamp, sub: data.identityId ?? null })
      return reply.code(204).send()
    })
  })

  for (const [name, type, content] of assets()) {
    app.get(`/assets/${name}`, (_request, reply) =>
      reply.type(type).header('cache-control', 'max-age=3600').send(content),
    )
  }

  app.setNotFoundHandler(async (request, reply) =>
    send(
      reply.code(404),
      messagePage(await signIn.session(request.headers).catch(() => undefined), {
        title: 'There is no such page',
        text: 'The address may be wrong or old.',
      }),
    ),
  )

  app.setErrorHandler((error, request, reply) => {
    if (error instanceof PorticoError && error.code === 'invalid-webhook') {
      return reply.code(400).send({ code: error.code })
    }
    const { statusCode = 500 } = error as { statusCode?: number }
    const isUnavailable = error instanceof PorticoError && error.code === 'unavailable'
    if (!isUnavailable && statusCode < 500) return reply.code(statusCode).send()
    request.log.error(error)
    return send(
      reply.code(isUnavailable ? 503 : 500),
      messagePage(undefined, {
        title: 'This does not work at the moment',
        text: 'Your money is safe. Try again in a minute.',
      }),
    )
  })

  return app
}

/** The style sheets, the font, and the scripts with their types stripped by Node. */
function assets(): readonly (readonly [name: string, type: string, content: string | Buffer])[] {
  const read = (specifier: string) =>
    readFileSync(fileURLToPath(import.meta.resolve(specifier)), 'utf8')
  const script = (specifier: string) => stripTypeScriptTypes(read(specifier))
  const font = '@fontsource-variable/public-sans/files/public-sans-latin-wght-normal.woff2'
  return [
    ['tokens.css', 'text/css', read('@portico/ui/tokens.css')],
    ['style.css', 'text/css', read('./style.css')],
    // Browsers cannot resolve package names, so the import becomes a path.
    [
      'page-script.js',
      'text/javascript',
      script('./page-script.ts').replace('@portico/sdk/browser', './portico-browser.js'),
    ],
    ['portico-browser.js', 'text/javascript', script('@portico/sdk/browser')],
    ['public-sans.woff2', 'font/woff2', readFileSync(fileURLToPath(import.meta.resolve(font)))],
  ]
}
