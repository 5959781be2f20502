import type { DatabaseSync } from 'node:sqlite'
import type { SessionStore, StoredSession } from '@portico/sdk/server'

/** Users' sessions in the application's database. */
export function sqliteSessions(database: DatabaseSync): SessionStore {
  return {
    async find(id) {
      const row = database
        .prepare('select id, sid, value, expires_at as expiresAt from sessions where id = ?')
        .get(id)
      return row as StoredSession | undefined // The query's columns.
    },
    async insert({ id, sid, value, expiresAt }) {
      database.prepare('delete from sessions where expires_at <= ?').run(Date.now())
      database
        .prepare('insert into sessions (id, sid, value, expires_at) values (?, ?, ?, ?)')
        .run(id, sid, value, expiresAt)
    },
    async claimRefresh(id, { at, until }) {
      const { changes } = database
        .prepare('update sessions set refreshing_until = ? where id = ? and refreshing_until <= ?')
        .run(until, id, at)
      return changes === 1
    },
    async update(id, value) {
      database
        .prepare('update sessions set value = ?, refreshing_until = 0 where id = ?')
        .run(value, id)
    },
    async delete(id) {
      database.prepare('delete from sessions where id = ?').run(id)
    },
    async deleteBySid(sid) {
      database.prepare('delete from sessions where sid = ?').run(sid)
    },
  }
}
