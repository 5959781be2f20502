import {
  changePersonOrganization,
  deletePerson,
  endPersonSessions,
  exportPerson,
  findPeople,
  impersonatePerson,
  lockPerson,
  readPerson,
  resendPersonMessage,
  resetPersonFactor,
  unlockPerson,
} from '@portico/contracts/admin/people'
import type { Organizations } from '../../brands/brands.ts'
import type { Clock } from '../../clock.ts'
import { collectAccount, type ListPassports } from '../../identity/account-security/account-data.ts'
import { securityOverview } from '../../identity/account-security/overview.ts'
import { auditedAddress } from '../../lockout/lockout.ts'
import type { Outbox } from '../../mail/outbox.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { AllStores } from '../../stores.ts'
import { type AdminEdge, serveAct, serveAdmin } from '../serve-admin.ts'
import { personActs } from './act-on-person.ts'
import { people } from './find-people.ts'
import { impersonation } from './impersonate.ts'

/** Routes for people. */
export function adminPeople(
  edge: AdminEdge,
  deps: {
    readonly stores: AllStores
    readonly organizations: Organizations
    readonly vault: Vault
    readonly clock: Clock
    readonly outbox: Outbox
    readonly listPassports: ListPassports
    readonly removeFile: (fileId: string) => Promise<void>
  },
): void {
  const { find, read } = people(deps)
  const collect = collectAccount({ ...deps, overview: securityOverview(deps) })
  const acts = personActs({ ...deps, collect })
  const impersonate = impersonation({ ...deps, sessions: edge.sessions })

  serveAdmin(edge, findPeople, async ({ query, operator, visitor }) => {
    const found = await find(query, operator)
    const { search = '', organizationCode = '*' } = query
    const term = search.trim() === '' ? {} : { search: auditedAddress(deps.vault, search.trim()) }
    const details = { ...term, found: found.items.length }
    const read = { operatorId: operator.id, organizationCode, details }
    await edge.boundedAudit.recordRead('people-searched', read, visitor)
    return found
  })
  serveAdmin(edge, readPerson, async ({ query, operator, visitor }) => {
    const person = await read(query.identityUuid, operator)
    const { identityUuid: identityId, organizationCode } = person
    const view = { operatorId: operator.id, identityId, organizationCode }
    await edge.boundedAudit.recordRead('person-viewed', view, visitor)
    return person
  })
  const { check } = acts
  serveAct(edge, unlockPerson, {
    check,
    perform: ({ body, ...actor }) => acts.unlock(body, actor),
  })
  serveAct(edge, lockPerson, {
    check,
    perform: ({ body, ...actor }) => acts.lock(body, actor),
  })
  serveAct(edge, endPersonSessions, {
    check,
    perform: ({ body, ...actor }) => acts.endSessions(body, actor),
  })
  serveAct(edge, resetPersonFactor, {
    check,
    perform: ({ body, ...actor }) => acts.resetFactor(body, actor),
  })
  serveAct(edge, changePersonOrganization, {
    check: acts.checkMove,
    perform: async ({ body, ...actor }) => acts.changeOrganization(body, actor),
  })
  serveAdmin(edge, resendPersonMessage, async ({ body, ...actor }) =>
    acts.resendMessage(body, actor),
  )
  serveAdmin(edge, exportPerson, async ({ body, ...actor }) => acts.export(body, actor))
  serveAct(edge, deletePerson, {
    check: acts.checkDeletion,
    perform: ({ body, ...actor }) => acts.delete(body, actor),
  })
  serveAdmin(edge, impersonatePerson, async ({ body, ...actor }) => impersonate(body, actor))
}
