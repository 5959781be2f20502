import { randomUUID } from 'node:crypto'
import type { PassportSection } from '@portico/contracts/passport-sections'
import type { PassportStatus } from '@portico/contracts/passport-status'
import type { Insertable, Selectable } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'

export type PassportReviewRow = Selectable<Tables['passportReviews']>

/** A place in the order of submissions. Sections that were submitted at the same time are ordered by ID. */
export interface QueuePlace {
  readonly submittedAt: number
  readonly id: string
}

/** A reviewer, and the organizations that the reviewer looks at. */
export interface QueueScope {
  readonly identityId: string
  readonly organizationCodes: readonly string[]
}

/** The timeline of passports, and the submitted sections that reviewers decide about. */
export function passportReviewsStore(database: Database) {
  /** The submitted sections of a reviewer's organizations, without the passports of the reviewer. */
  const submitted = ({ identityId, organizationCodes }: QueueScope) =>
    database
      .selectFrom('passportSections as submitted')
      .innerJoin('passports', 'passports.id', 'submitted.passportId')
      .where('submitted.submittedAt', 'is not', null)
      .where('passports.organizationCode', 'in', organizationCodes)
      .where((where) =>
        where.or([
          where('passports.creatorId', 'is', null),
          where('passports.creatorId', '!=', identityId),
        ]),
      )
      .where('passports.id', 'not in', (query) =>
        query
          .selectFrom('passportMembers')
          .select('passportId')
          .where('identityId', '=', identityId),
      )
      .where('passports.ownerWalletAddress', 'not in', (query) =>
        query.selectFrom('wallets').select('address').where('identityId', '=', identityId),
      )
      .where('passports.ownerWalletAddress', 'not in', (query) =>
        query
          .selectFrom('wallets')
          .innerJoin('authorizations', 'authorizations.walletAddress', 'wallets.address')
          .select('accountAddress')
          .where('wallets.identityId', '=', identityId),
      )

  return {
    async insert(entry: Omit<Insertable<Tables['passportReviews']>, 'id'>): Promise<void> {
      await database
        .insertInto('passportReviews')
        .values({ id: randomUUID(), ...entry })
        .execute()
    },

    /** Oldest first. */
    list: (passportId: string): Promise<PassportReviewRow[]> =>
      database
        .selectFrom('passportReviews')
        .selectAll()
        .where('passportId', '=', passportId)
        .orderBy('createdAt')
        .orderBy('id')
        .execute(),

    /** The addresses of those in a passport's timeline who still have an account, by identity. */
    async listAuthors(passportId: string): Promise<ReadonlyMap<string, string>> {
      const rows = await database
        .selectFrom('identities')
        .select(['id', 'email'])
        .where('id', 'in', (query) =>
          query
            .selectFrom('passportReviews')
            .select((select) => select.ref('identityId').$notNull().as('identityId'))
            .where('passportId', '=', passportId)
            .where('identityId', 'is not', null),
        )
        .execute()
      return new Map(rows.map(({ id, email }) => [id, email]))
    },

    /** Submitted sections in these statuses, in the order of their submission. */
    listSubmitted(
      scope: QueueScope,
      {
        statuses,
        order,
        after,
        limit,
      }: {
        readonly statuses: readonly PassportStatus[]
        readonly order: 'asc' | 'desc'
        readonly after?: QueuePlace | undefined
        readonly limit: number
      },
    ) {
      const isPast = order === 'asc' ? '>' : '<'
      return submitted(scope)
        .leftJoin('passportSections as kyc', (join) =>
          join.onRef('kyc.passportId', '=', 'submitted.passportId').on('kyc.section', '=', 'kyc'),
        )
        .select([
          'submitted.id',
          'submitted.passportId',
          'submitted.section',
          'submitted.status',
          'passports.structureType',
          'passports.organizationCode',
          'passports.ownerWalletAddress',
          'kyc.answers as kycAnswers',
        ])
        .select((select) => select.ref('submitted.submittedAt').$notNull().as('submittedAt'))
        .where('submitted.status', 'in', statuses)
        .$if(after !== undefined, (query) =>
          query.where((where) =>
            where.or([
              where('submitted.submittedAt', isPast, after?.submittedAt ?? 0),
              where.and([
                where('submitted.submittedAt', '=', after?.submittedAt ?? 0),
                where('submitted.id', isPast, after?.id ?? ''),
              ]),
            ]),
          ),
        )
        .orderBy('submitted.submittedAt', order)
        .orderBy('submitted.id', order)
        .limit(limit)
        .execute()
    },

    /** The number of submitted sections by status. */
    async countSubmitted(scope: QueueScope): Promise<ReadonlyMap<PassportStatus, number>> {
      const rows = await submitted(scope)
        .select(({ fn }) => ['submitted.status', fn.countAll().as('count')])
        .groupBy('submitted.status')
        .execute()
      return new Map(rows.map(({ status, count }) => [status, Number(count)]))
    },

    /** Changes the status of a section if it is still in the version and status that the decision is about. */
    async decide(
      { passportId, section }: { passportId: string; section: PassportSection },
      change: { version: number; from: PassportStatus; to: PassportStatus },
    ): Promise<boolean> {
      const row = await database
        .updateTable('passportSections')
        .set({ status: change.to })
        .where('passportId', '=', passportId)
        .where('section', '=', section)
        .where('version', '=', change.version)
        .where('status', '=', change.from)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
