/**
 * Restricts sessions in which an operator views a person's pages to reading. Every request of such a session is checked
 * here, including routes that are not declared calls. Writes are refused unless their declaration allows them, and so are
 * the few reads that would grant access to something.
 */
import { Refusal } from '@portico/contracts/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Sessions } from '../sessions/sessions.ts'
import { setViewing } from './viewing.ts'
import type { Visitor } from './visitor.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * `own`: the route always uses the browser's own session. `allowed` and `refused`: for an operator who views a person's
     * pages. By default, reads are allowed.
     */
    impersonation?: 'own' | 'allowed' | 'refused'
  }
}

const READING_METHODS = ['GET', 'HEAD', 'OPTIONS']

/** Adds the check to all routes registered afterwards. */
export function guardImpersonation(
  app: FastifyInstance,
  {
    visitor: visitorOf,
    sessions,
  }: {
    readonly visitor: (request: FastifyRequest, reply: FastifyReply) => Visitor
    readonly sessions: Pick<Sessions, 'ofCookie'>
  },
): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!mayHaveViewingCookie(request)) return
    const visitor = visitorOf(request, reply)
    if (visitor.sessionCookie?.kind !== 'viewing') return
    const session = await sessions.ofCookie(visitor.sessionCookie)
    if (session?.operator === undefined) {
      visitor.dropViewing()
      return
    }
    const { identityId, operator } = session
    setViewing(request, { identityId, operatorId: operator.id })
    if (!isAllowed(request)) throw new Refusal('impersonation-read-only')
  })
}

/** Avoids parsing the cookies of all other requests. */
const mayHaveViewingCookie = ({ headers }: FastifyRequest) =>
  headers.cookie?.includes('portico-viewing=') === true

function isAllowed({ method, routeOptions }: FastifyRequest): boolean {
  const rule = routeOptions.config.impersonation
  return rule === undefined ? READING_METHODS.includes(method) : rule === 'allowed'
}
