import { Refusal } from '@portico/contracts/errors'
import { createShortLink, SHORT_LINK_LIFETIME_MS } from '@portico/contracts/short-links'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../clock.ts'
import { COSTLY } from '../http/rate-limits.ts'
import { type Edge, enforceRateLimit, serve } from '../http/serve.ts'
import { randomSecret, sha256 } from '../secrets/hashes.ts'
import type { Vault } from '../secrets/vault.ts'
import { connectionUri } from './connection-uri.ts'
import type { shortLinksStore } from './short-links.store.ts'

const PURPOSE = 'short link'

/**
 * Short links to the mobile wallet (§7.4). A link leads only to a wallet connection. Because the connection contains its
 * key, the database stores only the link's hash and the encrypted connection.
 */
export function shortLinks(
  edge: Edge,
  deps: {
    readonly store: ReturnType<typeof shortLinksStore>
    readonly vault: Vault
    readonly clock: Clock
  },
): void {
  const { store, vault, clock } = deps

  edge.app.register(async (scope) => {
    parseTextAsJson(scope)
    serve(
      { ...edge, app: scope },
      createShortLink,
      async ({ body, visitor }) => {
        const uri = connectionUri(body.longDynamicLink, visitor.origin)
        if (uri === undefined) {
          throw new Refusal('invalid-request', {
            errors: ['longDynamicLink: must be a link that opens the mobile wallet'],
          })
        }
        const id = randomSecret()
        await store.insert({
          idHash: sha256(id),
          wrapped: vault.wrap(PURPOSE, uri),
          expiresAt: clock() + SHORT_LINK_LIFETIME_MS,
        })
        return { shortLink: `${visitor.origin}${createShortLink.path}/${id}` }
      },
      COSTLY,
    )
  })

  edge.app.get(`${createShortLink.path}/:id`, async (request, reply) => {
    const { network } = edge.visitor(request, reply)
    await enforceRateLimit(edge.rateLimit, `short-link ${network}`, COSTLY)
    const { id } = request.params as { id: string } // Declared in the route's path.
    const wrapped = await store.find(sha256(id), clock())
    if (wrapped === undefined) throw new Refusal('not-found')
    const uri = vault.unwrap(PURPOSE, wrapped)
    return reply
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'no-referrer')
      .redirect(`/mobile-wallet?data=${encodeURIComponent(uri)}`)
  })
}

/** Parses bodies as JSON if their content type is text or missing. */
function parseTextAsJson(scope: FastifyInstance): void {
  const parse = scope.getDefaultJsonParser('error', 'error')
  scope.addContentTypeParser('text/plain', { parseAs: 'string' }, parse)
  scope.addContentTypeParser('*', { parseAs: 'string' }, (request, text: string, done) => {
    if (request.headers['content-type'] === undefined) void parse(request, text, done)
    else done(new Refusal('unsupported-media-type'))
  })
}
