import type { Parsed } from '@portico/contracts/call'
import type { readExpandedIdentity, readIdentity } from '@portico/contracts/identity'
import type { OpenSession } from '../sessions/sessions.ts'
import type { AllStores } from '../stores.ts'
import type { AliasRow } from './identities.store.ts'

/** Reads the signed-in person's identity, plain and with its aliases expanded. */
export function identityReader({ stores }: { readonly stores: AllStores }) {
  const fields = (session: OpenSession, aliases: readonly AliasRow[]) => ({
    uuid: session.identityId,
    organizationCode: session.organizationCode,
    profileType: session.profileType,
    updatedDate: new Date(session.updatedAt).toISOString(),
    passwordExpired: session.passwordExpired,
    twoFactorEnabled: aliases.some(({ type }) => type !== 'Email'),
    totpVerified: aliases.some(({ type, verified_at }) => type === 'TOTP' && verified_at !== null),
  })
  const alias = ({ id, type, value }: AliasRow) => ({ uuid: id, type, value })

  return {
    async plain(session: OpenSession): Promise<Parsed<(typeof readIdentity)['answer']>> {
      const aliases = await stores.identities.aliases(session.identityId)
      const identity = { ...fields(session, aliases), aliases: aliases.map(alias) }
      return { identity, passwordExpired: session.passwordExpired }
    },
    async expanded(session: OpenSession): Promise<Parsed<(typeof readExpandedIdentity)['answer']>> {
      const aliases = await stores.identities.aliases(session.identityId)
      const expanded = aliases.map((row) => ({
        ...alias(row),
        verified: row.verified_at !== null,
        auth: row.verified_at !== null,
      }))
      const identity = { ...fields(session, aliases), aliases: expanded }
      return { identity, passwordExpired: session.passwordExpired }
    },
  }
}
