/** A session of your application. Store it unchanged. */
export interface StoredSession {
  /** A hash: the browser's cookie cannot be derived from it. */
  readonly id: string
  /** The session at Portico. Several sessions may share one. */
  readonly sid: string
  /** The encrypted tokens, about 3 kB. */
  readonly value: string
  /** When to delete it, in milliseconds since 1970. */
  readonly expiresAt: number
}

/**
 * Stores your application's sessions, ideally in its own database, so that they survive a restart and are shared by all
 * processes. `examples/lender-app/src/sessions.ts` is an implementation on SQLite.
 */
export interface SessionStore {
  find(id: string): Promise<StoredSession | undefined>
  insert(session: StoredSession): Promise<void>
  /**
   * Lets only one caller at a time refresh a session, in one atomic statement: `update … set refreshing_until = :until where
   * id = :id and refreshing_until <= :at`. Times are milliseconds since 1970.
   *
   * @returns whether this caller may
   */
  claimRefresh(id: string, claim: { readonly at: number; readonly until: number }): Promise<boolean>
  /** Replaces the value and ends the claim. Changes nothing if the session was deleted in the meantime. */
  update(id: string, value: string): Promise<void>
  delete(id: string): Promise<void>
  /** Deletes all sessions that belong to a session at Portico. */
  deleteBySid(sid: string): Promise<void>
}

/** For development and tests: sessions end with the process. */
export function memoryStore(): SessionStore {
  const sessions = new Map<string, StoredSession & { readonly refreshingUntil: number }>()
  return {
    async find(id) {
      return sessions.get(id)
    },
    async insert(session) {
      for (const { id, expiresAt } of sessions.values()) {
        if (expiresAt <= Date.now()) sessions.delete(id)
      }
      sessions.set(session.id, { ...session, refreshingUntil: 0 })
    },
    async claimRefresh(id, { at, until }) {
      const session = sessions.get(id)
      if (session === undefined || session.refreshingUntil > at) return false
      sessions.set(id, { ...session, refreshingUntil: until })
      return true
    },
    async update(id, value) {
      const session = sessions.get(id)
      if (session !== undefined) sessions.set(id, { ...session, value, refreshingUntil: 0 })
    },
    async delete(id) {
      sessions.delete(id)
    },
    async deleteBySid(sid) {
      for (const session of sessions.values()) if (session.sid === sid) sessions.delete(session.id)
    },
  }
}
