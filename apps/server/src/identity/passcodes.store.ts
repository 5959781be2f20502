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
  (database, given: { email: string; at: number; before: number; maximum: number }) =>
    database
      .selectFrom('passcodes')
      .select(['id', 'code_mac'])
      .where('email', '=', given.email)
      .where('redeemed_at', 'is', null)
      .where('expires_at', '>', given.at)
      .where('expires_at', '<', given.before)
      .orderBy('expires_at', 'desc')
      .limit(given.maximum),
)

const redeem = prepared((database, given: { id: string; at: number; latest: number }) =>
  database
    .updateTable('passcodes')
    .set({ redeemed_at: given.at })
    .where('id', '=', given.id)
    .where('redeemed_at', 'is', null)
    .where('expires_at', '>', given.at)
    .where('expires_at', '<=', given.latest)
    .returning('id'),
)

/** Passcodes that were asked for. */
export function passcodesStore(database: Database) {
  return {
    async add(passcode: {
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

    /** Ends every code of an address that was not used yet. */
    async expireAll(email: string, at: number): Promise<void> {
      await database
        .updateTable('passcodes')
        .set({ expires_at: at })
        .where('email', '=', email)
        .where('redeemed_at', 'is', null)
        .where('expires_at', '>', at)
        .execute()
    },

    byId: async (id: string) => (await byId(database, { id }))[0],

    /** Live codes of an address that were sent before the one that expires at `before`. */
    earlier: (given: { email: string; at: number; before: number }) =>
      earlier(database, { ...given, maximum: SENDS_PER_RECIPIENT }),

    /** Uses a passcode up; of any number of racers exactly one is told `true`. */
    redeem: async (id: string, at: number): Promise<boolean> =>
      (await redeem(database, { id, at, latest: latestExpiry(at, PASSCODE_LIFETIME_MS) })).length >
      0,
  }
}
