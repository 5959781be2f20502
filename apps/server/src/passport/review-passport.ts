/** Passport reviews (§4.9): the queue of submitted sections, a single section, and the decision about it. */
import { Refusal } from '@portico/contracts/errors'
import { MAX_REVIEWS_COUNTED } from '@portico/contracts/limits'
import type {
  Review,
  ReviewDecision,
  ReviewItem,
  ReviewQueue,
  ReviewState,
} from '@portico/contracts/passport-review'
import type { PassportSection } from '@portico/contracts/passport-sections'
import type { PassportStatus } from '@portico/contracts/passport-status'
import { passportPath } from '@portico/rules/gatekeeper'
import { isEmpty, isInScope, type Scope, scopeOf } from '@portico/rules/operator-permissions'
import {
  isWaitingForReview,
  STATUSES_IN_REVIEW,
  statusAfter,
} from '@portico/rules/passport-transitions'
import type { Organizations } from '../brands/brands.ts'
import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import { passportApprovedMail, passportDeniedMail, passportReturnedMail } from '../mail/mails.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Vault } from '../secrets/vault.ts'
import type { OpenSession } from '../sessions/sessions.ts'
import type { Stores, TransactionalStores } from '../stores.ts'
import { findAccessible, lockAccessible } from './passport-access.ts'
import type { QueueCursor, QueueScope } from './passport-reviews.store.ts'
import type { PassportRow } from './passports.store.ts'
import {
  areFilesShownToReviewers,
  investorName,
  isShownToReviewers,
  passportEntry,
  passportFile,
  passportMember,
  recordReading,
  savedSection,
  wrapReason,
} from './read-passport.ts'

const PAGE_SIZE = 25

const DECIDED_MAILS = {
  approved: passportApprovedMail,
  returned: passportReturnedMail,
  denied: passportDeniedMail,
} as const

/** The queue is read from the database or within a transaction. */
type ReadStores = Pick<Stores, 'identityRoles' | 'passportReviews'>

export function passportReviews(deps: {
  readonly stores: TransactionalStores<
    | 'accounts'
    | 'audit'
    | 'identities'
    | 'identityRoles'
    | 'organizationInvitations'
    | 'messages'
    | 'passportFiles'
    | 'passportMembers'
    | 'passportReviews'
    | 'passports'
    | 'passportSections'
    | 'wallets'
  >
  readonly organizations: Pick<Organizations, 'all'>
  readonly vault: Vault
  readonly clock: Clock
  readonly outbox: Outbox
}) {
  const { stores, organizations, vault, clock, outbox } = deps

  /**
   * The scope of the user's reviews: all of their organizations, or one of them.
   *
   * @throws Refusal - `not-found` if the user is not a reviewer
   */
  async function queueScope(
    { identityId }: OpenSession,
    organizationCode?: string,
  ): Promise<QueueScope & { readonly allowed: Scope }> {
    const allowed = await allowedTo(identityId)
    if (organizationCode === undefined ? isEmpty(allowed) : !isInScope(allowed, organizationCode)) {
      throw new Refusal('not-found')
    }
    const organizations =
      organizationCode === undefined ? allowed : { organizationCodes: [organizationCode] }
    return { identityId, organizations, allowed }
  }

  const allowedTo = async (identityId: string, from: ReadStores = stores): Promise<Scope> =>
    scopeOf(await from.identityRoles.listGrants(identityId), 'passports.review')

  const listPage = (
    scope: QueueScope,
    state: ReviewState,
    {
      after,
      limit,
      from = stores,
    }: { after?: QueueCursor | undefined; limit: number; from?: ReadStores },
  ) =>
    from.passportReviews.listSubmitted(scope, {
      statuses: STATUSES_IN_REVIEW[state],
      order: state === 'waiting' ? 'asc' : 'desc',
      after,
      limit,
    })

  async function countsOf(scope: QueueScope): Promise<ReviewQueue['counts']> {
    const count = (state: ReviewState) =>
      stores.passportReviews.countSubmitted(scope, {
        statuses: STATUSES_IN_REVIEW[state],
        limit: MAX_REVIEWS_COUNTED,
      })
    return {
      waiting: await count('waiting'),
      'with-investor': await count('with-investor'),
      approved: await count('approved'),
      denied: await count('denied'),
    }
  }

  type QueueRow = Awaited<ReturnType<typeof listPage>>[number]

  const itemOf = (row: QueueRow): ReviewItem => ({
    passportUuid: row.passportId,
    section: row.section,
    passportStructureType: row.structureType,
    organizationCode: row.organizationCode,
    ownerWalletAddress: row.ownerWalletAddress,
    name: investorName(vault, row.kycAnswers ?? undefined),
    status: row.status,
    submittedAt: row.submittedAt,
  })

  /** The section after this cursor in the queue, or else the one that has waited the longest. */
  async function nextWaiting(
    from: ReadStores,
    { identityId, after }: { readonly identityId: string; readonly after: QueueCursor },
  ) {
    const scope = { identityId, organizations: await allowedTo(identityId, from) }
    const [later] = await listPage(scope, 'waiting', { after, limit: 1, from })
    const [next] =
      later === undefined ? await listPage(scope, 'waiting', { limit: 1, from }) : [later]
    return next === undefined ? null : { passportUuid: next.passportId, section: next.section }
  }

  return {
    async readQueue(
      {
        state = 'waiting',
        organizationCode,
        after,
      }: {
        readonly state?: ReviewState | undefined
        readonly organizationCode?: string | undefined
        readonly after?: string | undefined
      },
      session: OpenSession,
      visitor: Visitor,
    ): Promise<ReviewQueue> {
      const scope = await queueScope(session, organizationCode)
      const [rows, counts] = await Promise.all([
        // One extra row, to see whether there is another page.
        listPage(scope, state, {
          after: after === undefined ? undefined : parseCursor(after),
          limit: PAGE_SIZE + 1,
        }),
        countsOf(scope),
      ])
      const page = rows.slice(0, PAGE_SIZE)
      const last = page.at(-1)
      return {
        items: page.map(itemOf),
        next: rows.length > PAGE_SIZE && last !== undefined ? formatCursor(last) : null,
        counts,
        organizations: (scope.allowed.all
          ? organizations.all.map(({ orgCode }) => orgCode)
          : scope.allowed.organizationCodes
        ).map((code) => ({
          organizationCode: code,
          name: visitor.senderTo(code).organization.companyInfo.name,
        })),
      }
    },

    async read(
      { passportUuid, section }: { passportUuid: string; section: PassportSection },
      session: OpenSession,
      visitor: Visitor,
    ): Promise<Review> {
      const found = await findAccessible(stores, passportUuid, session)
      if (found?.access !== 'reviewer') throw new Refusal('not-found')
      const { passport } = found
      const [rows, members, files, history, authors, creator] = await Promise.all([
        stores.passportSections.list(passport.id),
        stores.passportMembers.list(passport.id),
        stores.passportFiles.list(passport.id),
        stores.passportReviews.list(passport.id),
        stores.passportReviews.listAuthors(passport.id),
        passport.creatorId === null ? undefined : stores.identities.findById(passport.creatorId),
      ])
      const row = rows.find((each) => each.section === section)
      if (row === undefined || !isShownToReviewers(row)) throw new Refusal('not-found')
      const details = { section }
      const reading = { passport, session, visitor, at: clock(), details }
      await recordReading(stores, 'passport-answers-read', reading)
      const type = passport.structureType
      return {
        passportUuid: passport.id,
        passportStructureType: type,
        organizationCode: passport.organizationCode,
        ownerWalletAddress: passport.ownerWalletAddress,
        name: investorName(vault, rows.find((each) => each.section === 'kyc')?.answers),
        submittedAt: row.submittedAt ?? row.savedAt,
        isWaiting: isWaitingForReview(row.status),
        creatorEmail: creator?.email ?? null,
        ...savedSection(vault, row, { type, access: 'reviewer' }),
        members: members.map(passportMember),
        files: (areFilesShownToReviewers(rows) ? files : [])
          .filter(({ type }) => type !== null)
          .map((file) => passportFile(vault, file)),
        sections: rows
          .filter(isShownToReviewers)
          .map(({ section, status }) => ({ section, status })),
        history: history.map((entry) => ({
          ...passportEntry(vault, entry),
          by: authors.get(entry.identityId ?? '') ?? null,
        })),
      }
    },

    /** Decides about the version that the reviewer saw, once, and mails the investor. */
    async decide(
      request: {
        readonly passportUuid: string
        readonly section: PassportSection
        readonly version: number
        readonly decision: ReviewDecision
      },
      session: OpenSession,
      visitor: Visitor,
    ): Promise<{ status: PassportStatus; next: Awaited<ReturnType<typeof nextWaiting>> }> {
      const { passportUuid, section, version, decision } = request
      const { event } = decision
      return stores.atomically(async (transaction) => {
        const passport = await lockAccessible(transaction, passportUuid, {
          session,
          allowed: ['reviewer'],
        })
        const row = await transaction.passportSections.find(passport.id, section)
        if (row === undefined || !isShownToReviewers(row)) throw new Refusal('not-found')
        const to = statusAfter(row.status, event)
        const change = to && { version, from: row.status, to }
        if (!change || !(await transaction.passportReviews.decide(row, change))) {
          throw new Refusal('review-outdated')
        }
        const at = clock()
        const { identityId } = session
        await transaction.passportReviews.insert({
          passportId: passport.id,
          section,
          event,
          reason: 'reason' in decision ? wrapReason(vault, decision.reason.trim()) : null,
          identityId,
          createdAt: at,
        })
        await notify(transaction, { passport, section, event, visitor })
        await transaction.audit.record(
          `passport-${event}`,
          {
            identityId,
            at,
            organizationCode: passport.organizationCode,
            details: { passport: passport.id, section },
          },
          visitor,
        )
        // In the transaction, so that an error cannot leave behind a decision that the reviewer believes failed.
        const after = { submittedAt: row.submittedAt ?? 0, id: row.id }
        return { status: change.to, next: await nextWaiting(transaction, { identityId, after }) }
      })
    },
  }

  /** Mails the passport's creator and the section's submitter, if they still have an account. */
  async function notify(
    transaction: Pick<Stores, 'identities' | 'messages' | 'passportReviews'>,
    decided: {
      readonly passport: PassportRow
      readonly section: PassportSection
      readonly event: ReviewDecision['event']
      readonly visitor: Visitor
    },
  ): Promise<void> {
    const { passport, section, event, visitor } = decided
    const history = await transaction.passportReviews.list(passport.id)
    const submission = history.findLast(
      (entry) => entry.section === section && entry.event === 'submitted',
    )
    const involved = new Set([passport.creatorId, submission?.identityId])
    for (const identityId of involved) {
      const identity = identityId && (await transaction.identities.findById(identityId))
      if (!identity) continue
      await outbox.add(
        transaction,
        DECIDED_MAILS[event](visitor.senderTo(passport.organizationCode), {
          email: identity.email,
          section,
          path: passportPath(
            event === 'approved'
              ? { page: 'landing' }
              : { page: 'resume', passportUuid: passport.id },
          ),
        }),
      )
    }
  }
}

const formatCursor = ({ submittedAt, id }: QueueCursor): string => `${submittedAt}.${id}`

/** The contract has validated the format. */
function parseCursor(text: string): QueueCursor {
  const [submittedAt = '', id = ''] = text.split('.')
  return { submittedAt: Number(submittedAt), id }
}
