/**
 * A directory's operations on groups. Only the group that the identity provider requires, by name or by the directory's own
 * ID, has an effect: its members may log in, and leaving it counts as leaving the directory. Members are changed by ID; no
 * change reads the other members.
 */
import { randomUUID } from 'node:crypto'
import { MAX_DIRECTORY_GROUPS } from '@portico/contracts/limits'
import type { Stores, TransactionalStores } from '../stores.ts'
import { withDeparture } from './departures.ts'
import {
  type Directory,
  type DirectoryCall,
  endSessions,
  type LockedCall,
  lockProvider,
} from './directory-access.ts'
import type { DirectoryGroupRow } from './directory-groups.store.ts'
import type { MemberSelection } from './directory-users.store.ts'
import {
  isReferenceViolation,
  isUniqueViolation,
  notFound,
  notUnique,
  ScimError,
  tooMany,
} from './scim-error.ts'
import {
  type GroupChange,
  groupChanges,
  namedRemovals,
  readGroup,
  readPatch,
} from './scim-patch.ts'

type DirectoryStores = 'audit' | 'directoryGroups' | 'directoryUsers' | 'providers' | 'sessions'
type Transaction = Pick<Stores, DirectoryStores>

/** The maximum number of members that one statement adds. */
const BATCH = 500

export function directoryGroups(stores: TransactionalStores<DirectoryStores>) {
  return {
    async get({ id: providerId }: Directory, id: string): Promise<DirectoryGroupRow> {
      const row = await stores.directoryGroups.find(providerId, id)
      if (row === undefined) throw notFound(id)
      return row
    },

    /** @throws ScimError - 409 if another group has the displayName */
    create(call: DirectoryCall, body: unknown): Promise<DirectoryGroupRow> {
      const { displayName, externalId, members = [] } = readGroup(body)
      return atomically(async (transaction) => {
        const locked = await lockProvider(transaction, call)
        const group = await transaction.directoryGroups.insert({
          id: randomUUID(),
          providerId: call.directory.id,
          displayName,
          displayNameKey: displayName.toLowerCase(),
          externalId: externalId ?? null,
          createdAt: call.at,
          updatedAt: call.at,
        })
        if (group === undefined) throw notUnique('displayName')
        const count = await transaction.directoryGroups.count(
          call.directory.id,
          MAX_DIRECTORY_GROUPS + 1,
        )
        if (count > MAX_DIRECTORY_GROUPS) throw tooMany('groups', MAX_DIRECTORY_GROUPS)
        return apply(transaction, group, { kind: 'addMembers', ids: members }, locked)
      })
    },

    /** PUT. Omitted members stay. @throws ScimError - 404, 409 */
    replace(call: DirectoryCall, id: string, body: unknown): Promise<DirectoryGroupRow> {
      const { displayName, externalId, members } = readGroup(body)
      return change(call, id, [
        { kind: 'displayName', displayName },
        { kind: 'externalId', externalId },
        ...(members === undefined ? [] : [{ kind: 'replaceMembers' as const, ids: members }]),
      ])
    },

    /** @throws ScimError - 404, 409 */
    patch(call: DirectoryCall, id: string, body: unknown): Promise<DirectoryGroupRow> {
      return withDeparture(
        async () => change(call, id, groupChanges(readPatch(body))),
        () => {
          const ids = namedRemovals(body)
          if (ids.length === 0) return undefined
          return {
            apply: () => change(call, id, [{ kind: 'removeMembers', ids }]),
            applied: 'The members to remove were removed.',
          }
        },
      )
    },

    /** @throws ScimError - 404 */
    delete(call: DirectoryCall, id: string): Promise<void> {
      return stores.atomically(async (transaction) => {
        const locked = await lockProvider(transaction, call)
        const group = await getForUpdate(transaction, locked, id)
        await removeMembers(transaction, group, {}, locked)
        await transaction.directoryGroups.delete(id)
      })
    },
  }

  function change(
    call: DirectoryCall,
    id: string,
    changes: readonly GroupChange[],
  ): Promise<DirectoryGroupRow> {
    return atomically(async (transaction) => {
      const locked = await lockProvider(transaction, call)
      let group = await getForUpdate(transaction, locked, id)
      for (const each of changes) group = await apply(transaction, group, each, locked)
      return transaction.directoryGroups.update(id, { updatedAt: call.at })
    })
  }

  /** Runs a transaction that a concurrent one can conflict with, by taking the same name or deleting a new member. */
  async function atomically<Result>(
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await stores.atomically(work)
    } catch (error) {
      if (isUniqueViolation(error)) throw notUnique('displayName')
      if (isReferenceViolation(error)) {
        throw new ScimError(409, 'A member was deleted at this moment. Send the request again.')
      }
      throw error
    }
  }
}

async function getForUpdate(
  { directoryGroups }: Transaction,
  { directory }: DirectoryCall,
  id: string,
): Promise<DirectoryGroupRow> {
  const group = await directoryGroups.findForUpdate(directory.id, id)
  if (group === undefined) throw notFound(id)
  return group
}

async function apply(
  transaction: Transaction,
  group: DirectoryGroupRow,
  change: GroupChange,
  call: LockedCall,
): Promise<DirectoryGroupRow> {
  switch (change.kind) {
    case 'displayName': {
      const { displayName } = change
      if (await transaction.directoryGroups.isNameTaken(group, displayName)) {
        throw notUnique('displayName')
      }
      const displayNameKey = displayName.toLowerCase()
      return rename(transaction, group, { displayName, displayNameKey }, call)
    }
    case 'externalId':
      return rename(transaction, group, { externalId: change.externalId ?? null }, call)
    case 'addMembers':
      await addMembers(transaction, group, change.ids, call)
      return group
    case 'removeMembers':
      await removeMembers(transaction, group, { only: change.ids }, call)
      return group
    case 'replaceMembers':
      await removeMembers(transaction, group, { except: change.ids }, call)
      await addMembers(transaction, group, change.ids, call)
      return group
  }
}

/** When a group becomes or stops being the required one, its members rejoin or leave. */
async function rename(
  transaction: Transaction,
  before: DirectoryGroupRow,
  changes: Partial<Pick<DirectoryGroupRow, 'displayName' | 'displayNameKey' | 'externalId'>>,
  call: LockedCall,
): Promise<DirectoryGroupRow> {
  const group = await transaction.directoryGroups.update(before.id, changes)
  const [was, is] = [isRequired(before, call), isRequired(group, call)]
  if (was && !is) await leave(transaction, { groupId: group.id }, call)
  if (!was && is) await rejoin(transaction, { groupId: group.id }, call)
  return group
}

async function addMembers(
  transaction: Transaction,
  group: DirectoryGroupRow,
  ids: readonly string[],
  call: LockedCall,
): Promise<void> {
  for (let from = 0; from < ids.length; from += BATCH) {
    const only = ids.slice(from, from + BATCH)
    const users = await transaction.directoryUsers.listIds(group.providerId, only)
    const unknown = only.find((id) => !users.has(id))
    if (unknown !== undefined) throw unknownMember(unknown)
    await transaction.directoryGroups.insertMembers(group.id, only)
    if (isRequired(group, call)) await rejoin(transaction, { groupId: group.id, only }, call)
  }
}

async function removeMembers(
  transaction: Transaction,
  group: DirectoryGroupRow,
  selection: Omit<MemberSelection, 'groupId'>,
  call: LockedCall,
): Promise<void> {
  const members = { groupId: group.id, ...selection }
  if (selection.only?.length === 0) return
  // Before the members are removed, so that every transaction locks users first.
  if (isRequired(group, call)) await leave(transaction, members, call)
  await transaction.directoryGroups.deleteMembers(members)
}

async function leave(
  transaction: Transaction,
  members: MemberSelection,
  call: LockedCall,
): Promise<void> {
  const identityIds = await transaction.directoryUsers.updateLeftGroup(members, call.at)
  await endSessions(transaction, identityIds, 'directory-left', call)
}

async function rejoin(
  transaction: Transaction,
  members: MemberSelection,
  call: LockedCall,
): Promise<void> {
  const identityIds = await transaction.directoryUsers.updateReturnedToGroup(members)
  await endSessions(transaction, identityIds, 'directory-returned', call)
}

function isRequired(
  { displayName, externalId }: DirectoryGroupRow,
  { requiredGroup }: LockedCall,
): boolean {
  return requiredGroup !== null && (displayName === requiredGroup || externalId === requiredGroup)
}

function unknownMember(id: string): ScimError {
  return new ScimError(
    400,
    `There is no user with the id ${id}. Groups within groups are not supported: send their users.`,
    'invalidValue',
    { attribute: 'members' },
  )
}
