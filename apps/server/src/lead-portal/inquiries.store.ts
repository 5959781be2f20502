import { INQUIRY_LIFETIME_MS } from '@portico/contracts/limits'
import { latestExpiry } from '../clock.ts'
import type { Database } from '../database/database.ts'

/** Borrowers referred by a partner who were mailed how to continue. */
export function inquiriesStore(database: Database) {
  return {
    /** Records that a borrower was mailed how to continue with an organization. */
    async upsert(inquiry: {
      email: string
      organizationCode: string
      at: number
      expiresAt: number
    }): Promise<void> {
      const values = { welcomedAt: inquiry.at, expiresAt: inquiry.expiresAt }
      await database
        .insertInto('inquiries')
        .values({
          email: inquiry.email,
          organizationCode: inquiry.organizationCode,
          ...values,
        })
        .onConflict((conflict) =>
          conflict.columns(['email', 'organizationCode']).doUpdateSet(values),
        )
        .execute()
    },

    /** The codes of the organizations that mailed this address how to continue. */
    async listOrganizations(email: string, at: number): Promise<readonly string[]> {
      const rows = await database
        .selectFrom('inquiries')
        .select('organizationCode')
        .where('email', '=', email)
        .where('expiresAt', '>', at)
        .where('expiresAt', '<=', latestExpiry(at, INQUIRY_LIFETIME_MS))
        .execute()
      return rows.map(({ organizationCode }) => organizationCode)
    },
  }
}
