/** The calls of §7.5, and the callback to which identity providers return the browser. */
import { BROKER, BROKER_PATH, USER_TYPES } from '@portico/contracts/broker'
import { ROUTER_BASE } from '@portico/contracts/limits'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Brands } from '../brands/brands.ts'
import { COSTLY } from '../http/rate-limits.ts'
import { type Edge, enforceRateLimit, serve } from '../http/serve.ts'
import { beginProviderLogin } from './begin-login.ts'
import { brokerSession } from './broker-session.ts'
import { type BrokerDeps, completeProviderLogin } from './complete-login.ts'
import { linkAccount } from './link-account.ts'
import { sendRefusalPage } from './refusal-page.ts'

/** The pages to which the callback leads. */
const LOGIN_PATH = `${ROUTER_BASE}/login`

export function broker(edge: Edge, deps: BrokerDeps & { readonly brands: Brands }): void {
  const begin = beginProviderLogin(deps)
  const complete = completeProviderLogin(deps)
  const link = linkAccount(deps)
  const session = brokerSession({ ...deps, sessions: edge.sessions })

  for (const userType of USER_TYPES) {
    const { beginLogin, redeemLogin, linkAccount, readIdentity, logOut } = BROKER[userType]
    serve(edge, beginLogin, ({ body, visitor }) => begin(userType, body, visitor), COSTLY)
    serve(
      edge,
      redeemLogin,
      ({ body, visitor }) => session.redeem(userType, body.state, visitor),
      COSTLY,
    )
    serve(edge, linkAccount, ({ body, visitor }) => link(userType, body, visitor), COSTLY)
    serve(edge, readIdentity, (exchange) => session.readIdentity(userType, exchange.session))
    serve(edge, logOut, (exchange) => session.logOut(userType, exchange.session, exchange.visitor))
  }

  edge.app.get(
    `${BROKER_PATH}/:userType/callback/:providerId`,
    async (request: FastifyRequest, reply: FastifyReply) => {
      const visitor = edge.visitor(request, reply)
      await enforceRateLimit(edge.rateLimit, `provider callback ${visitor.network}`, COSTLY)
      const { userType, providerId } = request.params as { userType: string; providerId: string }
      const { state } = request.query as { state?: unknown }
      const brought = {
        userType,
        providerId,
        state: typeof state === 'string' ? state : undefined,
        requestId: request.id,
        search: /\?.*$/.exec(request.url)?.[0] ?? '',
      }
      const completed = await complete(brought, visitor)
      const { provider } = completed
      const organization =
        provider === undefined
          ? visitor.organization
          : visitor.senderTo(provider.organizationCode).organization
      if (completed.kind === 'refused') {
        return sendRefusalPage(reply, completed, deps.brands.appearanceOf(organization))
      }
      const query = new URLSearchParams({
        state: brought.state ?? '',
        orgCode: organization.orgCode,
        ...(completed.kind === 'linkable' ? { step: 'link' } : {}),
      })
      return reply.header('cache-control', 'no-store').redirect(`${LOGIN_PATH}?${query}`)
    },
  )
}
