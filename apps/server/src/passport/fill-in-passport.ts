/** Filling in a passport: saving answers, editing what was submitted, and submitting. */
import { Refusal } from '@portico/contracts/errors'
import type { PassportSummary, SavedSection } from '@portico/contracts/passport'
import { type PassportSection, REVIEWED_SECTIONS } from '@portico/contracts/passport-sections'
import { sectionErrors, withChanges } from '@portico/rules/passport-answers'
import { statusAfter } from '@portico/rules/passport-transitions'
import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import type { Vault } from '../secrets/vault.ts'
import type { OpenSession } from '../sessions/sessions.ts'
import type { TransactionalStores } from '../stores.ts'
import { openSection } from './open-section.ts'
import { lockAccessible } from './passport-access.ts'
import type { PassportSectionRow } from './passport-sections.store.ts'
import type { PassportRow } from './passports.store.ts'
import { passportSummary, savedSection, unwrapAnswers, wrapAnswers } from './read-passport.ts'

export function passportForms(deps: {
  readonly stores: TransactionalStores<
    | 'accounts'
    | 'audit'
    | 'identityRoles'
    | 'organizationInvitations'
    | 'passportFiles'
    | 'passportMembers'
    | 'passportReviews'
    | 'passports'
    | 'passportSections'
    | 'wallets'
  >
  readonly vault: Vault
  readonly clock: Clock
}) {
  const { stores, vault, clock } = deps

  const shown = (row: PassportSectionRow, { structureType: type }: PassportRow) =>
    savedSection(vault, row, { type, access: 'owner' })

  return {
    /**
     * Saves changed answers. If the section has changed since the version they are based on, saves nothing and returns the
     * current answers for the client to merge.
     */
    save: (
      request: {
        readonly passportUuid: string
        readonly section: PassportSection
        readonly version: number
        readonly changes: Readonly<Record<string, string>>
      },
      session: OpenSession,
    ): Promise<{ isSaved: boolean; section: SavedSection }> =>
      stores.atomically(async (transaction) => {
        const { passportUuid, section, version, changes } = request
        const allowed = ['owner', 'member'] as const
        const passport = await lockAccessible(transaction, passportUuid, { session, allowed })
        const row = await openSection(transaction, { passport, section, vault, at: clock() })
        if (row.version !== version) return { isSaved: false, section: shown(row, passport) }
        const answers = withChanges(section, passport.structureType, {
          answers: unwrapAnswers(vault, row),
          changes,
        })
        const saved = {
          ...row,
          version: version + 1,
          answers: wrapAnswers(vault, answers),
          savedAt: clock(),
        }
        await transaction.passportSections.upsert(saved)
        return { isSaved: true, section: shown(saved, passport) }
      }),

    /** Reopens a section that was submitted, approved or denied. Only for owners, because it is then no longer complete. */
    reopen: (
      { passportUuid, section }: { passportUuid: string; section: PassportSection },
      session: OpenSession,
      visitor: Visitor,
    ): Promise<void> =>
      stores.atomically(async (transaction) => {
        const allowed = ['owner'] as const
        const passport = await lockAccessible(transaction, passportUuid, { session, allowed })
        const row = await transaction.passportSections.find(passport.id, section)
        const status = row && statusAfter(row.status, 'started')
        if (row === undefined || status === undefined) throw new Refusal('passport-section-open')
        await transaction.passportSections.update(row.id, { status })
        const { identityId } = session
        await transaction.audit.record('passport-reopened', { identityId, at: clock() }, visitor)
      }),

    /** Submits completed sections, all or none. Only owners declare for the account. */
    submit: (
      request: {
        readonly passportUuid: string
        readonly sections: readonly {
          readonly section: PassportSection
          readonly version: number
        }[]
      },
      session: OpenSession,
      visitor: Visitor,
    ): Promise<PassportSummary> =>
      stores.atomically(async (transaction) => {
        const { passportUuid, sections } = request
        const allowed = ['owner'] as const
        const passport = await lockAccessible(transaction, passportUuid, { session, allowed })
        const at = clock()
        const { identityId } = session
        for (const { section, version } of sections) {
          const row = await transaction.passportSections.find(passport.id, section)
          if (row === undefined) throw new Refusal('passport-incomplete')
          const status = statusAfter(row.status, 'submitted')
          if (status === undefined) throw new Refusal('passport-section-closed')
          if (row.version !== version) throw new Refusal('passport-changed')
          const answers = unwrapAnswers(vault, row)
          const hasEvidence = await transaction.passportFiles.hasComplete(passport.id)
          const context = { answers, hasEvidence, now: at }
          const errors = sectionErrors(section, passport.structureType, context)
          if (Object.keys(errors).length > 0) throw new Refusal('passport-incomplete')
          // A new version, so that decisions about an earlier submission are refused.
          const submitted = { version: version + 1, status, submittedAt: at }
          // Sections that are only declared are complete once submitted.
          const declared = { status: statusAfter(status, 'approved') ?? status }
          await transaction.passportSections.update(
            row.id,
            REVIEWED_SECTIONS.includes(section) ? submitted : declared,
          )
          await transaction.passportReviews.insert({
            passportId: passport.id,
            section,
            event: 'submitted',
            reason: null,
            identityId,
            createdAt: at,
          })
        }
        await transaction.audit.record('passport-submitted', { identityId, at }, visitor)
        return passportSummary(passport, await transaction.passportSections.list(passport.id))
      }),
  }
}
