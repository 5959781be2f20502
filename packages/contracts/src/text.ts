import * as z from 'zod/mini'
import { hasInvisibleCharacters, plainLine } from './characters.ts'

/** One line of visible text, letter for letter. Its length is checked first. */
// @__NO_SIDE_EFFECTS__
export function visibleText(limits: { max: number; min?: number }) {
  return z.string().check(z.minLength(limits.min ?? 1), z.maxLength(limits.max), visible())
}

// @__NO_SIDE_EFFECTS__
const visible = (error = 'must contain visible characters only') =>
  z.refine<string>((text) => !hasInvisibleCharacters(text), error)

/** The error for pasted text with invisible characters. */
export const TYPE_BY_HAND = 'Please type it by hand: it holds a character that cannot be seen.'

/** Rewrites a text as it reads. Shorter in the login page's script than Zod's own overwrite. */
const asItReads = (payload: z.core.ParsePayload<string>) => {
  payload.value = plainLine(payload.value)
}

/** A name or another text for people, as it reads (`plainLine`), that is not blank. */
// @__NO_SIDE_EFFECTS__
export function nameText({ max }: { max: number }) {
  return z
    .string()
    .check(asItReads, z.minLength(1, 'must not be blank'), z.maxLength(max), visible())
}

/** Like `nameText`, for typed input: errors are sentences for the user. */
// @__NO_SIDE_EFFECTS__
export function typedText({ max }: { max: number }) {
  return z
    .string()
    .check(
      asItReads,
      z.minLength(1),
      z.maxLength(max, `Please enter ${max} characters at most.`),
      visible(TYPE_BY_HAND),
    )
}

export const Uuid = z.uuid()

/** An opaque ID from a telemetry client. */
export const TrackingId = visibleText({ max: 128 })
