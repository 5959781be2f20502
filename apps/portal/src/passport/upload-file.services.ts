import { ApiError } from '@portico/client/api-error'
import { PASSPORT_FILE_PART_BYTES } from '@portico/contracts/limits'
import {
  completePassportFile,
  createPassportFile,
  readPassportFile,
  removePassportFile,
  sendPassportFilePart,
} from '@portico/contracts/passport-files'
import type { Services } from '@portico/flow'
import { failureOf } from '@portico/shell/failure-of'
import type { Environment } from '../environment.ts'
import { sanitizeFileName } from '../file-names.ts'
import type { Command, Event } from './upload-file.flow.ts'

/** Refusals after which the server no longer has any of the file. */
const FINAL = new Set([
  'file-damaged',
  'file-has-active-content',
  'file-has-password',
  'file-too-large',
  'file-type-refused',
  'image-too-large',
  'invalid-request',
  'not-found',
  'passport-section-closed',
  'too-many-files',
])

/** Refusals after which the server reports how much has arrived. */
const OUT_OF_STEP = new Set(['file-part-misplaced', 'file-part-damaged', 'file-incomplete'])
const MAX_CORRECTIONS = 5

/** The browser's error if a file was changed or deleted after it was chosen. */
const UNREADABLE: Event = {
  type: 'refused',
  failure: { notices: ['We could not read this file. Please choose it again.'] },
}

export function uploadFileServices({
  client,
  passportUuid,
  file,
}: Pick<Environment, 'client'> & {
  readonly passportUuid: string
  readonly file: File
}): Services<Event, Command> {
  async function* send(known: string | undefined, signal: AbortSignal): AsyncGenerator<Event> {
    let corrections = 0
    const create = () =>
      client(createPassportFile, {
        body: {
          passportUuid,
          name: sanitizeFileName(file.name),
          bytes: file.size,
          modifiedAt: file.lastModified,
        },
        signal,
      })
    const begun =
      known === undefined
        ? await create()
        : await client(readPassportFile, { query: { fileUuid: known }, signal }).catch(
            (error: unknown) => {
              // It has expired, or was refused in a response that did not arrive. Sent again, the server says why.
              if (error instanceof ApiError && error.reason === 'not-found') return create()
              throw error
            },
          )
    const { fileUuid } = begun
    let { receivedBytes } = begun
    for (;;) {
      yield { type: 'progressed', fileUuid, receivedBytes }
      try {
        if (receivedBytes >= file.size) {
          const completed = await client(completePassportFile, { body: { fileUuid }, signal })
          yield { type: 'completed', ...completed }
          return
        }
        const end = receivedBytes + PASSPORT_FILE_PART_BYTES
        const part = await bytesOf(file.slice(receivedBytes, end))
        if (part === undefined) {
          yield UNREADABLE
          return
        }
        const answer = await client(sendPassportFilePart, {
          query: { fileUuid, offset: String(receivedBytes) },
          headers: await digestHeader(part),
          body: part,
          signal,
        })
        receivedBytes = answer.receivedBytes
      } catch (error) {
        const isOutOfStep = error instanceof ApiError && OUT_OF_STEP.has(error.reason ?? '')
        if (!isOutOfStep || (corrections += 1) > MAX_CORRECTIONS) throw error
        const current = await client(readPassportFile, { query: { fileUuid }, signal })
        receivedBytes = current.receivedBytes
      }
    }
  }

  return {
    async *send({ fileUuid }, signal) {
      try {
        yield* send(fileUuid, signal)
      } catch (error) {
        if (signal.aborted) return
        const failure = failureOf(error)
        yield { type: FINAL.has(failure.reason ?? '') ? 'refused' : 'interrupted', failure }
      }
    },
    async discard({ fileUuid }) {
      // Without a connection the server deletes it after a day.
      await client(removePassportFile, { body: { fileUuid } }).catch(() => undefined)
    },
  }
}

const bytesOf = (blob: Blob) =>
  blob.arrayBuffer().then(
    (buffer) => new Uint8Array(buffer),
    () => undefined,
  )

/** Browsers compute digests only in secure contexts. */
async function digestHeader(part: Uint8Array<ArrayBuffer>): Promise<Record<string, string>> {
  if (!globalThis.isSecureContext) return {}
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', part))
  return { 'content-digest': `sha-256=:${btoa(String.fromCharCode(...digest))}:` }
}
