import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Evidence files of investor passports. Their bytes are in the file storage. */
export const passportFiles: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  `create table passport_files (
    id text primary key,
    passport_id text not null references passports (id) on delete cascade,
    identity_id text references identities (id),
    wrapped text not null,
    bytes bigint not null,
    received_bytes bigint not null,
    parts text not null,
    type text,
    content_bytes bigint,
    created_at bigint not null,
    expires_at bigint
  )`,
  'create index passport_files_passport_id on passport_files (passport_id)',
  'create index passport_files_identity_id on passport_files (identity_id)',
  'create index passport_files_expires_at on passport_files (expires_at)',
]
