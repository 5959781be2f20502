import { hasInvisibleCharacters } from '@portico/contracts/characters'

/** Paths are shown up to this length, because their end, the file name, matters most. */
const MAX_PATH_CHARACTERS = 4096

/** A path in a form that is safe to print on a terminal. */
export function printablePath(path: string): string {
  return printable(path, MAX_PATH_CHARACTERS)
}

/** Makes untrusted text safe to print on a terminal: escapes invisible characters and limits the length. */
export function printable(text: string, maximum = 200): string {
  const visible = hasInvisibleCharacters(text) ? JSON.stringify(text) : text
  const escaped = visible.replaceAll(
    /[\p{Cc}\p{Cf}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return escaped.length > maximum ? `${escaped.slice(0, maximum)}…` : escaped
}
