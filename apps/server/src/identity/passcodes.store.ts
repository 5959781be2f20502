import type { Database } from '../database/database.ts'

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
    }): Promise<void> {
      await database
        .insertInto('passcodes')
        .values({
          id: passcode.id,
          email: passcode.email,
          code_mac: passcode.codeMac,
          organization_code: passcode.organizationCode,
          created_at: passcode.at,
          expires_at: passcode.expiresAt,
          redeemed_at: null,
        })
        .execute()
    },

    byId: (id: string) =>
      database.selectFrom('passcodes').selectAll().where('id', '=', id).executeTakeFirst(),

    /** Uses a passcode up; of any number of racers exactly one is told `true`. */
    async redeem(id: string, at: number): Promise<boolean> {
      const row = await database
        .updateTable('passcodes')
        .set({ redeemed_at: at })
        .where('id', '=', id)
        .where('redeemed_at', 'is', null)
        .where('expires_at', '>', at)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
