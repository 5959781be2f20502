/** Texts of others, with invisible characters shown or removed. Apart from the text layer, because the login page shows no such text. */
import { INVISIBLE } from './characters.ts'

/** Makes untrusted text safe to display: escapes invisible characters and those that change the text direction. */
export function escapeInvisible(text: string): string {
  return text.replace(
    INVISIBLE,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  )
}

/** A text without its invisible characters, where refusing it would stop a sign-in. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '')
}
