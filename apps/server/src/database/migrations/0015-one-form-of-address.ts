import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

interface Tables {
  identities: { id: string; email: string }
  aliases: { identity_id: string; type: string; value: string }
}

/**
 * Converts the domains of stored e-mail addresses to ASCII (Punycode). If both forms of an address have an identity,
 * neither changes, and the ASCII one signs in.
 */
export const oneFormOfAddress: Migration = {
  async up(database: Kysely<Tables>) {
    const beyondAscii = await database
      .selectFrom('identities')
      .select(['id', 'email'])
      .where(sql<boolean>`octet_length(email) <> length(email)`)
      .execute()
    for (const { id, email } of beyondAscii) {
      const at = email.lastIndexOf('@')
      const url = `http://${email.slice(at + 1)}`
      if (!URL.canParse(url)) continue
      const ascii = `${email.slice(0, at)}@${new URL(url).hostname}`
      const taken = await database
        .selectFrom('identities')
        .select('id')
        .where('email', '=', ascii)
        .executeTakeFirst()
      if (taken !== undefined) continue
      await database.updateTable('identities').set({ email: ascii }).where('id', '=', id).execute()
      await database
        .updateTable('aliases')
        .set({ value: ascii })
        .where('identity_id', '=', id)
        .where('type', '=', 'Email')
        .execute()
    }
  },
}
