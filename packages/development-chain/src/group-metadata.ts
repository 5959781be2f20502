import { ChainFailure } from './chain-failure.ts'

/** The maximum size of metadata in bytes. */
export const MAX_METADATA_BYTES = 255

/** @throws ChainFailure - `group-limit`, `group-invalid` */
export function assertMetadata(
  text: string,
  what: string,
  bytesMaximum = MAX_METADATA_BYTES,
): void {
  if (Buffer.byteLength(text) > bytesMaximum) throw new ChainFailure('group-limit', what)
  // PostgreSQL does not accept text with a null character.
  if (text.includes('\0')) throw new ChainFailure('group-invalid', `${what} with a null character`)
}
