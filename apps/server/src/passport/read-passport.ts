import { Refusal } from '@portico/contracts/errors'
import type {
  Passport,
  PassportFile,
  PassportMember,
  PassportSummary,
  SavedSection,
} from '@portico/contracts/passport'
import type { PassportSection } from '@portico/contracts/passport-sections'
import type { PassportStatuses, PassportStructureType } from '@portico/contracts/passport-status'
import { isInScope, type Scope } from '@portico/rules/operator-permissions'
import { type Answers, withHiddenDigits } from '@portico/rules/passport-answers'
import { openDecisions } from '@portico/rules/passport-transitions'
import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import type { Vault } from '../secrets/vault.ts'
import type { OpenSession } from '../sessions/sessions.ts'
import type { Stores } from '../stores.ts'
import { type AccessiblePassport, findAccessible, type PassportAccess } from './passport-access.ts'
import type { PassportFileRow } from './passport-files.store.ts'
import type { PassportGroups } from './passport-groups.ts'
import type { PassportMemberRow } from './passport-members.store.ts'
import type { PassportReviewRow } from './passport-reviews.store.ts'
import type { PassportSectionRow } from './passport-sections.store.ts'
import type { PassportRow } from './passports.store.ts'

/** The purpose of the vault for answers and reasons. */
const PURPOSE = 'passport'

export const wrapAnswers = (vault: Vault, answers: Answers): string =>
  vault.wrap(PURPOSE, JSON.stringify(answers))

export const unwrapAnswers = (
  vault: Vault,
  { answers }: Pick<PassportSectionRow, 'answers'>,
): Answers => JSON.parse(vault.unwrap(PURPOSE, answers)) as Answers // Written by `wrapAnswers`.

export const wrapReason = (vault: Vault, reason: string): string => vault.wrap(PURPOSE, reason)

/** The name in a KYC section's answers; empty if not entered yet. */
export function investorName(vault: Vault, wrappedAnswers: string | undefined): string {
  if (wrappedAnswers === undefined) return ''
  const { firstName, lastName, legalName } = unwrapAnswers(vault, { answers: wrappedAnswers })
  return [firstName, lastName, legalName].filter(Boolean).join(' ')
}

/** A timeline entry as shown to everyone who may use the passport. */
export function passportEntry(
  vault: Vault,
  { createdAt: at, section, event, reason }: PassportReviewRow,
): Passport['history'][number] {
  return { at, section, event, reason: reason === null ? null : vault.unwrap(PURPOSE, reason) }
}

/** The purpose of the vault for the keys and names of files. */
const FILE_PURPOSE = 'passport file'

/** A file's encrypted details. Files have their own keys, because the vault's keys rotate. */
interface FileSecrets {
  readonly key: string
  readonly name: string
  readonly modifiedAt: number
}

export const wrapFile = (vault: Vault, secrets: FileSecrets): string =>
  vault.wrap(FILE_PURPOSE, JSON.stringify(secrets))

export const unwrapFile = (vault: Vault, { wrapped }: PassportFileRow): FileSecrets =>
  JSON.parse(vault.unwrap(FILE_PURPOSE, wrapped)) as FileSecrets // Written by `wrapFile`.

/** File name extensions by type, by which programs open files. */
const FILE_ENDINGS = {
  'application/pdf': ['.pdf'],
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/png': ['.png'],
} as const satisfies Record<NonNullable<PassportFile['type']>, readonly string[]>

export function passportFile(vault: Vault, row: PassportFileRow): PassportFile {
  const { name, modifiedAt } = unwrapFile(vault, row)
  const [ending = '', ...others] = row.type === null ? [] : FILE_ENDINGS[row.type]
  const hasEnding = [ending, ...others].some((each) => name.toLowerCase().endsWith(each))
  return {
    fileUuid: row.id,
    name: hasEnding ? name : `${name}${ending}`,
    bytes: row.contentBytes ?? row.bytes,
    receivedBytes: row.receivedBytes,
    type: row.type,
    addedAt: row.createdAt,
    modifiedAt,
  }
}

/** A section as the user may see it: only reviewers see complete tax numbers. */
export function savedSection(
  vault: Vault,
  row: PassportSectionRow,
  { type, access }: { type: PassportStructureType; access: PassportAccess },
): SavedSection {
  const { section, status, version, savedAt } = row
  const answers = unwrapAnswers(vault, row)
  return {
    section,
    status,
    version,
    savedAt,
    answers: access === 'reviewer' ? answers : withHiddenDigits(section, type, answers),
  }
}

/** Reviewers see what was submitted or declared, not unfinished drafts. */
export const isShownToReviewers = ({ submittedAt, status }: PassportSectionRow): boolean =>
  submittedAt !== null || status === 'VALID'

/** The section that evidence files belong to. */
export const EVIDENCE_SECTION = 'attestation-verification'

/** Whether reviewers may see the files. */
export const areFilesShownToReviewers = (rows: readonly PassportSectionRow[]): boolean =>
  rows.some((row) => row.section === EVIDENCE_SECTION && isShownToReviewers(row))

const UNKNOWN = 'UNKNOWN_STATUS'

function statusesOf(rows: readonly PassportSectionRow[]): PassportStatuses {
  const statusOf = (section: PassportSection) =>
    rows.find((row) => row.section === section)?.status ?? UNKNOWN
  return {
    kycStatus: statusOf('kyc'),
    attestationStatus: statusOf('self-attestation'),
    attestationVerificationStatus: statusOf('attestation-verification'),
  }
}

export function passportSummary(
  { id, structureType, ownerWalletAddress }: PassportRow,
  rows: readonly PassportSectionRow[],
) {
  return {
    passportUuid: id,
    passportStructureType: structureType,
    ownerWalletAddress,
    status: statusesOf(rows),
  }
}

export const passportMember = (row: PassportMemberRow): PassportMember => ({
  memberUuid: row.id,
  name: row.name,
  email: row.email,
  role: row.role,
  joinedAt: row.joinedAt,
  expiresAt: row.expiresAt,
})

/** Records that a reviewer reads a section's answers or a file, before they are sent. */
export function recordReading(
  { audit }: Pick<Stores, 'audit'>,
  kind: 'passport-answers-read' | 'passport-file-read',
  reading: {
    readonly passport: PassportRow
    readonly session: OpenSession
    readonly visitor: Visitor
    readonly at: number
    readonly details: { readonly section: PassportSection } | { readonly file: string }
  },
): Promise<void> {
  const { passport, session, visitor, at, details } = reading
  const { organizationCode } = passport
  return audit.record(
    kind,
    {
      identityId: session.identityId,
      at,
      organizationCode,
      details: { passport: passport.id, ...details },
    },
    visitor,
  )
}

/** Reads passports (§7.6). */
export function passportReader({
  stores,
  groups,
  vault,
  clock,
}: {
  readonly stores: Pick<
    Stores,
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
  readonly groups: Pick<PassportGroups, 'refreshForRead'>
  readonly vault: Vault
  readonly clock: Clock
}) {
  async function whole(
    { passport, access }: AccessiblePassport,
    { identityId }: OpenSession,
  ): Promise<Passport> {
    const { id, structureType: type } = passport
    const [rows, members, files, history] = await Promise.all([
      stores.passportSections.list(id),
      stores.passportMembers.list(id),
      stores.passportFiles.list(id),
      stores.passportReviews.list(id),
    ])
    const isReviewer = access === 'reviewer'
    const shown = isReviewer ? rows.filter(isShownToReviewers) : rows
    return {
      ...passportSummary(passport, rows),
      access,
      sections: shown.map((row) => savedSection(vault, row, { type, access })),
      members: members.map(passportMember),
      files: (isReviewer && !areFilesShownToReviewers(rows) ? [] : files)
        .filter((file) => file.type !== null || file.identityId === identityId)
        .map((file) => passportFile(vault, file)),
      history: history.map((entry) => passportEntry(vault, entry)),
    }
  }

  const summary = async ({ passport }: AccessiblePassport) => {
    const [rows, history] = await Promise.all([
      stores.passportSections.list(passport.id),
      stores.passportReviews.list(passport.id),
    ])
    const decisions = openDecisions(history).map((entry) => passportEntry(vault, entry))
    return { ...passportSummary(passport, rows), ...(decisions.length > 0 && { decisions }) }
  }

  /** The passports that the user joined, or created and may still use. */
  async function accessibleOf(session: OpenSession): Promise<AccessiblePassport[]> {
    const passports = await stores.passports.listByIdentity(session.identityId)
    const found = await Promise.all(passports.map(({ id }) => findAccessible(stores, id, session)))
    return found.filter((each) => each !== undefined)
  }

  return {
    async read(
      passportUuid: string | undefined,
      session: OpenSession,
      visitor: Visitor,
    ): Promise<Passport> {
      const found = await findAccessible(stores, passportUuid, session)
      if (found === undefined) throw new Refusal('not-found')
      const passport = await whole(found, session)
      if (found.access === 'reviewer') {
        const reading = { passport: found.passport, session, visitor, at: clock() }
        for (const { section } of passport.sections) {
          await recordReading(stores, 'passport-answers-read', { ...reading, details: { section } })
        }
      }
      return passport
    },

    /** An account without a passport has unknown statuses. A passport that the user may not use is refused. */
    async readStatus(
      passportUuid: string | undefined,
      session: OpenSession,
    ): Promise<PassportSummary> {
      const found = await findAccessible(stores, passportUuid, session)
      if (found !== undefined) return summary(found)
      if (passportUuid !== undefined) throw new Refusal('not-found')
      return { status: statusesOf([]) }
    },

    listStatuses: async (session: OpenSession): Promise<PassportSummary[]> =>
      Promise.all((await accessibleOf(session)).map(summary)),

    /** Of all organizations, or of a scope. */
    async list(session: OpenSession, scope: Scope = { all: true }): Promise<Passport[]> {
      // Exports call this without a route of passports.
      await groups.refreshForRead(session)
      const found = await accessibleOf(session)
      return Promise.all(
        found
          .filter(({ passport }) => isInScope(scope, passport.organizationCode))
          .map((each) => whole(each, session)),
      )
    },
  }
}
