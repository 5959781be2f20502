import { INQUIRY_LIFETIME_MS } from '@portico/contracts/limits'
import { latestExpiry } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared.ts'

const open = prepared((database, given: { email: string; at: number; latest: number }) =>
  database
    .selectFrom('inquiries')
    .select('organization_code')
    .where('email', '=', given.email)
    .where('expires_at', '>', given.at)
    .where('expires_at', '<=', given.latest),
)

/** Borrowers whom a partner referred, and whether they were mailed how to continue. */
export function inquiriesStore(database: Database) {
  return {
    /** Remembers that a borrower of an organization is mailed how to continue. */
    async welcome(inquiry: {
      email: string
      organizationCode: string
      at: number
      expiresAt: number
    }): Promise<void> {
      const values = { welcomed_at: inquiry.at, expires_at: inquiry.expiresAt }
      await database
        .insertInto('inquiries')
        .values({
          email: inquiry.email,
          organization_code: inquiry.organizationCode,
          ...values,
        })
        .onConflict((conflict) =>
          conflict.columns(['email', 'organization_code']).doUpdateSet(values),
        )
        .execute()
    },

    /** Whose borrower an address is: the codes of the organizations that mailed it how to continue. */
    organizations: async (email: string, at: number): Promise<readonly string[]> =>
      (await open(database, { email, at, latest: latestExpiry(at, INQUIRY_LIFETIME_MS) })).map(
        ({ organization_code }) => organization_code,
      ),
  }
}
