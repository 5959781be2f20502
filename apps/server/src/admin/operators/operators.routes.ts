import {
  createServiceToken,
  grantRole,
  listOperators,
  listServiceTokens,
  readOperator,
  revokeRole,
  revokeServiceToken,
} from '@portico/contracts/admin/operators'
import { ALL_ORGANIZATIONS } from '@portico/contracts/admin/permissions'
import { isInScope, scopeOfCodes } from '@portico/rules/operator-permissions'
import type { Organizations } from '../../brands/brands.ts'
import type { Clock } from '../../clock.ts'
import { admitRequest, bindAnswer } from '../../http/serve.ts'
import type { AllStores } from '../../stores.ts'
import { type AdminEdge, principalOf, serveAct, serveAdmin } from '../serve-admin.ts'
import { operatorGrants } from './operator-grants.ts'
import { serviceTokens } from './service-tokens.ts'

/** Routes for operators and their service tokens. */
export function adminOperators(
  edge: AdminEdge,
  deps: {
    readonly stores: AllStores
    readonly organizations: Organizations
    readonly clock: Clock
  },
): void {
  const { organizations } = deps
  const tokens = serviceTokens(deps)
  const grants = operatorGrants(deps)

  serveAdmin(edge, listOperators, async ({ query, operator, visitor }) => {
    const list = await grants.list(query, operator)
    const read = { operatorId: operator.id, organizationCode: '*' }
    await edge.boundedAudit.recordRead('operators-listed', read, visitor)
    return list
  })
  serveAct(edge, grantRole, {
    check: grants.checkGrant,
    perform: ({ body, ...actor }) => grants.grant(body, actor),
  })
  serveAct(edge, revokeRole, {
    check: grants.checkRevocation,
    perform: ({ body, ...actor }) => grants.revoke(body, actor),
  })
  serveAdmin(edge, listServiceTokens, ({ query, operator }) => tokens.list(query, operator))
  serveAdmin(edge, createServiceToken, ({ body, ...actor }) => tokens.create(body, actor))
  serveAct(edge, revokeServiceToken, {
    check: ({ tokenUuid }, operator) => tokens.checkRevocation(tokenUuid, operator),
    perform: ({ body, ...actor }) => tokens.revoke(body, actor),
  })
  // Not `serveAdmin`: this call also answers users without access and does not count as activity.
  bindAnswer(edge, readOperator, async (request, reply) => {
    const visitor = await admitRequest(edge, readOperator, { request, reply })
    const principal = await principalOf(edge, { request, reply }, visitor)
    const { operator, access, confirmedUntil, idleAt } = principal
    const permissions = operator.permissions.map((permission) => ({
      permission,
      scope: operator.scopeOf(permission),
    }))
    const allowed = scopeOfCodes(
      permissions.flatMap(({ scope }) =>
        scope.all ? [ALL_ORGANIZATIONS] : scope.organizationCodes,
      ),
    )
    return {
      kind: operator.kind,
      name: operator.name,
      access,
      roles: principal.grants.map(({ role, organizationCode }) => ({ role, organizationCode })),
      permissions: permissions.map(({ permission, scope }) => ({
        permission,
        scope: scope.all
          ? { all: true as const }
          : { organizationCodes: [...scope.organizationCodes] },
      })),
      organizations: organizations.all
        .filter(({ orgCode }) => isInScope(allowed, orgCode))
        .map(({ orgCode, companyInfo }) => ({ organizationCode: orgCode, name: companyInfo.name })),
      approvalActs: edge.actRequests.neededFor(operator),
      confirmedUntil: Number.isFinite(confirmedUntil) ? confirmedUntil : null,
      idleAt,
    }
  })
}
