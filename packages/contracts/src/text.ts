import * as z from 'zod/mini'

/**
 * Control, format, private-use and unassigned characters, lone surrogates, and the line and paragraph separators:
 * characters that no one types into a field.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/u

/** Whether a text contains invisible characters, which can make two addresses look alike. */
export function hasInvisibleCharacters(text: string): boolean {
  return INVISIBLE.test(text)
}

/** Makes untrusted text safe to display: escapes invisible characters and those that change the text direction. */
export function escapeInvisible(text: string): string {
  return Array.from(text, (character) =>
    hasInvisibleCharacters(character)
      ? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
      : character,
  ).join('')
}

/** One line of visible text. Its length is checked first. */
// @__NO_SIDE_EFFECTS__
export function visibleText(limits: { max: number; min?: number }) {
  return z.string().check(
    z.minLength(limits.min ?? 1),
    z.maxLength(limits.max),
    z.refine((text) => !hasInvisibleCharacters(text), 'must contain visible characters only'),
  )
}

/** The error for pasted text with invisible characters. */
export const TYPE_BY_HAND = 'Please type it by hand: it holds a character that cannot be seen.'

/** Like `visibleText`, for typed input: errors are sentences for the user. */
// @__NO_SIDE_EFFECTS__
export function typedText({ max }: { max: number }) {
  return z.string().check(
    z.minLength(1),
    z.maxLength(max, `Please enter ${max} characters at most.`),
    z.refine((text) => !hasInvisibleCharacters(text), TYPE_BY_HAND),
  )
}

/** One line of visible text that is not blank. */
// @__NO_SIDE_EFFECTS__
export function brandText({ max }: { max: number }) {
  return visibleText({ min: 0, max }).check(z.regex(/\S/, 'must not be blank'))
}

export const Uuid = z.uuid()

/** An opaque ID from a telemetry client. */
export const TrackingId = visibleText({ max: 128 })
