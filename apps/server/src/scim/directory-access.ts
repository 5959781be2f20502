import type { Visitor } from '../http/visitor.ts'
import type { Stores } from '../stores.ts'

/** The calling directory. It reaches only the people of its own identity provider. */
export interface Directory {
  /** The ID of the identity provider. */
  readonly id: string
  readonly organizationCode: string
  readonly requiredGroup: string | null
}

/** One request of a directory. */
export interface DirectoryCall {
  readonly directory: Directory
  readonly at: number
  readonly visitor: Visitor
}

/**
 * Ends every session of people who left the directory, or who came back: a session from before they left must not be valid
 * again. Meanwhile `findOpen` excludes the sessions of those who left, so that a login at the same moment gains nothing.
 */
export async function endSessions(
  { sessions, audit }: Pick<Stores, 'audit' | 'sessions'>,
  identityIds: readonly string[],
  kind: 'directory-left' | 'directory-returned',
  { directory: { organizationCode }, at, visitor }: DirectoryCall,
): Promise<void> {
  await sessions.endAll(identityIds, at)
  for (const identityId of identityIds) {
    await audit.record(kind, { identityId, at, organizationCode }, visitor)
  }
}
