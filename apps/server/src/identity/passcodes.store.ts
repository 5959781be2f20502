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

const redeem = prepared((database, { id, at }: { id: string; at: number }) =>
  database
    .updateTable('passcodes')
    .set({ redeemed_at: at })
    .where('id', '=', id)
    .where('redeemed_at', 'is', null)
    .where('expires_at', '>', at)
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

    byId: async (id: string) => (await byId(database, { id }))[0],

    /** Uses a passcode up; of any number of racers exactly one is told `true`. */
    redeem: async (id: string, at: number): Promise<boolean> =>
      (await redeem(database, { id, at })).length > 0,
  }
}
