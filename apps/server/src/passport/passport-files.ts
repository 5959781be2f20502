/**
 * A passport's evidence files. A file is uploaded in parts, each stored before it is counted, so an interrupted upload
 * resumes where it stopped, and a process killed at any moment loses no confirmed part. The complete file is checked before
 * it is added to the passport.
 */
import { hash, randomUUID } from 'node:crypto'
import { Refusal } from '@portico/contracts/errors'
import {
  MAX_PASSPORT_FILE_BYTES,
  MAX_PASSPORT_FILES,
  MAX_PASSPORT_FILES_BYTES,
  PASSPORT_FILE_PART_BYTES,
  PASSPORT_UPLOAD_LIFETIME_MS,
} from '@portico/contracts/limits'
import type { PassportFile, SavedSection } from '@portico/contracts/passport'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { FileStorage } from '../file-storage/file-storage.ts'
import type { Download } from '../http/serve.ts'
import type { Visitor } from '../http/visitor.ts'
import { limitPassportUploads } from '../limits/send-limit.ts'
import { newFileKey } from '../secrets/file-cipher.ts'
import type { Vault } from '../secrets/vault.ts'
import type { OpenSession } from '../sessions/sessions.ts'
import type { Stores, TransactionalStores } from '../stores.ts'
import { hasEvidenceSignature } from './evidence/check-evidence.ts'
import { evidenceChecks } from './evidence/check-in-worker.ts'
import { fileContents } from './evidence/file-content.ts'
import { openSection } from './open-section.ts'
import { findAccessible, lockAccessible } from './passport-access.ts'
import type { PassportFileRow } from './passport-files.store.ts'
import type { PassportRow } from './passports.store.ts'
import {
  areFilesShownToReviewers,
  EVIDENCE_SECTION,
  passportFile,
  recordReading,
  savedSection,
  unwrapFile,
  wrapFile,
} from './read-passport.ts'

const MAY_ADD = ['owner', 'member'] as const

export function passportFiles(deps: {
  readonly stores: TransactionalStores<
    | 'accounts'
    | 'audit'
    | 'counters'
    | 'identityRoles'
    | 'organizationInvitations'
    | 'passportFiles'
    | 'passportMembers'
    | 'passports'
    | 'passportSections'
    | 'wallets'
  >
  readonly storage: FileStorage
  readonly vault: Vault
  readonly clock: Clock
  readonly log: Logger
}) {
  const { stores, storage, vault, clock, log } = deps
  const contents = fileContents(storage)
  const check = evidenceChecks()

  /** Removes stored parts. If that fails, housekeeping removes them later. */
  async function removeQuietly(removal: Promise<void>): Promise<void> {
    await removal.catch((error: unknown) => log.warn({ err: error }, 'evidence was not removed'))
  }

  /** This user's upload. @throws Refusal - `not-found` */
  async function ownUpload(fileUuid: string, session: OpenSession): Promise<PassportFileRow> {
    const row = await stores.passportFiles.find(fileUuid)
    const isOwn = row?.identityId === session.identityId
    const isExpired = row?.expiresAt != null && row.expiresAt <= clock()
    if (row === undefined || !isOwn || isExpired) throw new Refusal('not-found')
    const found = await findAccessible(stores, row.passportId, session)
    const mayAdd = MAY_ADD.some((access) => access === found?.access)
    if (!mayAdd) throw new Refusal('not-found')
    return row
  }

  /** Reading a file that is being removed is not an error. @throws Refusal - `not-found` */
  async function whileStored<Result>(
    { id }: PassportFileRow,
    reading: Promise<Result>,
  ): Promise<Result> {
    try {
      return await reading
    } catch (error) {
      const isRemoved = (await stores.passportFiles.find(id)) === undefined
      throw isRemoved ? new Refusal('not-found') : error
    }
  }

  /** Counts changed files as a change to the section, so that no one submits evidence they have not seen. */
  async function renewSection(
    transaction: Pick<Stores, 'passportSections'>,
    passport: PassportRow,
  ): Promise<SavedSection> {
    const at = clock()
    const row = await openSection(transaction, { passport, section: EVIDENCE_SECTION, vault, at })
    const renewed = { ...row, version: row.version + 1, savedAt: at }
    await transaction.passportSections.upsert(renewed)
    return savedSection(vault, renewed, { type: passport.structureType, access: 'owner' })
  }

  return {
    async create(
      request: {
        readonly passportUuid: string
        readonly name: string
        readonly bytes: number
        readonly modifiedAt: number
      },
      session: OpenSession,
    ): Promise<PassportFile> {
      const { passportUuid, bytes } = request
      if (bytes > MAX_PASSPORT_FILE_BYTES) throw new Refusal('file-too-large')
      const { identityId } = session
      // Before the transaction, which would roll back the count of a refused attempt.
      const found = await findAccessible(stores, passportUuid, session)
      if (found === undefined || found.access === 'reviewer') throw new Refusal('not-found')
      await limitPassportUploads(deps, identityId)
      return stores.atomically(async (transaction) => {
        const allowed = MAY_ADD
        const passport = await lockAccessible(transaction, passportUuid, { session, allowed })
        const at = clock()
        await openSection(transaction, { passport, section: EVIDENCE_SECTION, vault, at })
        const files = await transaction.passportFiles.list(passport.id)
        const allBytes = files.reduce((sum, file) => sum + file.bytes, bytes)
        if (files.length >= MAX_PASSPORT_FILES || allBytes > MAX_PASSPORT_FILES_BYTES) {
          throw new Refusal('too-many-files')
        }
        const row = {
          id: randomUUID(),
          passportId: passport.id,
          identityId,
          wrapped: wrapFile(vault, {
            key: newFileKey(),
            name: request.name.trim(),
            modifiedAt: request.modifiedAt,
          }),
          bytes,
          receivedBytes: 0,
          parts: '',
          type: null,
          contentBytes: null,
          createdAt: at,
          expiresAt: at + PASSPORT_UPLOAD_LIFETIME_MS,
        }
        await transaction.passportFiles.insert(row)
        return passportFile(vault, row)
      })
    },

    async read(fileUuid: string, session: OpenSession): Promise<PassportFile> {
      return passportFile(vault, await ownUpload(fileUuid, session))
    },

    async addPart(
      part: {
        readonly fileUuid: string
        readonly offset: number
        readonly content: Uint8Array
        /** The `content-digest` header. */
        readonly digest: string | undefined
      },
      session: OpenSession,
    ): Promise<PassportFile> {
      const { fileUuid, offset, content } = part
      const row = await ownUpload(fileUuid, session)
      const length = Math.min(PASSPORT_FILE_PART_BYTES, row.bytes - offset)
      if (offset !== row.receivedBytes || content.length !== length || length === 0) {
        throw new Refusal('file-part-misplaced')
      }
      if (!isDigestOf(part.digest, content)) throw new Refusal('file-part-damaged')
      if (offset === 0 && !hasEvidenceSignature(content)) {
        if (await stores.passportFiles.delete(row.id)) await removeQuietly(contents.remove(row.id))
        throw new Refusal('file-type-refused')
      }
      const { key } = unwrapFile(vault, row)
      const name = await contents.write(row, { key, offset, content })
      const expiresAt = clock() + PASSPORT_UPLOAD_LIFETIME_MS
      const appended = await stores.passportFiles.appendPart(row.id, {
        offset,
        length,
        name,
        expiresAt,
      })
      if (appended !== undefined) return passportFile(vault, appended)
      await removeQuietly(contents.removePart(row.id, name))
      throw new Refusal('file-part-misplaced')
    },

    async complete(
      fileUuid: string,
      session: OpenSession,
      visitor: Visitor,
    ): Promise<{ file: PassportFile; section: SavedSection }> {
      const row = await ownUpload(fileUuid, session)
      if (row.receivedBytes < row.bytes) throw new Refusal('file-incomplete')
      const { key } = unwrapFile(vault, row)
      const checked =
        row.type === null
          ? await check({ id: row.id, bytes: row.bytes, personId: session.identityId }, () =>
              whileStored(
                row,
                readWhole(contents.read(row, { key, contentBytes: row.bytes }), row),
              ),
            )
          : { type: row.type, contentBytes: row.contentBytes ?? row.bytes }
      if ('refusal' in checked) {
        if (await stores.passportFiles.delete(row.id)) await removeQuietly(contents.remove(row.id))
        throw new Refusal(checked.refusal)
      }
      const result = await stores.atomically(async (transaction) => {
        const allowed = MAY_ADD
        const passport = await lockAccessible(transaction, row.passportId, { session, allowed })
        const completed = await transaction.passportFiles.complete(row.id, checked)
        if (completed !== undefined) {
          const section = await renewSection(transaction, passport)
          const { identityId } = session
          const at = clock()
          await transaction.audit.record('passport-file-added', { identityId, at }, visitor)
          return { file: passportFile(vault, completed), section }
        }
        // Completed by a concurrent call.
        const [stored, section] = await Promise.all([
          transaction.passportFiles.find(row.id),
          transaction.passportSections.find(passport.id, EVIDENCE_SECTION),
        ])
        if (stored === undefined || section === undefined) throw new Refusal('not-found')
        const { structureType: type } = passport
        return {
          file: passportFile(vault, stored),
          section: savedSection(vault, section, { type, access: 'owner' }),
        }
      })
      await removeQuietly(contents.removeOtherParts(row))
      return result
    },

    async remove(
      fileUuid: string,
      session: OpenSession,
      visitor: Visitor,
    ): Promise<{ section: SavedSection | null }> {
      const row = await stores.passportFiles.find(fileUuid)
      // An unfinished upload exists only for the user who began it.
      if (row === undefined || (row.type === null && row.identityId !== session.identityId)) {
        throw new Refusal('not-found')
      }
      const section = await stores.atomically(async (transaction) => {
        const allowed = MAY_ADD
        const passport = await lockAccessible(transaction, row.passportId, { session, allowed })
        const stored = await transaction.passportFiles.find(row.id)
        if (stored === undefined) throw new Refusal('not-found')
        const renewed = stored.type === null ? null : await renewSection(transaction, passport)
        await transaction.passportFiles.delete(row.id)
        if (renewed === null) return null
        const { identityId } = session
        const at = clock()
        await transaction.audit.record('passport-file-removed', { identityId, at }, visitor)
        return renewed
      })
      await removeQuietly(contents.remove(row.id))
      return { section }
    },

    /** For everyone who may use the passport, and for reviewers once the section was submitted. */
    async download(fileUuid: string, session: OpenSession, visitor: Visitor): Promise<Download> {
      const row = await stores.passportFiles.find(fileUuid)
      const found = row && (await findAccessible(stores, row.passportId, session))
      if (row === undefined || found === undefined) throw new Refusal('not-found')
      const { type, contentBytes } = row
      if (type === null || contentBytes === null) throw new Refusal('not-found')
      if (found.access === 'reviewer') {
        const sections = await stores.passportSections.list(row.passportId)
        if (!areFilesShownToReviewers(sections)) throw new Refusal('not-found')
        const { passport } = found
        const reading = { passport, session, visitor, at: clock(), details: { file: row.id } }
        await recordReading(stores, 'passport-file-read', reading)
      }
      const { key } = unwrapFile(vault, row)
      const { name } = passportFile(vault, row)
      const content = await whileStored(
        row,
        startReading(contents.read(row, { key, contentBytes })),
      )
      return { name, type, bytes: contentBytes, content }
    },
  }
}

/** Whether a digest matches the content (RFC 9530). True if there is no digest or its algorithm is not supported. */
function isDigestOf(header: string | undefined, content: Uint8Array): boolean {
  const [, digest] = /(?:^|[,\s])sha-256=:([^:]*):/.exec(header ?? '') ?? []
  return digest === undefined || digest === hash('sha256', content, 'base64')
}

async function readWhole(
  parts: AsyncIterable<Uint8Array>,
  { bytes }: PassportFileRow,
): Promise<ArrayBuffer> {
  const content = new Uint8Array(bytes)
  let offset = 0
  for await (const part of parts) {
    content.set(part, offset)
    offset += part.length
  }
  return content.buffer
}

/** Reads the first part at once, so that an unreadable file is refused before the response begins. */
async function startReading(parts: AsyncGenerator<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const first = await parts.next()
  return (async function* () {
    if (first.done) return
    yield first.value
    yield* parts
  })()
}
