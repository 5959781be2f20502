/**
 * Stores the already encrypted parts of uploaded files, in the data folder or in an S3-compatible bucket. Parts are never
 * overwritten; each has its own name.
 */

interface StoredPart {
  readonly name: string
  readonly modifiedAt: number
}

/** Names contain letters, digits and hyphens only. */
export interface FileStorage {
  /** Stores a part durably: after a power failure it is complete or absent. */
  readonly write: (fileId: string, part: string, bytes: Uint8Array) => Promise<void>
  /** @throws when the part is missing or cannot be read */
  readonly read: (fileId: string, part: string) => Promise<Uint8Array>
  /** The files with parts. */
  readonly listFiles: () => AsyncIterable<string>
  readonly listParts: (fileId: string) => Promise<readonly StoredPart[]>
  /** Removes parts, ignoring those that do not exist. */
  readonly removeParts: (fileId: string, parts: readonly string[]) => Promise<void>
}

/** Removes all parts of a file. */
export async function removeFile(storage: FileStorage, fileId: string): Promise<void> {
  const parts = await storage.listParts(fileId)
  await storage.removeParts(
    fileId,
    parts.map(({ name }) => name),
  )
}
