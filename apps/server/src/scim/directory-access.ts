import type { Visitor } from '../http/visitor.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import type { Stores } from '../stores.ts'

/** The calling directory. It reaches only the people of its own identity provider. */
export interface Directory {
  /** The ID of the identity provider. */
  readonly id: string
  readonly organizationCode: string
}

/** One request of a directory. */
export interface DirectoryCall {
  readonly directory: Directory
  readonly at: number
  readonly visitor: Visitor
}

/** A request that holds the lock on its identity provider, with the provider's required group. */
export interface LockedCall extends DirectoryCall {
  readonly requiredGroup: string | null
}

/**
 * Locks the identity provider until the transaction ends. Serializes changes of its users and groups, changes of the required
 * group, and first logins, so that none of them acts on data that another is changing.
 */
export async function lockProvider(
  { providers }: Pick<Stores, 'providers'>,
  call: DirectoryCall,
): Promise<LockedCall> {
  const provider = await providers.findForUpdate(call.directory.id)
  return { ...call, requiredGroup: provider?.requiredGroup ?? null }
}

/**
 * Ends every session of people who left the directory or came back, because a session from before they left must not become
 * valid again. Accounts that the provider does not manage lose only the sessions that began at a provider. In the meantime
 * `findOpen` excludes the sessions of those who left, so a concurrent login gains nothing.
 */
export async function endSessions(
  stores: Pick<Stores, 'audit' | 'providers' | 'sessions'>,
  identityIds: readonly string[],
  kind: 'directory-left' | 'directory-returned',
  { directory: { id: providerId, organizationCode }, at, visitor }: DirectoryCall,
): Promise<void> {
  const managed = await stores.providers.listManaged(providerId, identityIds)
  await endSessionsOf(stores, [...managed], at)
  for (const identityId of identityIds) {
    if (!managed.has(identityId)) await stores.sessions.endOfProviders(identityId, at)
  }
  for (const identityId of identityIds) {
    await stores.audit.record(kind, { identityId, at, organizationCode }, visitor)
  }
}
