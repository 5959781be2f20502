/**
 * Lists, grants and revokes roles within the organizations of the operator's own `operators.write`. There is always at least
 * one administrator of all organizations.
 */
import type { grantRole, OperatorItem, revokeRole } from '@portico/contracts/admin/operators'
import { ALL_ORGANIZATIONS } from '@portico/contracts/admin/permissions'
import type { Parsed } from '@portico/contracts/call'
import { hasInvisibleCharacters } from '@portico/contracts/characters'
import { emailAddress } from '@portico/contracts/email-address'
import { Refusal } from '@portico/contracts/errors'
import { ADMIN_PAGE_SIZE } from '@portico/contracts/limits'
import { includesScope, isInScope, scopeOfCodes } from '@portico/rules/operator-permissions'
import type { AuditSource } from '../../audit/audit.store.ts'
import type { Organizations } from '../../brands/brands.ts'
import type { Clock } from '../../clock.ts'
import type { Stores, TransactionalStores } from '../../stores.ts'
import type { Operator } from './operators.ts'

interface Actor {
  readonly operator: Operator
  readonly visitor: AuditSource
}

export function operatorGrants({
  stores,
  organizations,
  clock,
}: {
  readonly stores: TransactionalStores<'audit' | 'identities' | 'identityRoles' | 'passkeys'>
  readonly organizations: Pick<Organizations, 'withCode'>
  readonly clock: Clock
}) {
  /** @throws Refusal - `not-permitted` for an organization outside the operator's scope, or an unknown one */
  function requireScope(operator: Operator, codes: readonly string[]): void {
    const unknown = codes.some(
      (code) => code !== ALL_ORGANIZATIONS && organizations.withCode(code) === undefined,
    )
    if (unknown || !includesScope(operator.scopeOf('operators.write'), scopeOfCodes(codes))) {
      throw new Refusal('not-permitted')
    }
  }

  /** A role can still be revoked after its organization was removed. */
  function requireCoverage(operator: Operator, organizationCode: string): void {
    const scope = operator.scopeOf('operators.write')
    if (!includesScope(scope, scopeOfCodes([organizationCode]))) throw new Refusal('not-permitted')
  }

  /** @throws Refusal - `no-such-account` also for an account of an organization outside the operator's scope */
  async function findAccount(
    { identities }: Pick<Stores, 'identities'>,
    email: string,
    operator: Operator,
  ) {
    const identity = await identities.findByEmail(emailAddress(email) ?? email)
    const scope = operator.scopeOf('operators.write')
    if (identity === undefined || !isInScope(scope, identity.organizationCode)) {
      throw new Refusal('no-such-account')
    }
    return identity
  }

  return {
    async list(
      query: { readonly after?: string | undefined; readonly limit?: string | undefined },
      operator: Operator,
    ): Promise<{ items: OperatorItem[]; next: string | null }> {
      const limit = query.limit === undefined ? ADMIN_PAGE_SIZE : Number(query.limit)
      // The cursor contains an email address, which must not appear in a URL in plain text.
      const after = Buffer.from(query.after ?? '', 'base64url').toString()
      if (hasInvisibleCharacters(after)) throw new Refusal('invalid-request')
      const found = await stores.identityRoles.listOperators({
        scope: operator.scopeOf('operators.write'),
        after,
        limit: limit + 1,
      })
      const page = found.slice(0, limit)
      const last = page.at(-1)
      return {
        items: page,
        next:
          found.length > limit && last !== undefined
            ? Buffer.from(last.email).toString('base64url')
            : null,
      }
    },

    /** @throws Refusal - `no-such-account` if no account in the operator's scope has the address */
    grant(
      { email, role, organizationCodes, reason }: Parsed<(typeof grantRole)['body']>,
      { operator, visitor }: Actor,
    ): Promise<{ changed: boolean; hasFactor: boolean }> {
      requireScope(operator, organizationCodes)
      return stores.atomically(async ({ audit, identities, identityRoles, passkeys }) => {
        const identity = await findAccount({ identities }, email, operator)
        const at = clock()
        let changed = false
        for (const organizationCode of new Set(organizationCodes)) {
          const isNew = await identityRoles.insert({
            identityId: identity.id,
            role,
            organizationCode,
            createdAt: at,
          })
          if (!isNew) continue
          changed = true
          await audit.record(
            'role-granted',
            {
              identityId: identity.id,
              at,
              organizationCode,
              operator,
              details: { role, reason: reason.trim() },
            },
            visitor,
          )
        }
        const aliases = await identities.listAliases(identity.id)
        const hasFactor =
          aliases.some(({ type }) => type === 'TOTP') ||
          (await passkeys.list(identity.id)).length > 0
        return { changed, hasFactor }
      })
    },

    /** The subject of a grant, which only operators of the account's organization may approve. Throws like `grant`. */
    async checkGrant(
      { email, organizationCodes }: Parsed<(typeof grantRole)['body']>,
      operator: Operator,
    ) {
      requireScope(operator, organizationCodes)
      const identity = await findAccount(stores, email, operator)
      return {
        name: identity.email,
        organizationCodes: [...new Set([...organizationCodes, identity.organizationCode])],
        identityUuid: identity.id,
      }
    },

    /** The subject of a revocation. `revoke` checks that an administrator remains. */
    async checkRevocation(
      { identityUuid, organizationCode }: Parsed<(typeof revokeRole)['body']>,
      operator: Operator,
    ) {
      requireCoverage(operator, organizationCode)
      const identity = await stores.identities.findById(identityUuid)
      return {
        name: identity?.email ?? identityUuid,
        organizationCodes: [organizationCode],
        identityUuid,
      }
    },

    /** @throws Refusal - `last-administrator` if no administrator of all organizations would remain */
    revoke(
      { identityUuid, role, organizationCode, reason }: Parsed<(typeof revokeRole)['body']>,
      { operator, visitor }: Actor,
    ): Promise<{ changed: boolean }> {
      requireCoverage(operator, organizationCode)
      return stores.atomically(async ({ audit, identityRoles }) => {
        const at = clock()
        const isAdministrator = role === 'admin' && organizationCode === ALL_ORGANIZATIONS
        if (isAdministrator) await identityRoles.lockAdministrators(at)
        const changed = await identityRoles.delete({
          identityId: identityUuid,
          role,
          organizationCode,
        })
        if (!changed) return { changed }
        if (isAdministrator && !(await identityRoles.hasAdministrator())) {
          throw new Refusal('last-administrator')
        }
        await audit.record(
          'role-revoked',
          {
            identityId: identityUuid,
            at,
            organizationCode,
            operator,
            details: { role, reason: reason.trim() },
          },
          visitor,
        )
        return { changed }
      })
    },
  }
}
