import { hasInvisibleCharacters } from '@portico/contracts/text'

/** Makes untrusted text safe to display: escapes invisible characters and those that change the text direction. */
export function visible(text: string): string {
  return Array.from(text, (character) =>
    hasInvisibleCharacters(character)
      ? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
      : character,
  ).join('')
}
