/**
 * Warns about SAML provider certificates that are about to expire: daily in the log, and once by mail to the administrator.
 */
import { CERTIFICATE_WARNING_MS, DAY_MS } from '@portico/contracts/limits'
import { parseJson } from '@portico/contracts/parse-json'
import type { Logger } from 'pino'
import type { Gauge } from 'prom-client'
import type { Organizations } from '../../brands/brands.ts'
import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { automaticSender } from '../../mail/layout.ts'
import { certificateMail } from '../../mail/mails.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { sha256 } from '../../secrets/hashes.ts'
import type { TransactionalStores } from '../../stores.ts'
import type { ProviderRow } from '../providers.store.ts'
import { certificateExpiry, keyProblem, SamlSettings } from '../saml-metadata.ts'

interface WarningDeps {
  readonly stores: TransactionalStores<'messages' | 'providers' | 'setupLinks' | 'singleUse'>
  readonly organizations: Pick<Organizations, 'withCode'>
  readonly outbox: Outbox
  readonly config: Pick<Config, 'publicUrl' | 'port'>
  readonly earliestExpiry: Pick<Gauge, 'set'>
  readonly clock: Clock
  readonly log: Logger
}

/** Checks now and then daily. Returns a function that stops it. */
export function startCertificateWarnings(deps: WarningDeps): () => Promise<void> {
  const check = () =>
    warnOfCertificates(deps).catch((error: unknown) =>
      deps.log.error({ err: error }, 'checking the certificates of identity providers failed'),
    )
  let last = check()
  const checking = setInterval(() => {
    last = check()
  }, DAY_MS)
  return () => {
    clearInterval(checking)
    return last
  }
}

export async function warnOfCertificates({
  stores,
  organizations,
  outbox,
  config,
  earliestExpiry,
  clock,
  log,
}: WarningDeps): Promise<void> {
  const at = clock()
  const providers = (await stores.providers.listEnabled()).map((provider) => ({
    ...provider,
    expiresAt: lastExpiry(provider),
  }))
  const expiries = providers.map(({ expiresAt = Number.POSITIVE_INFINITY }) => expiresAt)
  earliestExpiry.set(Math.min(...expiries) / 1000)
  for (const { expiresAt, ...provider } of providers) {
    const { id, name, organizationCode } = provider
    const organization = organizations.withCode(organizationCode)
    if (expiresAt === undefined && provider.protocol === 'saml') {
      log.error(
        { provider: id, organization: organizationCode },
        'the certificates of an identity provider cannot be read: enter its metadata again',
      )
    }
    if (expiresAt === undefined) continue
    for (const problem of keyProblems(provider)) {
      log.error(
        { provider: id, organization: organizationCode, problem },
        'a signing key of an identity provider is not accepted',
      )
    }
    if (expiresAt - at > CERTIFICATE_WARNING_MS) continue
    log.warn(
      { provider: id, organization: organizationCode, expiresAt: new Date(expiresAt) },
      'the certificate of an identity provider expires within 30 days, or has expired',
    )
    const email = await stores.setupLinks.findAdministrator(id)
    if (email === undefined || organization === undefined) continue
    await stores.atomically(async (transaction) => {
      const key = `certificate ${sha256(`${id} ${expiresAt}`)}`
      if (!(await transaction.singleUse.consume(key, at + 2 * CERTIFICATE_WARNING_MS))) return
      const sender = automaticSender(organization, config)
      await outbox.add(transaction, certificateMail(sender, { email, provider: name, expiresAt }))
    })
  }
}

/** Why keys of a provider are not accepted. They were saved before keys were checked at set-up. */
function keyProblems({ protocol, settings }: ProviderRow): readonly string[] {
  const saved = protocol === 'saml' ? SamlSettings.safeParse(parseJson(settings)).data : undefined
  return (saved?.certificates ?? []).flatMap((certificate) => keyProblem(certificate) ?? [])
}

/**
 * During a certificate rotation a provider has two, and the later expiry counts. Undefined if the provider has none or they
 * cannot be read.
 */
export function lastExpiry({ protocol, settings }: ProviderRow): number | undefined {
  if (protocol !== 'saml') return undefined
  try {
    const { certificates } = SamlSettings.parse(parseJson(settings))
    return Math.max(...certificates.map(certificateExpiry))
  } catch {
    // A damaged row must not stop warnings about other providers.
    return undefined
  }
}
