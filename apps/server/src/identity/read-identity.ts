import type { Parsed } from '@portico/contracts/call'
import type { readExpandedIdentity, readIdentity } from '@portico/contracts/identity'
import type { OpenSession } from '../sessions/sessions.ts'
import type { AllStores } from '../stores.ts'
import type { AliasRow } from './identities.store.ts'

/** Reads the signed-in person's identity, plain and with its aliases expanded. */
export function identityReader({ stores }: { readonly stores: AllStores }) {
  // A phone that is being added is no way to reach anybody yet.
  const verified = async ({ identityId }: OpenSession) =>
    (await stores.identities.aliases(identityId)).filter(({ verified_at }) => verified_at !== null)
  const fields = (session: OpenSession, aliases: readonly AliasRow[]) => ({
    uuid: session.identityId,
    organizationCode: session.organizationCode,
    profileType: session.profileType,
    updatedDate: new Date(session.updatedAt).toISOString(),
    passwordExpired: session.passwordExpired,
    twoFactorEnabled: session.emailFactor || aliases.some(({ type }) => type !== 'Email'),
    totpVerified: aliases.some(({ type }) => type === 'TOTP'),
  })
  const alias = ({ id, type, value }: AliasRow) => ({ uuid: id, type, value })

  return {
    async plain(session: OpenSession): Promise<Parsed<(typeof readIdentity)['answer']>> {
      const aliases = await verified(session)
      const identity = { ...fields(session, aliases), aliases: aliases.map(alias) }
      return { identity, passwordExpired: session.passwordExpired }
    },
    async expanded(session: OpenSession): Promise<Parsed<(typeof readExpandedIdentity)['answer']>> {
      const aliases = await verified(session)
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
