import { hasInvisibleCharacters } from '@portico/contracts/text'

/** A stranger's text as it may be shown: what cannot be seen, or would turn the line around, is written out. */
export function visible(text: string): string {
  return Array.from(text, (character) =>
    hasInvisibleCharacters(character)
      ? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
      : character,
  ).join('')
}
