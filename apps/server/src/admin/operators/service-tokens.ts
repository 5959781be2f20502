/**
 * Tokens that programs use to call the admin API. Operators create, list and revoke tokens within the scope of their own
 * `tokens.write`. Only hashes are stored.
 */
import { randomUUID } from 'node:crypto'
import {
  type createServiceToken,
  MAX_TOKENS_PER_NAME,
  type ServiceTokenItem,
} from '@portico/contracts/admin/operators'
import { ALL_ORGANIZATIONS, PERSON_PERMISSIONS } from '@portico/contracts/admin/permissions'
import type { Parsed } from '@portico/contracts/call'
import { Refusal } from '@portico/contracts/errors'
import { DAY_MS } from '@portico/contracts/limits'
import { includesScope, type Scope, scopeOfCodes } from '@portico/rules/operator-permissions'
import type { AuditSource } from '../../audit/audit.store.ts'
import type { Organizations } from '../../brands/brands.ts'
import type { Clock } from '../../clock.ts'
import { randomSecret, sha256 } from '../../secrets/hashes.ts'
import type { TransactionalStores } from '../../stores.ts'
import { visiblePage } from '../keyset.ts'
import { type Operator, SERVICE_TOKEN_PREFIX } from './operators.ts'
import type { ServiceToken } from './service-tokens.store.ts'

interface Actor {
  readonly operator: Operator
  readonly visitor: AuditSource
}

export function serviceTokens({
  stores,
  organizations,
  clock,
}: {
  readonly stores: TransactionalStores<'audit' | 'serviceTokens'>
  readonly organizations: Pick<Organizations, 'withCode'>
  readonly clock: Clock
}) {
  const isVisible = (token: ServiceToken, scope: Scope) =>
    includesScope(scope, scopeOfCodes(token.organizationCodes))

  return {
    async list(
      query: { readonly after?: string | undefined; readonly limit?: string | undefined },
      operator: Operator,
    ): Promise<{ items: ServiceTokenItem[]; next: string | null }> {
      const scope = operator.scopeOf('tokens.write')
      const { items, next } = await visiblePage(query, {
        list: (page) => stores.serviceTokens.list(page),
        isVisible: (token) => isVisible(token, scope),
      })
      return { items: items.map(itemOf), next }
    },

    /** @throws Refusal - `not-permitted` for permissions that the operator does not have */
    async create(
      body: Parsed<(typeof createServiceToken)['body']>,
      { operator, visitor }: Actor,
    ): Promise<{ tokenUuid: string; token: string; expiresAt: number }> {
      const { name, permissions, organizationCodes, days, reason } = body
      const unknown = organizationCodes.some(
        (code) => code !== ALL_ORGANIZATIONS && organizations.withCode(code) === undefined,
      )
      const wanted = scopeOfCodes(organizationCodes)
      const isAllowed = [...permissions, 'tokens.write' as const].every((permission) =>
        includesScope(operator.scopeOf(permission), wanted),
      )
      // An unknown organization is refused like one outside the scope.
      if (unknown || !isAllowed) throw new Refusal('not-permitted')
      if (permissions.some((permission) => PERSON_PERMISSIONS.includes(permission))) {
        throw new Refusal('not-permitted')
      }
      const at = clock()
      const tokenUuid = randomUUID()
      const token = `${SERVICE_TOKEN_PREFIX}${randomSecret()}`
      const expiresAt = at + days * DAY_MS
      await stores.atomically(async (transaction) => {
        const valid = await transaction.serviceTokens.countValidForUpdate(
          { name, organizationCodes },
          at,
        )
        if (valid >= MAX_TOKENS_PER_NAME) throw new Refusal('too-many-tokens')
        await transaction.serviceTokens.insert({
          id: tokenUuid,
          name,
          tokenHash: sha256(token),
          permissions,
          organizationCodes,
          createdBy: operator.id,
          createdAt: at,
          expiresAt,
        })
        await transaction.audit.record(
          'service-token-created',
          {
            identityId: null,
            at,
            organizationCode: organizationCodes[0] ?? ALL_ORGANIZATIONS,
            operator,
            details: { token: tokenUuid, name, reason: reason.trim() },
          },
          visitor,
        )
      })
      return { tokenUuid, token, expiresAt }
    },

    /** The subject of a revocation. */
    async checkRevocation(tokenUuid: string, operator: Operator) {
      const token = await stores.serviceTokens.find(tokenUuid)
      if (token === undefined || !isVisible(token, operator.scopeOf('tokens.write'))) {
        throw new Refusal('not-found')
      }
      return { name: token.name, organizationCodes: token.organizationCodes }
    },

    revoke(
      { tokenUuid, reason }: { readonly tokenUuid: string; readonly reason: string },
      { operator, visitor }: Actor,
    ): Promise<{ changed: boolean }> {
      return stores.atomically(async (transaction) => {
        const token = await transaction.serviceTokens.find(tokenUuid)
        if (token === undefined || !isVisible(token, operator.scopeOf('tokens.write'))) {
          throw new Refusal('not-found')
        }
        const at = clock()
        const changed = await transaction.serviceTokens.updateRevoked(tokenUuid, at)
        if (!changed) return { changed }
        await transaction.audit.record(
          'service-token-revoked',
          {
            identityId: null,
            at,
            organizationCode: token.organizationCodes[0] ?? ALL_ORGANIZATIONS,
            operator,
            details: { token: tokenUuid, name: token.name, reason: reason.trim() },
          },
          visitor,
        )
        return { changed }
      })
    },
  }
}

function itemOf(token: ServiceToken): ServiceTokenItem {
  const { id, name, createdAt, expiresAt, lastUsedAt, revokedAt } = token
  return {
    tokenUuid: id,
    name,
    permissions: [...token.permissions],
    organizationCodes: [...token.organizationCodes],
    createdAt,
    expiresAt,
    lastUsedAt,
    revokedAt,
  }
}
