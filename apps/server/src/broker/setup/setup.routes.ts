/** Routes for an organization's administrator to set up its identity provider. */
import type { UserType } from '@portico/contracts/broker'
import * as calls from '@portico/contracts/sso-setup'
import type { Logger } from 'pino'
import type { Experiments } from '../../experiments/experiments.ts'
import { COSTLY } from '../../http/rate-limits.ts'
import { type Edge, type RateLimitRule, serve } from '../../http/serve.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { Stores, TransactionalStores } from '../../stores.ts'
import type { OpenProvider } from '../providers.ts'
import { enableProviders } from './enable-provider.ts'
import type { ResolveTxt } from './resolve-txt.ts'
import { type SaveDeps, saveSetup } from './save-setup.ts'
import { setupDomains } from './setup-domains.ts'
import { type SetupSession, setupSessions } from './setup-session.ts'
import { viewOf } from './setup-view.ts'
import { testSignIns } from './test-sign-in.ts'

/** Tokens cannot be guessed; this limits the cost of a flood of attempts. */
const OPENINGS: RateLimitRule = { allowed: 60, windowMs: 10 * 60 * 1000 }

interface SetupDeps extends SaveDeps {
  readonly stores: TransactionalStores<
    | 'audit'
    | 'directoryTokens'
    | 'directoryUsers'
    | 'providers'
    | 'providerSetups'
    | 'providerTests'
    | 'sessions'
    | 'setupLinks'
  >
  readonly log: Logger
  readonly experiments: Pick<Experiments, 'decide'>
  readonly openProvider: OpenProvider
  readonly resolveTxt: ResolveTxt
  /** Makes a token for the directory of a provider, in a transaction. */
  readonly createDirectoryToken: (
    transaction: Pick<Stores, 'directoryTokens' | 'providers'>,
    request: { readonly providerId: string; readonly at: number },
  ) => Promise<string>
}

interface SetupExchange {
  readonly query: { readonly userType: UserType }
  readonly visitor: Visitor
}

export function providerSetup(edge: Edge, deps: SetupDeps): void {
  const { stores, vault, experiments } = deps
  const sessions = setupSessions(deps)
  const saving = saveSetup(deps)
  const domains = setupDomains(deps)
  const tests = testSignIns(deps)
  const enabling = enableProviders(deps)
  const view = (session: SetupSession, visitor: Visitor) =>
    viewOf(session, { stores, vault, experiments, visitor })
  /** The setup after a change. */
  const current = async ({ query, visitor }: SetupExchange) =>
    view(await sessions.authenticate(query.userType, visitor), visitor)

  serve(
    edge,
    calls.openSetup,
    async ({ body, visitor }) => view(await sessions.open(body.token, visitor), visitor),
    OPENINGS,
  )
  serve(edge, calls.readSetup, current)

  serve(edge, calls.chooseProvider, async ({ body, query, visitor }) => {
    const session = await sessions.authenticate(query.userType, visitor)
    return view({ ...session, setup: await saving.choose(session, body) }, visitor)
  })
  serve(edge, calls.saveOpenId, async ({ body, query, visitor }) => {
    const session = await sessions.authenticate(query.userType, visitor)
    return view({ ...session, setup: await saving.saveOpenId(session, body, visitor) }, visitor)
  })
  serve(
    edge,
    calls.saveSaml,
    async ({ body, query, visitor }) => {
      const session = await sessions.authenticate(query.userType, visitor)
      return view({ ...session, setup: await saving.saveSaml(session, body, visitor) }, visitor)
    },
    COSTLY,
  )
  serve(edge, calls.saveAttributes, async ({ body, query, visitor }) => {
    const session = await sessions.authenticate(query.userType, visitor)
    return view({ ...session, setup: await saving.saveAttributes(session, body) }, visitor)
  })

  serve(edge, calls.addDomain, async ({ body, query, visitor }) => {
    await domains.add(await sessions.authenticate(query.userType, visitor), body.domain)
    return current({ query, visitor })
  })
  serve(edge, calls.removeDomain, async ({ body, query, visitor }) => {
    await domains.remove(await sessions.authenticate(query.userType, visitor), body.domain, visitor)
    return current({ query, visitor })
  })
  serve(
    edge,
    calls.checkDomain,
    async ({ body, query, visitor }) => {
      const session = await sessions.authenticate(query.userType, visitor)
      const check = await domains.check(session, body.domain, visitor)
      return { setup: await current({ query, visitor }), check }
    },
    COSTLY,
  )

  serve(
    edge,
    calls.beginTest,
    async ({ body, query, visitor }) => {
      const session = await sessions.authenticate(query.userType, visitor)
      const redirect = await tests.begin(session, body.version, visitor)
      return { setup: await current({ query, visitor }), redirect }
    },
    COSTLY,
  )
  serve(edge, calls.enableProvider, async ({ body, query, visitor }) => {
    await enabling.enable(
      await sessions.authenticate(query.userType, visitor),
      body.version,
      visitor,
    )
    return current({ query, visitor })
  })
  serve(edge, calls.disableProvider, async ({ body, query, visitor }) => {
    await enabling.disable(
      await sessions.authenticate(query.userType, visitor),
      body.version,
      visitor,
    )
    return current({ query, visitor })
  })
  serve(
    edge,
    calls.createDirectoryToken,
    async ({ query, visitor }) => {
      const { provider } = await sessions.authenticate(query.userType, visitor)
      const at = deps.clock()
      const token = await stores.atomically(async (transaction) => {
        const request = { providerId: provider.id, at }
        const created = await deps.createDirectoryToken(transaction, request)
        await transaction.audit.record('directory-token-created', { identityId: null, at }, visitor)
        return created
      })
      return { setup: await current({ query, visitor }), token }
    },
    COSTLY,
  )
  serve(edge, calls.revokeDirectoryToken, async ({ body, query, visitor }) => {
    const { provider } = await sessions.authenticate(query.userType, visitor)
    const at = deps.clock()
    await stores.atomically(async (transaction) => {
      if (!(await transaction.directoryTokens.delete(provider.id, [body.id]))) return
      await transaction.audit.record('directory-token-revoked', { identityId: null, at }, visitor)
    })
    return current({ query, visitor })
  })
}
