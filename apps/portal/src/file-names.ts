/** File names, sizes and errors as text. */
import { hasInvisibleCharacters } from '@portico/contracts/characters'
import { ERROR_CATALOG } from '@portico/contracts/error-catalog'
import { MAX_PASSPORT_FILE_BYTES } from '@portico/contracts/limits'

const MAX_NAME_LENGTH = 255

/** A name that the server accepts: without invisible characters and not too long. Keeps the extension. */
export function sanitizeFileName(name: string): string {
  const visible = Array.from(name)
    .filter((character) => !hasInvisibleCharacters(character))
    .join('')
    .trim()
  return visible === '' ? 'File' : visible.slice(-MAX_NAME_LENGTH)
}

export function formatFileSize(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1000))} KB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** The extensions of files that can be added. The server decides by content. */
export const ACCEPTED_EXTENSIONS = ['.pdf', '.jpg', '.jpeg', '.png']

/** Why a file cannot be uploaded, before anything is sent. */
export function fileError({ name, size }: Pick<File, 'name' | 'size'>): string | undefined {
  if (!ACCEPTED_EXTENSIONS.some((ending) => name.toLowerCase().endsWith(ending))) {
    return ERROR_CATALOG['file-type-refused'].message
  }
  if (size > MAX_PASSPORT_FILE_BYTES) return ERROR_CATALOG['file-too-large'].message
  return size === 0 ? 'This file is empty. Please add another copy of it.' : undefined
}
