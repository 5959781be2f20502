/**
 * Authenticates the caller of an admin API call: a person with grants, in a session confirmed with a passkey or
 * authenticator app, or a program with a service token. Grants are read for every call, so a revocation takes effect at once
 * on every node.
 */
import type { Permission } from '@portico/contracts/admin/permissions'
import { Refusal } from '@portico/contracts/errors'
import { OPERATOR_IDLE_MS } from '@portico/contracts/limits'
import {
  idleAt,
  type OperatorAccess,
  operatorAccess,
  stepUpUntil,
  strongProofAt,
} from '@portico/rules/operator-access'
import {
  type Grant,
  isEmpty,
  permissionsOf,
  type Scope,
  scopeOf,
  scopeOfCodes,
} from '@portico/rules/operator-permissions'
import type { ActApproval } from '../../audit/audit.store.ts'
import type { Clock } from '../../clock.ts'
import { sha256 } from '../../secrets/hashes.ts'
import type { OpenSession } from '../../sessions/sessions.ts'
import type { Stores } from '../../stores.ts'
import type { ServiceToken } from './service-tokens.store.ts'

/** Distinguishes service tokens from session tokens and lets secret scanners find leaked ones. */
export const SERVICE_TOKEN_PREFIX = 'ptk_'

/** How precisely a session's last use is recorded, so that not every call writes to the database. */
const USE_ACCURACY_MS = 60_000

/** An authenticated person or program. */
export interface Operator {
  readonly kind: 'person' | 'token'
  /** The ID of the identity or the token, stored in the audit log. */
  readonly id: string
  /** Present if the caller is a person. */
  readonly sessionId?: string | undefined
  /** The person's email address, or the token's name. */
  readonly name: string
  /** The organizations for which the operator has a permission. */
  readonly scopeOf: (permission: Permission) => Scope
  readonly permissions: readonly Permission[]
  /** Present if a second operator approved the act. */
  readonly approval?: ActApproval
}

/** The caller, with or without access. */
export interface Principal {
  readonly operator: Operator
  readonly grants: readonly Grant[]
  readonly access: OperatorAccess
  /** Null if a sensitive call would need a new confirmation; `Infinity` for tokens. */
  readonly confirmedUntil: number | null
  readonly idleAt: number | null
  /**
   * Records the use of the session.
   *
   * @throws Refusal - `operator-idle` if it has ended or been idle for too long in the meantime
   */
  readonly recordUse: () => Promise<void>
}

export interface Operators {
  /** @throws Refusal - `service-token-refused` */
  readonly ofToken: (token: string) => Promise<Principal>
  readonly ofSession: (session: OpenSession) => Promise<Principal>
  /** Another operator, with current permissions; undefined if it no longer exists. */
  readonly find: (operator: Pick<Operator, 'id' | 'kind'>) => Promise<Operator | undefined>
}

export function openOperators(deps: {
  readonly stores: Pick<
    Stores,
    'directoryUsers' | 'identities' | 'identityRoles' | 'serviceTokens' | 'sessions'
  >
  readonly clock: Clock
}): Operators {
  const { stores, clock } = deps

  return {
    async ofToken(token) {
      const found = await stores.serviceTokens.use(sha256(token), clock())
      if (found === undefined) throw new Refusal('service-token-refused')
      return {
        operator: program(found),
        grants: [],
        access: 'granted',
        confirmedUntil: Number.POSITIVE_INFINITY,
        idleAt: null,
        recordUse: async () => undefined,
      }
    },

    async ofSession(session) {
      const [grants, operatorUsedAt] = await Promise.all([
        stores.identityRoles.listGrants(session.identityId),
        stores.sessions.findOperatorUse(session.id),
      ])
      const at = clock()
      const access = operatorAccess(
        { ...session, operatorUsedAt },
        { hasGrants: grants.length > 0, at },
      )
      const until = stepUpUntil(session)
      const provenAt = strongProofAt(session)
      return {
        operator: person(
          { id: session.identityId, email: session.email, sessionId: session.id },
          grants,
        ),
        grants,
        access,
        confirmedUntil: until !== undefined && until > at ? until : null,
        idleAt:
          access === 'granted' && provenAt !== undefined ? idleAt(provenAt, operatorUsedAt) : null,
        async recordUse() {
          if (operatorUsedAt !== null && at - operatorUsedAt < USE_ACCURACY_MS) return
          const isProven = provenAt !== undefined && at - provenAt < OPERATOR_IDLE_MS
          const usedAfter = isProven ? undefined : at - OPERATOR_IDLE_MS
          if (await stores.sessions.updateOperatorUse(session.id, { at, usedAfter })) return
          throw new Refusal('operator-idle')
        },
      }
    },

    async find({ id, kind }) {
      if (kind === 'token') {
        const token = await stores.serviceTokens.find(id)
        const isValid = token !== undefined && token.revokedAt === null
        return isValid && token.expiresAt > clock() ? program(token) : undefined
      }
      const identity = await stores.identities.findById(id)
      if (identity === undefined || identity.lockedAt !== null) return undefined
      if (await stores.directoryUsers.hasLeft(id)) return undefined
      return person(identity, await stores.identityRoles.listGrants(id))
    },
  }
}

function person(
  {
    id,
    email,
    sessionId,
  }: { readonly id: string; readonly email: string; readonly sessionId?: string },
  grants: readonly Grant[],
): Operator {
  return {
    kind: 'person',
    id,
    sessionId,
    name: email,
    scopeOf: (permission) => scopeOf(grants, permission),
    permissions: permissionsOf(grants),
  }
}

function program({ id, name, organizationCodes, permissions }: ServiceToken): Operator {
  const scope = scopeOfCodes(organizationCodes)
  return {
    kind: 'token',
    id,
    name,
    scopeOf: (permission) => (permissions.includes(permission) ? scope : { organizationCodes: [] }),
    permissions: isEmpty(scope) ? [] : permissions,
  }
}
