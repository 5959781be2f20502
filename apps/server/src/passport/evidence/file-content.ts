import { randomBytes } from 'node:crypto'
import { Refusal } from '@portico/contracts/errors'
import { PASSPORT_FILE_PART_BYTES } from '@portico/contracts/limits'
import { type FileStorage, removeFile } from '../../file-storage/file-storage.ts'
import { decryptPart, encryptPart } from '../../secrets/file-cipher.ts'
import type { PassportFileRow } from '../passport-files.store.ts'

type StoredFile = Pick<PassportFileRow, 'bytes' | 'id' | 'parts'>

const partNames = ({ parts }: StoredFile) => parts.split(' ').filter((name) => name !== '')

/** File contents, encrypted in storage. */
export function fileContents(storage: FileStorage) {
  return {
    /** Stores a part and returns its name. */
    async write(
      { id, bytes }: StoredFile,
      { key, offset, content }: { key: string; offset: number; content: Uint8Array },
    ): Promise<string> {
      const part = randomBytes(16).toString('hex')
      const encrypted = encryptPart(key, { fileId: id, part, offset, bytes }, content)
      await refuseIfUnavailable(storage.write(id, part, encrypted))
      return part
    },

    /** The parts in order, up to the end of the served content. */
    async *read(
      file: StoredFile,
      { key, contentBytes }: { key: string; contentBytes: number },
    ): AsyncGenerator<Uint8Array> {
      let offset = 0
      for (const part of partNames(file)) {
        if (offset >= contentBytes) return
        const identity = { fileId: file.id, part, offset, bytes: file.bytes }
        const content = await refuseIfUnavailable(
          storage.read(file.id, part).then((stored) => decryptPart(key, identity, stored)),
        )
        yield content.subarray(0, contentBytes - offset)
        offset += PASSPORT_FILE_PART_BYTES
      }
      if (offset < contentBytes) throw new Refusal('files-not-available')
    },

    removePart: (fileId: string, part: string): Promise<void> =>
      storage.removeParts(fileId, [part]),

    /** Removes parts that were stored but not counted, because another request was faster or the process ended. */
    async removeOtherParts(file: StoredFile): Promise<void> {
      const known = new Set(partNames(file))
      const stored = (await storage.listParts(file.id)).map(({ name }) => name)
      await storage.removeParts(
        file.id,
        stored.filter((name) => !known.has(name)),
      )
    },

    remove: (fileId: string): Promise<void> => removeFile(storage, fileId),
  }
}

/** @throws Refusal - `files-not-available`, for example when the disk is full */
async function refuseIfUnavailable<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (cause) {
    throw new Refusal('files-not-available', { cause })
  }
}
