/**
 * The demonstration: the development chain, seeded people, the mailbox, the gallery and example pages of the lender. A
 * production process never imports this module.
 */

import type { ChainNode } from '@portico/chain-client/chain'
import type { ChainTables } from '@portico/development-chain/tables'
import type { Logger } from 'pino'
import type { Brands } from '../brands/brands.ts'
import type { ResolveTxt } from '../broker/setup/resolve-txt.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { type Edge, enforceRateLimit, type RateLimitRule } from '../http/serve.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Vault } from '../secrets/vault.ts'
import { networkOfPrefix } from '../secrets/wallet-key.ts'
import type { AllStores } from '../stores.ts'
import { apiReference } from './api-reference.routes.ts'
import { gallery } from './gallery.routes.ts'
import { identityProvider } from './identity-provider.routes.ts'
import { lenderPages } from './lender-pages.ts'
import { mailbox } from './mailbox.routes.ts'
import { ALDER_THRESHOLD } from './people.ts'
import { seedProviders } from './providers.ts'
import { samlIdentityProvider } from './saml-identity-provider.routes.ts'
import { alderAddress, seedPeople } from './seed.ts'
import { demonstrationSetup } from './sso-setup.routes.ts'
import { webhookReceivers } from './webhook-receivers.routes.ts'

const CHAIN_PATH = '/chain'
const CHAIN_RATE_LIMIT: RateLimitRule = { allowed: 1200, windowMs: 60_000 }
const FAUCET_PATH = '/faucet'
/** The faucet pays each address once an hour; this limits how many addresses one network can fund. */
const FAUCET_RATE_LIMIT: RateLimitRule = { allowed: 10, windowMs: 3_600_000 }

interface DemonstrationDeps {
  readonly config: Config
  readonly database: Database
  readonly stores: AllStores
  readonly brands: Brands
  readonly vault: Vault
  readonly clock: Clock
  readonly outbox: Outbox
  readonly log: Logger
}

/** Starts the demonstration. Returns the development chain, unless a node is configured, and the demonstration's DNS. */
export async function startDemonstration(
  edge: Edge,
  deps: DemonstrationDeps,
): Promise<{ readonly chain: ChainNode | undefined; readonly resolveTxt: ResolveTxt }> {
  const { config, brands } = deps
  const { organizations } = brands
  await seedPeople({ ...deps, organizations, network: networkOfPrefix(config.addressPrefix) })
  await seedProviders(deps)
  identityProvider(edge, deps.log)
  samlIdentityProvider(edge, deps)
  mailbox(edge.app, {
    ...deps,
    linkOriginOf: (request, reply) => edge.visitor(request, reply).linkOrigin,
  })
  const resolveTxt = demonstrationSetup(edge, deps)
  webhookReceivers(edge, { ...deps, organizations })
  gallery(edge, deps)
  apiReference(edge.app)
  if (config.lenderAppUrl === undefined) lenderPages(edge, brands)
  const chain = config.chainUrl === undefined ? await startDevelopmentChain(edge, deps) : undefined
  return { chain, resolveTxt }
}

/** Starts the development chain with the groups of the seeded people, and serves it publicly, like a real node. */
async function startDevelopmentChain(
  edge: Edge,
  { config, database, stores, clock }: DemonstrationDeps,
): Promise<ChainNode> {
  const { openDevelopmentChain } = await import('@portico/development-chain')
  const network = networkOfPrefix(config.addressPrefix)
  const chain = await openDevelopmentChain({
    database: database.$extendTables<ChainTables>().$pickTables<keyof ChainTables>(),
    clock,
    network,
  })
  const alder = await alderAddress(network)
  const groups = Map.groupBy(await stores.accounts.listGroups(), ({ address }) => address)
  await chain.seedGroups(
    [...groups].map(([address, rows]) => ({
      address,
      name: rows[0]?.name ?? '',
      members: rows.map((row) => row.walletAddress),
      threshold: address === alder ? ALDER_THRESHOLD : 1,
    })),
  )
  edge.app.route({
    method: ['GET', 'POST'],
    url: `${CHAIN_PATH}/*`,
    handler: async (request, reply) => {
      const { network } = edge.visitor(request, reply)
      await enforceRateLimit(edge.rateLimit, `chain ${network}`, CHAIN_RATE_LIMIT)
      const path = request.url.slice(CHAIN_PATH.length)
      if (path === FAUCET_PATH) {
        await enforceRateLimit(edge.rateLimit, `faucet ${network}`, FAUCET_RATE_LIMIT)
      }
      const body = request.method === 'POST' ? (request.body ?? null) : undefined
      const { status, content } = await chain.request(path, body)
      return reply
        .code(status)
        .headers({
          'access-control-allow-origin': '*',
          'cross-origin-resource-policy': 'cross-origin',
          'cache-control': 'no-store',
        })
        .send(content)
    },
  })
  return chain.request
}
