/** Builds the server: every module, in order, with its dependencies. */

import { randomUUID } from 'node:crypto'
import { openChain } from '@portico/chain-client/chain'
import { httpChainNode } from '@portico/chain-client/http-chain-node'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { Counter, Gauge, Registry } from 'prom-client'
import * as z from 'zod/mini'
import { adminActRequests } from './admin/act-requests/act-requests.routes.ts'
import { actRequests } from './admin/act-requests/act-requests.ts'
import { adminAudit } from './admin/audit/audit.routes.ts'
import { adminBanners } from './admin/banners/banners.routes.ts'
import { openPublishedBanners } from './admin/banners/published-banners.ts'
import { adminExperiments } from './admin/experiments/experiments.routes.ts'
import { idempotentWrites } from './admin/idempotency.ts'
import { startCounting } from './admin/insight/count-insight.ts'
import { adminInsight } from './admin/insight/insight.routes.ts'
import { adminOperations } from './admin/operations/operations.routes.ts'
import { startReporting } from './admin/operations/operations.ts'
import { adminOperators } from './admin/operators/operators.routes.ts'
import { openOperators } from './admin/operators/operators.ts'
import { lockedFields } from './admin/organizations/locked-fields.ts'
import { nameProofs } from './admin/organizations/name-proofs.ts'
import { adminOrganizations } from './admin/organizations/organizations.routes.ts'
import { previewFrames } from './admin/organizations/preview-frame.routes.ts'
import { openPublishedBrands } from './admin/organizations/published-brands.ts'
import { endExpiredViews } from './admin/people/impersonate.ts'
import { adminPeople } from './admin/people/people.routes.ts'
import { pollPublications } from './admin/poll-publications.ts'
import type { AdminEdge } from './admin/serve-admin.ts'
import { startSealing } from './audit/audit-chain.ts'
import { boundedAudit } from './audit/bounded-audit.ts'
import { noteRefusals } from './audit/note-refusals.ts'
import { banners } from './banners/banners.routes.ts'
import { bannersAddress } from './banners/banners.ts'
import { botCheckOf } from './bot-check/bot-check.ts'
import { serveBrandFiles } from './brands/brands.ts'
import { broker } from './broker/broker.routes.ts'
import { ownProviderLogins } from './broker/login-state.ts'
import { openProviders } from './broker/providers.ts'
import { startCertificateWarnings } from './broker/setup/certificate-warnings.ts'
import { txtResolver } from './broker/setup/resolve-txt.ts'
import { providerSetup } from './broker/setup/setup.routes.ts'
import { chainProxy } from './chain/chain-proxy.routes.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import { mailSetupLink } from './create-setup-link.ts'
import { copierOf, openDatabase } from './database/database.ts'
import { startHousekeeping } from './database/housekeeping.ts'
import { claimDatabase } from './database/installation.ts'
import { databaseMetrics } from './database/metrics.ts'
import { experimentRoutes } from './experiments/experiments.routes.ts'
import { openExperiments } from './experiments/experiments.ts'
import { removeFile } from './file-storage/file-storage.ts'
import { openFileStorage } from './file-storage/open-file-storage.ts'
import { handleErrors } from './http/error-responses.ts'
import { httpServer } from './http/http-server.ts'
import { guardImpersonation } from './http/impersonation.ts'
import { trustedProxies } from './http/network.ts'
import type { Edge } from './http/serve.ts'
import type { RefusedUpgrade } from './http/upgrade.ts'
import { visitors } from './http/visitor.ts'
import { accountSecurity } from './identity/account-security/account-security.routes.ts'
import { admission } from './identity/admission.ts'
import { breachCheck } from './identity/breached-passwords.ts'
import { identity } from './identity/identity.routes.ts'
import { signOut } from './identity/logout.ts'
import { passkeys } from './identity/passkeys/passkeys.routes.ts'
import { twoFactor } from './identity/two-factor/two-factor.routes.ts'
import { leadPortal } from './lead-portal/lead-portal.routes.ts'
import { lenderApplication } from './lender-application/lender-application.routes.ts'
import { countedRateLimit } from './limits/metrics.ts'
import { inProcessRateLimit } from './limits/rate-limit.ts'
import { redisRateLimit } from './limits/redis-rate-limit.ts'
import { type Data, loadData } from './load-data.ts'
import { lockoutPages } from './lockout/lockout.routes.ts'
import { lockoutLinks } from './lockout/lockout-link.ts'
import { automaticSender } from './mail/layout.ts'
import { outboxMetrics } from './mail/metrics.ts'
import { openOutbox } from './mail/outbox.ts'
import { httpTextTransport } from './mail/text-transport.ts'
import { type MailTransport, mailTransport } from './mail/transport.ts'
import { manageOrganizations } from './manage-organizations.ts'
import { manageWebhooks } from './manage-webhooks.ts'
import { findPageSignIn } from './openid-provider/expired-sign-in.ts'
import { openidMetrics } from './openid-provider/metrics.ts'
import { openidProvider } from './openid-provider/openid-provider.routes.ts'
import { backlogMetrics } from './operations/backlog-metrics.ts'
import { logRequests } from './operations/log.ts'
import { loginMetrics as countingLogins } from './operations/login-metrics.ts'
import { managementServer } from './operations/management-server.ts'
import { processMetrics, requestMetrics } from './operations/metrics.ts'
import { metricsRoute, operations, referenceRoutes } from './operations/operations.routes.ts'
import { databaseReadiness } from './operations/readiness.ts'
import {
  type Application,
  builtApplication,
  builtMobileWallet,
  devApplication,
  devMobileWallet,
  isHotReload,
  type MobileWallet,
} from './pages/application.ts'
import { consolePage } from './pages/console.routes.ts'
import { mobileWallet } from './pages/mobile-wallet.routes.ts'
import { pages } from './pages/pages.routes.ts'
import { removeOrphans } from './passport/evidence/remove-orphans.ts'
import { passport } from './passport/passport.routes.ts'
import { passportGroups } from './passport/passport-groups.ts'
import { passportReader } from './passport/read-passport.ts'
import { pushRoutes } from './push/push.routes.ts'
import { openPush } from './push/push.ts'
import { openVapid } from './push/vapid.ts'
import { openRedis } from './redis/redis.ts'
import { inProcessExchange } from './relay/in-process-exchange.ts'
import { RELAY_LIMITS, type RelayLimits } from './relay/limits.ts'
import { relayMetrics } from './relay/metrics.ts'
import { redisExchange } from './relay/redis-exchange.ts'
import { relayRoutes } from './relay/relay.routes.ts'
import { openRelay } from './relay/relay.ts'
import { openWebhooks } from './relay/webhooks.ts'
import { directoryRefusals } from './scim/directory-refusals.ts'
import { scim } from './scim/scim.routes.ts'
import { createScimToken } from './scim/scim-tokens.ts'
import { openVault } from './secrets/vault.ts'
import { openSessions } from './sessions/sessions.ts'
import { shortLinks } from './short-links/short-links.routes.ts'
import { type AllStores, allStores } from './stores.ts'
import { telemetryMetrics } from './telemetry/metrics.ts'
import { telemetry } from './telemetry/telemetry.routes.ts'
import { openTokens } from './tokens/session-tokens.ts'
import { openTracing } from './tracing/open-tracing.ts'
import { SPAN_KINDS, traced } from './tracing/tracing.ts'
import { trackers } from './tracker/tracker.ts'
import { memberInvitations } from './wallet/organization/invite-members.ts'
import { openMemberships } from './wallet/organization/memberships.ts'
import { wallets } from './wallet/wallet.routes.ts'
import { webhookMetrics } from './webhooks/metrics.ts'
import { storeEndpoints } from './webhooks/webhook-endpoints.ts'
import { startWebhookSender } from './webhooks/webhook-sender.ts'

const EXPERIMENTS_INTERVAL_MS = 60 * 1000
/** How soon each node applies a run that an operator started or ended on another node. */
const RUNS_INTERVAL_MS = 2000
const CLOSE_IDLE_INTERVAL_MS = 50
/**
 * How long a session may act for a group before its wallet's membership is checked again. Passports and approvals of the hosted
 * wallet check it at each call.
 */
const MEMBERSHIP_FRESH_MS = 5000

export interface Server {
  readonly app: FastifyInstance
  /** The server of the management port, if one is configured. */
  readonly management: FastifyInstance | undefined
  /** The stores, for operator tools and tests that need more than the HTTP interface offers. */
  readonly stores: AllStores
  /** Copies the embedded database into a file. */
  readonly copyTo: ((file: string) => Promise<unknown>) | undefined
  /** Runs an operator's command to mail a link to set up an identity provider. */
  readonly mailSetupLink: (words: readonly string[]) => Promise<void>
  /** Runs an operator's command about organizations, given as JSON. Returns its output. */
  readonly manageOrganizations: (text: string) => Promise<string>
  /** Runs an operator's command about webhooks. Returns its output. */
  readonly manageWebhooks: (words: readonly string[]) => Promise<string>
  /** Stops accepting requests, finishes those in progress, stops sending mail and closes the database. */
  readonly close: () => Promise<void>
}

/** Parts that replace those built from the configuration. */
export interface ServerParts {
  readonly log: Logger
  readonly clock?: Clock
  /** Data files that are already loaded; by default they are read from the configuration's folder. */
  readonly data?: Data
  readonly mailTransport?: MailTransport
  /** Overrides of the relay's limits for one topic, connection or network. */
  readonly relayLimits?: Partial<RelayLimits>
  /** The applications; by default their builds are served. */
  readonly applications?: Readonly<
    Record<'auth' | 'console' | 'portal' | 'wallet', Application>
  > & {
    readonly mobile: MobileWallet
  }
}

/**
 * Builds the server without listening.
 *
 * @throws ConfigError - when the configuration, a data file or a build is invalid
 */
export async function buildServer(config: Config, parts: ServerParts): Promise<Server> {
  const { log, clock = Date.now } = parts
  // Without a locale, validation messages only say "Invalid input".
  z.config(z.locales.en())
  const {
    brands: fileBrands,
    brandSource,
    experiments: files,
    webhooks: endpoints,
    clients,
  } = parts.data ?? (await loadData(config))
  log.info(
    { on: files.filter(({ on }) => on).map(({ key, percent }) => ({ key, percent })) },
    'experiments loaded; changed files take effect after a restart',
  )
  const vault = openVault(config)
  const metrics = new Registry()
  const tracing = openTracing(config, metrics, log)
  const database = await openDatabase(config, databaseMetrics(metrics))
  // Closed if a later step of the start fails.
  await using opened = new AsyncDisposableStack()
  opened.defer(() => database.destroy())
  await claimDatabase(database, {
    mode: config.production ? 'production' : 'demonstration',
    at: clock(),
  })
  const stores = allStores(database)
  const experiments = openExperiments({
    files,
    serverUrl: config.experimentsUrl,
    runs: stores.experimentRuns,
    clock,
    log,
  })
  await experiments.refreshRuns()
  const publishedBrands = await openPublishedBrands({
    stores,
    source: brandSource,
    brands: fileBrands,
    locked: lockedFields(config.organizationsLocked),
    log,
  })
  const publishedBanners = await openPublishedBanners({ stores, clock })
  const { brands } = publishedBrands
  const { organizations } = brands
  const storage = await openFileStorage(config)
  const failedCommands = new Counter({
    name: 'portico_redis_commands_failed_total',
    help: 'Commands that Redis refused, or that were lost with a connection.',
    registers: [metrics],
  })
  const redis =
    config.redisUrl === undefined
      ? undefined
      : await openRedis(config.redisUrl, log, () => failedCommands.inc())

  const transport = parts.mailTransport ?? (await mailTransport(config))
  const textTransport = config.smsUrl === undefined ? undefined : httpTextTransport(config.smsUrl)
  const outbox = openOutbox({
    stores,
    vault,
    clock,
    from: config.mailFrom,
    transport,
    textTransport,
    mailbox: !config.production,
    countAttempt: outboxMetrics(metrics),
    startTrace: tracing.startTrace,
    log,
  })
  if (!outbox.canSendTexts) {
    log.warn('SMS_URL is not set: users cannot add a phone, and no codes are sent by text message')
  }
  const tokens = await openTokens({
    stores,
    vault,
    clock,
    // §3: the provider's own domain.
    issuer: new URL(config.publicUrl ?? 'http://localhost').hostname,
    randomId: randomUUID,
  })
  // The development chain needs the sessions, so it is added below.
  const chainNode = config.chainUrl === undefined ? undefined : httpChainNode(config.chainUrl)
  let chain = openChain(
    chainNode &&
      ((path, body) => traced('outgoing call', () => chainNode(path, body), SPAN_KINDS.client)),
  )
  const inviteMembers = memberInvitations({
    organizations,
    senderOf: (organization) => automaticSender(organization, config),
    outbox,
  })
  const memberships = openMemberships({ stores, inviteMembers, chain: () => chain, clock, log })
  const refreshGroup = (address: string) => memberships.refresh(address, MEMBERSHIP_FRESH_MS)
  const sessions = openSessions({ stores, tokens, clock, refreshGroup })
  const botCheck = botCheckOf(config.botCheck, { vault, stores, clock, log })

  const isTrusted = trustedProxies(config.trustedProxies)
  const app = httpServer({
    log,
    isTrusted: config.trustedProxies.length === 0 ? undefined : isTrusted,
    publicUrl: config.publicUrl,
    startRequest: tracing.startRequest,
  })
  const supportOf = () => organizations.defaultOrganization.companyInfo
  handleErrors(app, supportOf)
  tracing.traceHandlers(app)
  logRequests(app)
  requestMetrics(app, metrics)

  const { publicUrl, trackingConsent: consent } = config
  const trackerOf = trackers({ consent, publicUrl })
  const visitor = visitors({ organizations, publicUrl })
  const ownRateLimit = inProcessRateLimit(clock)
  const rateLimit = countedRateLimit(
    redis === undefined ? ownRateLimit : redisRateLimit({ redis, clock, fallback: ownRateLimit }),
    metrics,
  )
  const bounded = boundedAudit({ stores, clock, log })
  const edge: Edge = { app, visitor, sessions, rateLimit, trackerOf, boundedAudit: bounded }
  noteRefusals(app, edge)
  guardImpersonation(app, edge)

  // In a demonstration without name servers, it answers names under `.example` itself.
  let resolveTxt = txtResolver(config.dnsServers)
  const operators = openOperators({ stores, clock })
  const admin: AdminEdge = {
    ...edge,
    operators,
    actRequests: actRequests({
      stores,
      operators,
      vault,
      clock,
      outbox,
      organizations,
      senderOf: (organization) => automaticSender(organization, config),
      needed: config.secondOperatorActs,
    }),
    once: idempotentWrites({ stores, vault, clock }),
    clock,
  }
  adminActRequests(admin)
  adminOperators(admin, { stores, organizations, clock })
  adminOrganizations(admin, {
    stores,
    publishedBrands,
    locked: lockedFields(config.organizationsLocked),
    ownHost: config.publicUrl && new URL(config.publicUrl).hostname,
    nameProofs: nameProofs({ vault, resolveTxt: (name) => resolveTxt(name), log }),
    clock,
  })
  previewFrames(admin, brands)
  adminInsight(admin, { stores, clock })
  adminAudit(admin, { stores })
  adminOperations(admin, {
    stores,
    engine: config.databaseUrl === undefined ? 'embedded' : 'postgresql',
    clock,
  })
  adminExperiments(admin, {
    stores,
    files,
    organizations,
    clock,
    refresh: experiments.refreshRuns,
    server: experiments.server,
  })

  const lockoutLink = lockoutLinks({ stores, vault, clock, outbox })
  lockoutPages(edge, lockoutLink)
  const { admit, requestSecondStep, startSession } = admission({ sessions, outbox, clock })
  const loginMetrics = countingLogins(metrics)
  const isBreached = breachCheck({ url: config.breachCheckUrl, log })
  identity(edge, {
    stores,
    organizations,
    tokens,
    vault,
    clock,
    outbox,
    botCheck,
    admit,
    isBreached,
    lockoutLink,
    loginMetrics,
  })
  twoFactor(edge, { stores, tokens, vault, clock, outbox, startSession, lockoutLink, loginMetrics })
  const groups = passportGroups({ stores, memberships })
  const { list: listPassports } = passportReader({ stores, groups, vault, clock })
  const accountDeps = {
    stores,
    vault,
    clock,
    outbox,
    listPassports,
    // Files that cannot be removed now are removed by housekeeping later.
    removeFile: (fileId: string) =>
      removeFile(storage, fileId).catch((error: unknown) =>
        log.warn({ err: error }, 'a file was not removed'),
      ),
  }
  accountSecurity(edge, accountDeps)
  adminPeople(admin, { ...accountDeps, organizations })
  passkeys(edge, {
    stores,
    vault,
    clock,
    outbox,
    tokens,
    startSession,
    admit,
    lockoutLink,
    loginMetrics,
  })
  const providerDeps = {
    hosts: config.identityProviderHosts,
    allowsOwnOrigin: !config.production,
  }
  const openProvider = openProviders({ vault, clock, log, ...providerDeps })
  broker(edge, {
    stores,
    brands,
    tokens,
    vault,
    clock,
    log,
    outbox,
    requestSecondStep,
    startSession,
    lockoutLink,
    loginMetrics,
    openProvider,
  })
  providerSetup(edge, {
    stores,
    vault,
    clock,
    log,
    experiments,
    openProvider,
    resolveTxt: (name) => resolveTxt(name),
    createDirectoryToken: createScimToken,
    ...providerDeps,
  })
  const refusals = directoryRefusals(stores)
  scim(edge, { stores, vault, clock, refusals })
  const openid = await openidProvider(edge, {
    stores,
    vault,
    clock,
    metrics: openidMetrics(metrics),
    log,
    clients: clients.filter(({ demonstration }) => !(demonstration && config.production)),
    publicUrl: config.publicUrl,
    brands,
    refreshGroup,
    signOut: signOut({ stores, sessions, clock }),
  })
  if (!config.production) {
    const { startDemonstration } = await import('./demonstration/demonstration.ts')
    const demonstrationDeps = { config, database, stores, brands, vault, clock, outbox, log }
    const demonstration = await startDemonstration(edge, demonstrationDeps)
    if (demonstration.chain !== undefined) chain = openChain(demonstration.chain)
    const resolveReal = resolveTxt
    if (config.dnsServers === undefined) {
      resolveTxt = (name) =>
        (name.endsWith('.example') ? demonstration.resolveTxt : resolveReal)(name)
    }
  }
  if (config.chainUrl !== undefined) chainProxy(edge, config.chainUrl)
  wallets(edge, {
    stores,
    tokens,
    vault,
    clock,
    addressPrefix: config.addressPrefix,
    tokenIssuers: config.walletTokenIssuers,
    chain,
    memberships,
    inviteMembers,
    outbox,
    transferLimits: config.hostedTransferLimits,
    organizations,
  })
  passport(edge, { stores, organizations, vault, clock, outbox, storage, log, groups })
  leadPortal(edge, {
    stores,
    organizations,
    vault,
    clock,
    outbox,
    botCheck,
  })

  if (config.telemetryDays > 0) {
    telemetry(edge, {
      stores,
      clock,
      metrics: telemetryMetrics(metrics),
      megabytesPerDay: config.telemetryMegabytesPerDay,
    })
  }

  experimentRoutes(edge, {
    experiments,
    store: stores.exposures,
    runs: stores.experimentRuns,
    counts: stores.insightCounting,
    metrics,
    clock,
  })

  const limits = { ...RELAY_LIMITS, ...parts.relayLimits }
  const ofRelay = relayMetrics(metrics)
  const { countDrops } = ofRelay
  const webhooks = openWebhooks({ hosts: config.relayWebhookHosts, countDrops })
  const exchange =
    redis === undefined
      ? inProcessExchange({ clock, limits, countDrops })
      : redisExchange({ redis, clock, limits, countDrops, log })
  const vapid = await openVapid({
    store: stores.vapidKeys,
    vault,
    clock,
    contact: `mailto:${config.mailFrom}`,
  })
  const push = openPush({ stores, vault, vapid, clock, rateLimit, hosts: config.pushHosts, log })
  pushRoutes(edge, { push, vapid })
  const onRefusedUpgrade = ({ request, network, reason }: RefusedUpgrade) => {
    const { host = '' } = request.headers
    const organization = organizations.resolve({
      host: host.replace(/:\d+$/, ''),
      requested: undefined,
      remembered: undefined,
      label: null,
    })
    bounded.noteRefusal('relay-refused', { details: { reason } }, { network, organization })
  }
  const relay = openRelay({
    exchange,
    webhooks,
    metrics: ofRelay,
    limits,
    clock,
    onUnread: push.notify,
    onRefused: onRefusedUpgrade,
  })
  shortLinks(edge, { store: stores.shortLinks, vault, clock })
  relayRoutes(edge, {
    relay,
    webhooks,
    version: config.version,
    isTrusted,
    onRefused: onRefusedUpgrade,
    isServedElsewhere: config.development ? isHotReload : undefined,
  })

  const application = config.development ? devApplication : builtApplication
  const { auth, console, portal, wallet, mobile } = parts.applications ?? {
    auth: await application(app, 'auth'),
    console: await application(app, 'console'),
    portal: await application(app, 'portal'),
    wallet: await application(app, 'wallet'),
    mobile: config.development ? devMobileWallet() : builtMobileWallet(app),
  }
  serveBrandFiles(app, brands, publishedBrands)
  const { file: bannersFile } = await banners(edge, { config, log, published: publishedBanners })
  adminBanners(admin, {
    stores,
    publishedBanners,
    file: bannersFile,
    isOrganization: (orgCode) => organizations.withCode(orgCode) !== undefined,
    defaultOrgCode: organizations.defaultOrganization.orgCode,
    clock,
  })
  const bannersUrlOf = (orgCode: string) => {
    const address = bannersAddress(config)
    const isForOne = config.bannersUrl === undefined && publishedBanners.hasAudience()
    return isForOne ? `${address}?orgCode=${orgCode}` : address
  }
  pages(edge, {
    config,
    stores,
    brands,
    bannersUrlOf,
    experiments,
    botCheck,
    isOwnProviderLogin: ownProviderLogins(stores),
    signInOf: (redirectUrl) => findPageSignIn(stores, redirectUrl),
    clock,
    auth,
    portal,
    wallet,
  })
  consolePage(edge, { config, organizations, console })
  mobileWallet(edge, { config, brands, mobile })
  if (config.production || config.lenderAppUrl !== undefined) {
    lenderApplication(edge, { config, identityToken: openid.identityToken })
  }

  const { version } = config
  const databaseReady = databaseReadiness({ stores, clock })
  processMetrics(metrics, { version, databaseReady, redisReady: redis?.ready })
  backlogMetrics(metrics, { stores, clock })
  const health = { ready: databaseReady, relayReady: relay.ready }
  operations(app, {
    ...health,
    version: config.production ? undefined : version,
    tokens,
    clock,
    supportOf,
  })
  const management =
    config.managementPort === undefined
      ? undefined
      : managementServer({ ...health, version, metrics, supportOf, log })
  if (config.production) {
    if (management === undefined) {
      log.warn('MANAGEMENT_PORT is not set: metrics and the API reference are not served')
    }
  } else {
    // The demonstration has an interactive reference too.
    referenceRoutes(app, { version, path: '/docs/plain' })
    // With a management port, the public one has no metrics.
    if (management === undefined) metricsRoute(app, metrics)
  }

  // Not awaited: until the experiments server responds, the files decide.
  void experiments.refresh()
  const followingRuns = setInterval(
    () =>
      void experiments
        .refreshRuns()
        .catch((error: unknown) => log.error({ err: error }, 'runs could not be read')),
    RUNS_INTERVAL_MS,
  )
  const refreshing = setInterval(() => void experiments.refresh(), EXPERIMENTS_INTERVAL_MS)
  const { telemetryDays } = config
  const { refreshKeys } = tokens
  const stopCertificateWarnings = startCertificateWarnings({
    stores,
    organizations,
    outbox,
    config,
    earliestExpiry: new Gauge({
      name: 'portico_provider_certificate_expiry_timestamp_seconds',
      help: 'When the first certificate of an enabled identity provider expires; +Inf without any. Checked daily.',
      registers: [metrics],
    }),
    clock,
    log,
  })
  await storeEndpoints({ stores, vault }, endpoints, clock())
  const countAttempt = webhookMetrics(metrics)
  const { startTrace } = tracing
  const webhookDeps = {
    stores,
    vault,
    clock,
    outbox,
    organizations,
    config,
    countAttempt,
    startTrace,
    log,
  }
  const stopWebhookSender = startWebhookSender(webhookDeps)
  const removeOrphanedFiles = () => removeOrphans({ stores, storage, clock, log })
  const tasks = [refreshKeys, openid.refreshKeys, removeOrphanedFiles]
  const promptTasks = [
    () => endExpiredViews({ stores, clock }),
    admin.actRequests.endOverdue,
    bounded.flush,
  ]
  const stopCounting = startCounting({ stores, clock, log })
  const stopSealing = startSealing({ stores, vault, clock, log })
  const stopReporting = startReporting({
    stores,
    version: config.version,
    async readState() {
      const { waitingTopics, ...state } = await relay.state()
      return {
        relay: { ...state, waitingTopics: Number.isNaN(waitingTopics) ? null : waitingTopics },
        redis: redis === undefined ? 'none' : (await redis.ready()) ? 'ready' : 'unreachable',
      }
    },
    takeRefusals: rateLimit.takeRefusals,
    flushDirectoryRefusals: refusals.flush,
    clock,
    log,
  })
  const stopPolling = pollPublications({
    refresh: async () => {
      await publishedBrands.refresh()
      await publishedBanners.refresh()
    },
    log,
  })
  const stopHousekeeping = startHousekeeping({
    database,
    clock,
    telemetryDays,
    tasks,
    promptTasks,
    log,
  })

  opened.move()
  return {
    app,
    management,
    stores,
    copyTo: copierOf(database),
    mailSetupLink: (words) =>
      mailSetupLink({ stores, outbox, organizations, config, clock }, words),
    manageOrganizations: (text) =>
      manageOrganizations({ stores, publishedBrands, config, clock }, text),
    manageWebhooks: (words) => manageWebhooks({ stores, clock }, words),
    async close() {
      clearInterval(refreshing)
      clearInterval(followingRuns)
      // Connections with requests in progress become idle later, so idle ones are closed repeatedly.
      const closingIdle = setInterval(
        () => app.server.closeIdleConnections(),
        CLOSE_IDLE_INTERVAL_MS,
      )
      // At once, so that no request is accepted while a task in progress finishes.
      await Promise.all([
        app.close(),
        stopHousekeeping(),
        stopPolling(),
        stopReporting(),
        stopCounting(),
        stopSealing(),
        stopCertificateWarnings(),
        openid.stop(),
      ])
      clearInterval(closingIdle)
      // Responds to probes until the last request has finished.
      await management?.close()
      await redis?.close()
      await stopWebhookSender()
      await outbox.stop()
      await tracing.stop()
      await database.destroy()
    },
  }
}
