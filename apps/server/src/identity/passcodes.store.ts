import { SENDS_PER_RECIPIENT } from '@portico/contracts/limits'
import type { Database } from '../database/database.ts'
import { consumeCode } from './consume-code.ts'

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
      await database
        .insertInto('passcodes')
        .values({
          id: passcode.id,
          email: passcode.email,
          codeMac: passcode.codeMac,
          organizationCode: passcode.organizationCode,
          createdAt: passcode.at,
          expiresAt: passcode.expiresAt,
          redeemedAt: null,
          telemetrySessionUuid: passcode.telemetrySessionUuid ?? null,
        })
        .execute()
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

    findById: (id: string) =>
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
        .where('id', '=', id)
        .executeTakeFirst(),

    /** Other valid codes of an address, which another page or an earlier request sent. */
    listOthers: ({ email, at, except }: { email: string; at: number; except: string }) =>
      database
        .selectFrom('passcodes')
        .select(['id', 'codeMac', 'expiresAt'])
        .where('email', '=', email)
        .where('redeemedAt', 'is', null)
        .where('expiresAt', '>', at)
        .where('id', '<>', except)
        .orderBy('expiresAt', 'desc')
        .limit(SENDS_PER_RECIPIENT)
        .execute(),

    consume: (id: string, at: number): Promise<boolean> =>
      consumeCode(database, 'passcodes', { id, at }),
  }
}
