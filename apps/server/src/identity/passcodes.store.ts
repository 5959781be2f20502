import { PASSCODE_LIFETIME_MS, SENDS_PER_RECIPIENT } from '@portico/contracts/limits'
import { latestExpiry } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared.ts'
import type { PasscodesTable } from '../database/tables.ts'

const add = prepared((database, passcode: PasscodesTable) =>
  database.insertInto('passcodes').values({
    id: passcode.id,
    email: passcode.email,
    code_mac: passcode.code_mac,
    organization_code: passcode.organization_code,
    created_at: passcode.created_at,
    expires_at: passcode.expires_at,
    redeemed_at: passcode.redeemed_at,
    telemetry_session_uuid: passcode.telemetry_session_uuid,
  }),
)

const byId = prepared((database, { id }: { id: string }) =>
  database
    .selectFrom('passcodes')
    .select([
      'email',
      'code_mac',
      'organization_code',
      'expires_at',
      'redeemed_at',
      'telemetry_session_uuid',
    ])
    .where('id', '=', id),
)

const earlier = prepared(
  (database, query: { email: string; at: number; before: number; maximum: number }) =>
    database
      .selectFrom('passcodes')
      .select(['id', 'code_mac'])
      .where('email', '=', query.email)
      .where('redeemed_at', 'is', null)
      .where('expires_at', '>', query.at)
      .where('expires_at', '<', query.before)
      .orderBy('expires_at', 'desc')
      .limit(query.maximum),
)

const redeem = prepared((database, query: { id: string; at: number; latest: number }) =>
  database
    .updateTable('passcodes')
    .set({ redeemed_at: query.at })
    .where('id', '=', query.id)
    .where('redeemed_at', 'is', null)
    .where('expires_at', '>', query.at)
    .where('expires_at', '<=', query.latest)
    .returning('id'),
)

export function passcodesStore(database: Database) {
  return {
    async insert(passcode: {
      id: string
      email: string
      codeMac: string
      organizationCode: string
      at: number
      expiresAt: number
      telemetrySessionUuid?: string | undefined
    }): Promise<void> {
      await add(database, {
        id: passcode.id,
        email: passcode.email,
        code_mac: passcode.codeMac,
        organization_code: passcode.organizationCode,
        created_at: passcode.at,
        expires_at: passcode.expiresAt,
        redeemed_at: null,
        telemetry_session_uuid: passcode.telemetrySessionUuid ?? null,
      })
    },

    /** Expires every unused code of an address. */
    async expireAll(email: string, at: number): Promise<void> {
      await database
        .updateTable('passcodes')
        .set({ expires_at: at })
        .where('email', '=', email)
        .where('redeemed_at', 'is', null)
        .where('expires_at', '>', at)
        .execute()
    },

    findById: async (id: string) => (await byId(database, { id }))[0],

    /** Valid codes of an address sent before the one that expires at `before`. */
    listEarlier: (query: { email: string; at: number; before: number }) =>
      earlier(database, { ...query, maximum: SENDS_PER_RECIPIENT }),

    /** Consumes a passcode; of concurrent calls, exactly one returns `true`. */
    consume: async (id: string, at: number): Promise<boolean> =>
      (await redeem(database, { id, at, latest: latestExpiry(at, PASSCODE_LIFETIME_MS) })).length >
      0,
  }
}
