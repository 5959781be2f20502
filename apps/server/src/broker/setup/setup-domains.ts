/** The domains of a provider's e-mail addresses, each verified by a TXT record. */
import { Refusal } from '@portico/contracts/errors'
import { escapeInvisible } from '@portico/contracts/invisible-characters'
import { MAX_PROVIDER_DOMAINS } from '@portico/contracts/limits'
import type { DomainCheck } from '@portico/contracts/sso-setup'
import type { Logger } from 'pino'
import type { Clock } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import { randomSecret } from '../../secrets/hashes.ts'
import type { TransactionalStores } from '../../stores.ts'
import type { ResolveTxt } from './resolve-txt.ts'
import type { SetupSession } from './setup-session.ts'

/** A separate name, because the domain itself may be an alias (CNAME) or have many records. */
export const recordNameOf = (domain: string) => `_sso-verification.${domain}`

export const recordValueOf = (challenge: string) => `sso-verification=${challenge}`

/** The maximum number of found records to show if the expected one is missing. */
const MAX_FOUND_RECORDS = 5
const MAX_FOUND_RECORD_LENGTH = 200

export function setupDomains({
  stores,
  clock,
  log,
  resolveTxt,
}: {
  readonly stores: TransactionalStores<'audit' | 'providers'>
  readonly clock: Clock
  readonly log: Logger
  readonly resolveTxt: ResolveTxt
}) {
  return {
    /** Adds a domain with its own challenge: another provider's record or an earlier record does not verify it. */
    async add({ provider }: SetupSession, domain: string): Promise<void> {
      await stores.atomically(async ({ providers }) => {
        // Locked, because two domains added at the same time could exceed the limit.
        await providers.findForUpdate(provider.id)
        const domains = await providers.listDomains(provider.id)
        if (domains.length >= MAX_PROVIDER_DOMAINS) throw new Refusal('too-many-domains')
        await providers.insertDomain({
          providerId: provider.id,
          domain,
          verifiedAt: null,
          challenge: randomSecret(),
        })
      })
    },

    async remove({ provider }: SetupSession, domain: string, visitor: Visitor): Promise<void> {
      await stores.atomically(async (transaction) => {
        await transaction.providers.deleteDomain(provider.id, domain)
        const event = { identityId: null, at: clock(), details: { domain } }
        await transaction.audit.record('provider-domain-removed', event, visitor)
      })
    },

    /** @throws Refusal - `not-found`, `domain-taken` */
    async check(
      { provider }: SetupSession,
      domain: string,
      visitor: Visitor,
    ): Promise<DomainCheck> {
      const row = await stores.providers.findDomain(provider.id, domain)
      if (row === undefined) throw new Refusal('not-found')
      const { challenge, verifiedAt } = row
      if (verifiedAt !== null || challenge === null) return { result: 'verified', found: [] }
      const records = await resolveTxt(recordNameOf(domain)).catch((error: unknown) => {
        log.warn({ err: error, domain }, 'the record of a domain could not be looked up')
        return undefined
      })
      if (records === undefined) return { result: 'unavailable', found: [] }
      const expected = recordValueOf(challenge)
      if (!records.some((record) => record.trim() === expected)) {
        const found = records
          .slice(0, MAX_FOUND_RECORDS)
          .map((record) => escapeInvisible(record.slice(0, MAX_FOUND_RECORD_LENGTH)))
        return { result: found.length === 0 ? 'missing' : 'different', found }
      }
      const at = clock()
      const { id: providerId, organizationCode } = provider
      await stores.atomically(async (transaction) => {
        const claim = { domain, organizationCode, verifiedAt: at }
        if (!(await transaction.providers.claimDomain(claim))) throw new Refusal('domain-taken')
        const verified = { providerId, domain, challenge, at }
        // It was removed in another window.
        if (!(await transaction.providers.updateDomainVerified(verified))) {
          throw new Refusal('not-found')
        }
        const event = { identityId: null, at, details: { domain } }
        await transaction.audit.record('provider-domain-verified', event, visitor)
      })
      return { result: 'verified', found: [] }
    },
  }
}
