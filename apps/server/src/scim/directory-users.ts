/**
 * A directory's operations on users. A user is not an account: the first login at the identity provider links the two. A
 * user who is deactivated, deleted or removed from the required group has left, and the account can no longer log in.
 */
import { randomUUID } from 'node:crypto'
import { MAX_DIRECTORY_USERS } from '@portico/contracts/limits'
import type { Stores, TransactionalStores } from '../stores.ts'
import { withDeparture } from './departures.ts'
import {
  type Directory,
  type DirectoryCall,
  endSessions,
  type LockedCall,
  lockProvider,
} from './directory-access.ts'
import { type DirectoryUserRow, userColumns } from './directory-users.store.ts'
import { isUniqueViolation, notFound, notUnique, tooMany } from './scim-error.ts'
import {
  type DirectoryUser,
  isDeactivation,
  isInactiveUser,
  patchUser,
  readPatch,
  readUser,
} from './scim-patch.ts'

type DirectoryStores = 'audit' | 'directoryUsers' | 'providers' | 'sessions'
type Transaction = Pick<Stores, DirectoryStores>

export function directoryUsers(stores: TransactionalStores<DirectoryStores>) {
  return {
    async get({ id: providerId }: Directory, id: string): Promise<DirectoryUserRow> {
      const row = await stores.directoryUsers.find(providerId, id)
      if (row === undefined) throw notFound(id)
      return row
    },

    /** @throws ScimError - 409 if another user has the userName, 403 if the directory has too many */
    create(call: DirectoryCall, body: unknown): Promise<DirectoryUserRow> {
      const { active = true, ...user } = readUser(body)
      return atomically(call, async (transaction) => {
        const deleted = await findDeleted(transaction, call, user)
        if (deleted !== undefined) return save(transaction, deleted, { ...user, active }, call)
        const { at, directory } = call
        const row = await transaction.directoryUsers.insert({
          ...userColumns(user),
          id: randomUUID(),
          providerId: directory.id,
          deactivatedAt: active ? null : at,
          createdAt: at,
          updatedAt: at,
        })
        if (row === undefined) throw notUnique('userName')
        if (!(await transaction.providers.countDirectoryUser(directory.id, MAX_DIRECTORY_USERS))) {
          throw tooMany('users', MAX_DIRECTORY_USERS)
        }
        return connect(transaction, row, call)
      })
    },

    /** PUT. Without `active`, the user stays active or inactive. @throws ScimError - 404, 409 */
    replace(call: DirectoryCall, id: string, body: unknown): Promise<DirectoryUserRow> {
      return withDeparture(
        async () => {
          const user = readUser(body)
          return change(call, id, (current) => ({ active: current.active, ...user }))
        },
        () => (isInactiveUser(body) ? deactivation(call, id) : undefined),
      )
    },

    /** @throws ScimError - 404, 409 */
    patch(call: DirectoryCall, id: string, body: unknown): Promise<DirectoryUserRow> {
      return withDeparture(
        async () => {
          const operations = readPatch(body)
          return change(call, id, (current) => patchUser(current, operations))
        },
        () => (isDeactivation(body) ? deactivation(call, id) : undefined),
      )
    },

    /** @throws ScimError - 404 */
    delete(call: DirectoryCall, id: string): Promise<void> {
      return atomically(call, async (transaction, { requiredGroup }) => {
        const row = await connect(transaction, await getForUpdate(transaction, call, id), call)
        if (row.identityId === null) return transaction.directoryUsers.delete(id)
        const wasActive = !hasLeft(row)
        const leavesGroup =
          requiredGroup !== null && (await transaction.directoryUsers.isInGroup(row, requiredGroup))
        // The row blocks logins of the account, and lets the directory add the same person again.
        await transaction.directoryUsers.update(id, {
          ...userColumns({ userName: id, externalId: row.externalId ?? undefined }),
          deactivatedAt: row.deactivatedAt ?? call.at,
          leftGroupAt: leavesGroup ? call.at : row.leftGroupAt,
          deletedAt: call.at,
        })
        await transaction.directoryUsers.deleteMemberships(id)
        if (wasActive) await endSessions(transaction, [row.identityId], 'directory-left', call)
      })
    },
  }

  function change(
    call: DirectoryCall,
    id: string,
    changed: (current: DirectoryUser) => DirectoryUser,
  ): Promise<DirectoryUserRow> {
    return atomically(call, async (transaction) => {
      const row = await getForUpdate(transaction, call, id)
      return save(transaction, row, changed(userOf(row)), call)
    })
  }

  function deactivation(call: DirectoryCall, id: string) {
    return {
      apply: () => change(call, id, (current) => ({ ...current, active: false })),
      applied: 'The user was deactivated.',
    }
  }

  /**
   * Runs a transaction that locks the provider, as a first login does: otherwise neither would find the row that the other is
   * adding, and the user would not be connected to the account. Of two concurrent ones that take the same name, the second is
   * refused.
   */
  async function atomically<Result>(
    call: DirectoryCall,
    work: (transaction: Transaction, locked: LockedCall) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await stores.atomically(async (transaction) =>
        work(transaction, await lockProvider(transaction, call)),
      )
    } catch (error) {
      throw isUniqueViolation(error) ? notUnique('userName') : error
    }
  }
}

async function getForUpdate(
  { directoryUsers }: Transaction,
  { directory }: DirectoryCall,
  id: string,
): Promise<DirectoryUserRow> {
  const row = await directoryUsers.findForUpdate(directory.id, id)
  if (row === undefined) throw notFound(id)
  return row
}

/** The deleted user that the directory adds again. Only the directory's own ID proves that it is the same person. */
async function findDeleted(
  { directoryUsers }: Transaction,
  { directory }: DirectoryCall,
  { externalId }: Pick<DirectoryUser, 'externalId'>,
): Promise<DirectoryUserRow | undefined> {
  return externalId === undefined
    ? undefined
    : directoryUsers.findDeletedForUpdate(directory.id, externalId)
}

/** Stores a user's attributes, and ends the sessions of a person who leaves or comes back. */
async function save(
  transaction: Transaction,
  row: DirectoryUserRow,
  { active, ...user }: DirectoryUser,
  call: DirectoryCall,
): Promise<DirectoryUserRow> {
  const { at } = call
  if (await transaction.directoryUsers.isNameTaken(row, user.userName)) {
    throw notUnique('userName')
  }
  const saved = await transaction.directoryUsers.update(row.id, {
    ...userColumns(user),
    deactivatedAt: active ? null : (row.deactivatedAt ?? at),
    deletedAt: null,
    updatedAt: at,
  })
  if (saved.identityId === null) return connect(transaction, saved, call)
  if (hasLeft(saved) !== hasLeft(row)) await endSessionsOf(transaction, saved, call)
  return saved
}

/** Links a user to the account of a person who has logged in with the provider before. */
async function connect(
  transaction: Transaction,
  row: DirectoryUserRow,
  call: DirectoryCall,
): Promise<DirectoryUserRow> {
  if (row.identityId !== null) return row
  const identityId = await transaction.directoryUsers.findAccount(row)
  if (identityId === undefined) return row
  const connected = await transaction.directoryUsers.update(row.id, { identityId })
  if (hasLeft(connected)) await endSessionsOf(transaction, connected, call)
  return connected
}

async function endSessionsOf(
  transaction: Transaction,
  row: DirectoryUserRow,
  call: DirectoryCall,
): Promise<void> {
  if (row.identityId === null) return
  const kind = hasLeft(row) ? 'directory-left' : 'directory-returned'
  await endSessions(transaction, [row.identityId], kind, call)
}

function hasLeft({ deactivatedAt, leftGroupAt }: DirectoryUserRow): boolean {
  return deactivatedAt !== null || leftGroupAt !== null
}

function userOf(row: DirectoryUserRow): DirectoryUser {
  return {
    userName: row.userName,
    externalId: row.externalId ?? undefined,
    active: row.deactivatedAt === null,
    email: row.email ?? undefined,
    displayName: row.displayName ?? undefined,
    givenName: row.givenName ?? undefined,
    familyName: row.familyName ?? undefined,
  }
}
