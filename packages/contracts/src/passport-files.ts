/**
 * The evidence files of a passport (§7.6), as proof of an attestation (506c). A file is uploaded in parts, so that an
 * interrupted upload can continue: create the file, send its parts in order, complete it.
 */
import * as z from 'zod/mini'
import { Bytes, call } from './call.ts'
import { PASSPORT_FILE_PART_BYTES, PASSPORT_PATH } from './limits.ts'
import { PassportFile, SavedSection } from './passport.ts'
import { typedText, Uuid } from './text.ts'

/** The maximum length of a file name; most file systems allow no more. */
const MAX_FILE_NAME_LENGTH = 255

const ofFile = z.strictObject({ fileUuid: Uuid })

export const createPassportFile = call({
  name: 'createPassportFile',
  summary: 'Begin to upload a file as evidence of the attestation.',
  method: 'POST',
  path: `${PASSPORT_PATH}/passport/file`,
  auth: 'session',
  body: z.strictObject({
    passportUuid: Uuid,
    name: typedText({ max: MAX_FILE_NAME_LENGTH }).check(z.regex(/\S/)),
    bytes: z.int().check(z.positive()),
    modifiedAt: z.int().check(z.nonnegative()),
  }),
  answer: PassportFile,
  refusals: [
    'not-found',
    'passport-section-closed',
    'file-too-large',
    'too-many-files',
    'files-not-available',
    'chain-not-available',
  ],
})

/** How much of an upload has arrived, for example to resume after a lost connection. */
export const readPassportFile = call({
  name: 'readPassportFile',
  summary: 'Read the state of a file.',
  method: 'GET',
  path: `${PASSPORT_PATH}/passport/file`,
  auth: 'session',
  query: ofFile,
  answer: PassportFile,
  refusals: ['not-found'],
})

/**
 * Every part except the last has `PASSPORT_FILE_PART_BYTES` bytes. `offset` is the number of bytes already received. Of
 * concurrent parts at one offset, one is stored and the others are refused.
 */
export const sendPassportFilePart = call({
  name: 'sendPassportFilePart',
  summary: `Send the next ${PASSPORT_FILE_PART_BYTES / 1024} KiB of a file, or its last bytes.`,
  method: 'PUT',
  path: `${PASSPORT_PATH}/passport/file/part`,
  auth: 'session',
  headers: {
    'content-digest': 'The SHA-256 digest of the part (RFC 9530): `sha-256=:…:`. Optional.',
  },
  query: z.strictObject({
    fileUuid: Uuid,
    offset: z.pipe(z.string().check(z.regex(/^\d{1,9}$/)), z.transform(Number)),
  }),
  body: Bytes,
  bodyBytesMaximum: PASSPORT_FILE_PART_BYTES,
  answer: PassportFile,
  refusals: [
    'not-found',
    'file-type-refused',
    'file-part-misplaced',
    'file-part-damaged',
    'files-not-available',
    'chain-not-available',
  ],
})

/**
 * Checks the file and adds it to the passport, which gives the section a new version. A refused file is deleted. Repeating
 * the call changes nothing.
 */
export const completePassportFile = call({
  name: 'completePassportFile',
  summary: 'Finish the upload of a file.',
  method: 'POST',
  path: `${PASSPORT_PATH}/passport/file/complete`,
  auth: 'session',
  body: ofFile,
  answer: z.object({ file: PassportFile, section: SavedSection }),
  refusals: [
    'not-found',
    'passport-section-closed',
    'file-incomplete',
    'file-type-refused',
    'file-damaged',
    'file-has-active-content',
    'file-has-password',
    'image-too-large',
    'files-not-available',
    'chain-not-available',
  ],
})

/** Cancels an upload, or deletes a complete file, after which the section has a new version. */
export const removePassportFile = call({
  name: 'removePassportFile',
  summary: 'Remove a file.',
  method: 'POST',
  path: `${PASSPORT_PATH}/passport/file/remove`,
  auth: 'session',
  body: ofFile,
  answer: z.object({ section: z.nullable(SavedSection) }),
  refusals: ['not-found', 'passport-section-closed', 'chain-not-available'],
})

/** For the owners and members of the passport, and reviewers once the section was submitted. Browsers download it and never show it as a page. */
export const downloadPassportFile = call({
  name: 'downloadPassportFile',
  summary: 'Download a complete file.',
  method: 'GET',
  path: `${PASSPORT_PATH}/passport/file/content`,
  auth: 'session',
  impersonation: 'refused',
  query: ofFile,
  answer: Bytes,
  refusals: ['not-found', 'files-not-available'],
})

export const PASSPORT_FILE_CALLS = [
  createPassportFile,
  readPassportFile,
  sendPassportFilePart,
  completePassportFile,
  removePassportFile,
  downloadPassportFile,
] as const
