import {
  PROVIDER_LOGIN_LIFETIME_MS,
  PROVIDER_REDEMPTION_LIFETIME_MS,
} from '@portico/contracts/limits'
import type { Selectable } from 'kysely'
import { CLOCK_SKEW_MS, latestExpiry } from '../clock.ts'
import type { Database } from '../database/database.ts'
import type { ProviderLoginsTable } from '../database/tables.ts'

export type ProviderLoginRow = Selectable<ProviderLoginsTable>

/** A login as it begins. */
type NewProviderLogin = Pick<
  ProviderLoginsTable,
  | 'stateHash'
  | 'providerId'
  | 'issuer'
  | 'cookieHash'
  | 'email'
  | 'telemetryTrackingId'
  | 'wrapped'
  | 'createdAt'
  | 'expiresAt'
>

/** Logins at identity providers. */
export function providerLoginsStore(database: Database) {
  return {
    async insert(login: NewProviderLogin): Promise<void> {
      await database.insertInto('providerLogins').values(login).execute()
    },

    /** Consumes a login's state in the browser that began it. Of concurrent calls, exactly one returns the login. */
    consume: (login: {
      stateHash: string
      providerId: string
      cookieHash: string
      at: number
    }): Promise<ProviderLoginRow | undefined> =>
      database
        .updateTable('providerLogins')
        .set({ consumedAt: login.at })
        .where('stateHash', '=', login.stateHash)
        .where('providerId', '=', login.providerId)
        .where('cookieHash', '=', login.cookieHash)
        .where('consumedAt', 'is', null)
        .where('expiresAt', '>', login.at)
        .where('expiresAt', '<=', latestExpiry(login.at, PROVIDER_LOGIN_LIFETIME_MS))
        .returningAll()
        .executeTakeFirst(),

    /** Records the session that a login started, with what is needed to end it at the provider. */
    async updateSession(
      stateHash: string,
      change: { sessionId: string; wrapped: string },
    ): Promise<void> {
      await database
        .updateTable('providerLogins')
        .set(change)
        .where('stateHash', '=', stateHash)
        .execute()
    },

    /** Records that a login waits for our second step, with what is needed to end it at the provider. */
    async updateFactorLogin(
      stateHash: string,
      change: { factorLoginId: string; wrapped: string },
    ): Promise<void> {
      await database
        .updateTable('providerLogins')
        .set(change)
        .where('stateHash', '=', stateHash)
        .execute()
    },

    /** Records the session that the second step of a login started. */
    async updateFactorSession(factorLoginId: string, sessionId: string): Promise<void> {
      await database
        .updateTable('providerLogins')
        .set({ sessionId })
        .where('factorLoginId', '=', factorLoginId)
        .execute()
    },

    /** The organization of the enabled provider at which a login that waits for our second step began. */
    async findFactorOrganization(factorLoginId: string): Promise<string | undefined> {
      const row = await database
        .selectFrom('providerLogins')
        .innerJoin('identityProviders', 'identityProviders.id', 'providerLogins.providerId')
        .select('identityProviders.organizationCode')
        .where('factorLoginId', '=', factorLoginId)
        .where('enabledAt', 'is not', null)
        .executeTakeFirst()
      return row?.organizationCode
    },

    /** The second step that a login waits for, in the browser that began it. */
    async findFactorLogin(stateHash: string, cookieHash: string): Promise<string | undefined> {
      const row = await database
        .selectFrom('providerLogins')
        .select('factorLoginId')
        .where('stateHash', '=', stateHash)
        .where('cookieHash', '=', cookieHash)
        .where('sessionId', 'is', null)
        .executeTakeFirst()
      return row?.factorLoginId ?? undefined
    },

    /** Records the account to link once the mailed passcode is entered. */
    async updateLink(
      stateHash: string,
      change: Pick<ProviderLoginsTable, 'linkCodeMac'> &
        Partial<Pick<ProviderLoginsTable, 'email' | 'wrapped' | 'linkIdentityId' | 'linkSubject'>>,
    ): Promise<void> {
      await database
        .updateTable('providerLogins')
        .set(change)
        .where('stateHash', '=', stateHash)
        .execute()
    },

    /** A login waiting for the mailed passcode, in the browser that began it. */
    findLink: (stateHash: string, cookieHash: string): Promise<ProviderLoginRow | undefined> =>
      database
        .selectFrom('providerLogins')
        .selectAll()
        .where('stateHash', '=', stateHash)
        .where('cookieHash', '=', cookieHash)
        .where('linkIdentityId', 'is not', null)
        .executeTakeFirst(),

    /** Of concurrent calls, exactly one returns `true`. */
    async redeem(stateHash: string, sessionId: string, at: number): Promise<boolean> {
      const row = await database
        .updateTable('providerLogins')
        .set({ redeemedAt: at })
        .where('stateHash', '=', stateHash)
        .where('sessionId', '=', sessionId)
        .where('redeemedAt', 'is', null)
        .where('consumedAt', '>', at - PROVIDER_REDEMPTION_LIFETIME_MS)
        .where('consumedAt', '<=', at + CLOCK_SKEW_MS)
        .returning('stateHash')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Of concurrent calls, exactly one returns `true`. */
    async redeemLink(stateHash: string, at: number): Promise<boolean> {
      const row = await database
        .updateTable('providerLogins')
        .set({ redeemedAt: at, linkCodeMac: null })
        .where('stateHash', '=', stateHash)
        .where('redeemedAt', 'is', null)
        .returning('stateHash')
        .executeTakeFirst()
      return row !== undefined
    },

    /** The login that started a session. */
    findBySession: (sessionId: string): Promise<ProviderLoginRow | undefined> =>
      database
        .selectFrom('providerLogins')
        .selectAll()
        .where('sessionId', '=', sessionId)
        .executeTakeFirst(),
  }
}
