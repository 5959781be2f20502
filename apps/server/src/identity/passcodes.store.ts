import { PASSCODE_LIFETIME_MS, SENDS_PER_RECIPIENT } from '@portico/contracts/limits'
import { latestExpiry } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared.ts'
import type { PasscodesTable } from '../database/tables.ts'

const add = prepared((database, passcode: PasscodesTable) =>
  database.insertInto('passcodes').values({
    id: passcode.id,
    email: passcode.email,
    codeMac: passcode.codeMac,
    organizationCode: passcode.organizationCode,
    createdAt: passcode.createdAt,
    expiresAt: passcode.expiresAt,
    redeemedAt: passcode.redeemedAt,
    telemetrySessionUuid: passcode.telemetrySessionUuid,
  }),
)

const byId = prepared((database, { id }: { id: string }) =>
  database
    .selectFrom('passcodes')
    .select([
      'email',
      'codeMac',
      'organizationCode',
      'expiresAt',
      'redeemedAt',
      'telemetrySessionUuid',
    ])
    .where('id', '=', id),
)

const earlier = prepared(
  (database, query: { email: string; at: number; before: number; maximum: number }) =>
    database
      .selectFrom('passcodes')
      .select(['id', 'codeMac'])
      .where('email', '=', query.email)
      .where('redeemedAt', 'is', null)
      .where('expiresAt', '>', query.at)
      .where('expiresAt', '<', query.before)
      .orderBy('expiresAt', 'desc')
      .limit(query.maximum),
)

const redeem = prepared((database, query: { id: string; at: number; latest: number }) =>
  database
    .updateTable('passcodes')
    .set({ redeemedAt: query.at })
    .where('id', '=', query.id)
    .where('redeemedAt', 'is', null)
    .where('expiresAt', '>', query.at)
    .where('expiresAt', '<=', query.latest)
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
        codeMac: passcode.codeMac,
        organizationCode: passcode.organizationCode,
        createdAt: passcode.at,
        expiresAt: passcode.expiresAt,
        redeemedAt: null,
        telemetrySessionUuid: passcode.telemetrySessionUuid ?? null,
      })
    },

    /** Expires every unused code of an address. */
    async expireAll(email: string, at: number): Promise<void> {
      await database
        .updateTable('passcodes')
        .set({ expiresAt: at })
        .where('email', '=', email)
        .where('redeemedAt', 'is', null)
        .where('expiresAt', '>', at)
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
