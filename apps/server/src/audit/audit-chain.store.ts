import type { Selectable } from 'kysely'
import type { Database } from '../database/database.ts'
import type { AuditEventsTable, AuditSealsTable } from '../database/tables.ts'

export type AuditEntry = Omit<Selectable<AuditEventsTable>, 'sequence' | 'hash'>

export type SealedEntry = AuditEntry & { readonly sequence: number; readonly hash: string }

const CHAIN = 'chain'
const ENTRY_COLUMNS = [
  'id',
  'createdAt',
  'kind',
  'identityId',
  'organizationCode',
  'network',
  'details',
  'operatorId',
] as const

/** The order and hashes of the audit log's entries, and the seals of its head. */
export function auditChainStore(database: Database) {
  return {
    /** The first entries that are not in the chain yet. */
    listUnsealed: (limit: number): Promise<AuditEntry[]> =>
      database
        .selectFrom('auditEvents')
        .select(ENTRY_COLUMNS)
        .where('sequence', 'is', null)
        .orderBy('createdAt')
        .orderBy('id')
        .limit(limit)
        .execute(),

    /** The head of the chain. Until the transaction ends, no other node extends it. */
    lockHead: () =>
      database
        .updateTable('auditChain')
        .set(({ ref }) => ({ sequence: ref('sequence') }))
        .where('id', '=', CHAIN)
        .returning(['sequence', 'hash', 'wrappedKey'])
        .executeTakeFirstOrThrow(),

    findHead: () =>
      database
        .selectFrom('auditChain')
        .select(['sequence', 'hash', 'wrappedKey'])
        .where('id', '=', CHAIN)
        .executeTakeFirst(),

    async updateHead(head: { sequence: number; hash: string; wrappedKey: string }): Promise<void> {
      await database.updateTable('auditChain').set(head).where('id', '=', CHAIN).execute()
    },

    async updateLine(id: string, place: { sequence: number; hash: string }): Promise<void> {
      await database
        .updateTable('auditEvents')
        .set({ sequence: place.sequence, hash: place.hash })
        .where('id', '=', id)
        .execute()
    },

    async insertSeal(seal: Selectable<AuditSealsTable>): Promise<void> {
      await database.insertInto('auditSeals').values(seal).execute()
    },

    listEntries: (after: number, limit: number): Promise<SealedEntry[]> =>
      database
        .selectFrom('auditEvents')
        .select([...ENTRY_COLUMNS, 'sequence', 'hash'])
        .where('sequence', '>', after)
        .where('sequence', 'is not', null)
        .orderBy('sequence')
        .limit(limit)
        .$narrowType<{ sequence: number; hash: string }>()
        .execute(),

    /** The seals of the entries after `after`, up to `last`. */
    listSeals: (after: number, last: number): Promise<Selectable<AuditSealsTable>[]> =>
      database
        .selectFrom('auditSeals')
        .select(['sequence', 'hash', 'sealedAt', 'mac'])
        .where('sequence', '>', after)
        .where('sequence', '<=', last)
        .orderBy('sequence')
        .execute(),

    lastSeal: (): Promise<Selectable<AuditSealsTable> | undefined> =>
      database
        .selectFrom('auditSeals')
        .select(['sequence', 'hash', 'sealedAt', 'mac'])
        .orderBy('sequence', 'desc')
        .limit(1)
        .executeTakeFirst(),
  }
}
