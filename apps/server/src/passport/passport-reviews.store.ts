import { randomUUID } from 'node:crypto'
import { PASSPORT_SECTIONS, type PassportSection } from '@portico/contracts/passport-sections'
import type { PassportStatus } from '@portico/contracts/passport-status'
import type { Scope } from '@portico/rules/operator-permissions'
import type { Insertable, Selectable } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'

export type PassportReviewRow = Selectable<Tables['passportReviews']>

/** A cursor in the order of submission. Sections submitted at the same time are ordered by ID. */
export interface QueueCursor {
  readonly submittedAt: number
  readonly id: string
}

/** A reviewer and the organizations to list. */
export interface QueueScope {
  readonly identityId: string
  readonly organizations: Scope
}

interface PageRequest {
  readonly statuses: readonly PassportStatus[]
  readonly order: 'asc' | 'desc'
  readonly after?: QueueCursor | undefined
  readonly limit: number
}

/** Passport timelines, and the submitted sections that reviewers decide on. */
export function passportReviewsStore(database: Database) {
  /**
   * The passports that a reviewer must not review: those they created or joined, or whose account they can act as or are
   * invited to.
   */
  const ownPassports = (identityId: string) => {
    const passports = database.selectFrom('passports').select('id')
    const wallets = database.selectFrom('wallets').where('wallets.identityId', '=', identityId)
    // Each part uses an index; for a condition with `or`, PostgreSQL would scan every passport.
    return passports
      .where('creatorId', '=', identityId)
      .unionAll(
        database
          .selectFrom('passportMembers')
          .select('passportId as id')
          .where('identityId', '=', identityId),
      )
      .unionAll(passports.where('ownerWalletAddress', 'in', wallets.select('address')))
      .unionAll(
        passports.where(
          'ownerWalletAddress',
          'in',
          wallets
            .innerJoin('authorizations', 'authorizations.walletAddress', 'wallets.address')
            .select('accountAddress'),
        ),
      )
      .unionAll(
        passports.where(
          'ownerWalletAddress',
          'in',
          database
            .selectFrom('organizationInvitations')
            .select('accountAddress')
            .where('identityId', '=', identityId),
        ),
      )
  }

  /**
   * The sections of one status that a reviewer can see, in one organization if it is given. An index covers both in
   * submission order.
   */
  const submitted = ({
    identityId,
    organizationCode,
    status,
  }: {
    readonly identityId: string
    readonly organizationCode?: string
    readonly status: PassportStatus
  }) =>
    database
      .selectFrom('passportSections as submitted')
      .$if(organizationCode !== undefined, (query) =>
        query.where('submitted.organizationCode', '=', organizationCode ?? ''),
      )
      .where('submitted.status', '=', status)
      .where('submitted.submittedAt', 'is not', null)
      .where('submitted.passportId', 'not in', ownPassports(identityId))

  const eachStatus = (
    { identityId, organizations }: QueueScope,
    statuses: readonly PassportStatus[],
  ) =>
    organizations.all
      ? statuses.map((status) => submitted({ identityId, status }))
      : organizations.organizationCodes.flatMap((organizationCode) =>
          statuses.map((status) => submitted({ identityId, organizationCode, status })),
        )

  const listPage = (
    sections: ReturnType<typeof submitted>,
    { order, after, limit }: Omit<PageRequest, 'statuses'>,
  ) =>
    sections
      .innerJoin('passports', 'passports.id', 'submitted.passportId')
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
      .$if(after !== undefined, (query) =>
        query.where(({ eb, refTuple, tuple }) =>
          eb(
            refTuple('submitted.submittedAt', 'submitted.id'),
            order === 'asc' ? '>' : '<',
            tuple(after?.submittedAt ?? 0, after?.id ?? ''),
          ),
        ),
      )
      .orderBy('submitted.submittedAt', order)
      .orderBy('submitted.id', order)
      .limit(limit)
      .execute()

  return {
    async insert(entry: Omit<Insertable<Tables['passportReviews']>, 'id'>): Promise<void> {
      await database
        .insertInto('passportReviews')
        .values({ id: randomUUID(), ...entry })
        .execute()
    },

    /** Oldest first. Sections that were submitted together are in the order of the forms. */
    async list(passportId: string): Promise<PassportReviewRow[]> {
      const rows = await database
        .selectFrom('passportReviews')
        .selectAll()
        .where('passportId', '=', passportId)
        .execute()
      const positionOf = ({ section }: PassportReviewRow) => PASSPORT_SECTIONS.indexOf(section)
      return rows.toSorted((a, b) => a.createdAt - b.createdAt || positionOf(a) - positionOf(b))
    },

    /** The addresses of people in a passport's timeline who still have an account, by identity. */
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
    async listSubmitted(scope: QueueScope, { statuses, ...page }: PageRequest) {
      const lists = eachStatus(scope, statuses).map((sections) => listPage(sections, page))
      const all = (await Promise.all(lists)).flat().toSorted(bySubmission)
      return (page.order === 'asc' ? all : all.toReversed()).slice(0, page.limit)
    },

    /**
     * The number of submitted sections in these statuses, counted up to `limit`, so that a long list is not read completely.
     */
    async countSubmitted(
      scope: QueueScope,
      { statuses, limit }: Pick<PageRequest, 'limit' | 'statuses'>,
    ): Promise<number> {
      const counts = await Promise.all(
        eachStatus(scope, statuses).map((sections) =>
          database
            .selectFrom(sections.select('submitted.id').limit(limit).as('sections'))
            .select(({ fn }) => fn.countAll().as('count'))
            .executeTakeFirstOrThrow(),
        ),
      )
      return Math.min(
        limit,
        counts.reduce((sum, { count }) => sum + Number(count), 0),
      )
    },

    /** Changes a section's status if its version and status are still those that were decided on. */
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

const bySubmission = (a: QueueCursor, b: QueueCursor) =>
  a.submittedAt - b.submittedAt || (a.id < b.id ? -1 : 1)
