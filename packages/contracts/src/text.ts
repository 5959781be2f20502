import * as z from 'zod/mini'

/**
 * Control, format, private-use and unassigned characters, lone surrogates and the two line separators: nothing a person
 * types into a field.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/u

/** Whether a text holds a character that nobody can see, as used to make two addresses look alike. */
export function hasUnseenCharacters(text: string): boolean {
  return UNSEEN.test(text)
}

/** One line of visible text, bounded before anything else looks at it. */
export function visibleText(limits: { max: number; min?: number }) {
  return z.string().check(
    z.minLength(limits.min ?? 1),
    z.maxLength(limits.max),
    z.refine((text) => !hasUnseenCharacters(text), 'must hold visible characters only'),
  )
}

/** Said of a text that was pasted with something in it that nobody sees. */
export const TYPE_BY_HAND = 'Please type it by hand: it holds a character that cannot be seen.'

/** The same for what a person types into a field: whoever gets it wrong reads a sentence. */
export function typedText({ max }: { max: number }) {
  return z.string().check(
    z.minLength(1),
    z.maxLength(max, `Please enter ${max} characters at most.`),
    z.refine((text) => !hasUnseenCharacters(text), TYPE_BY_HAND),
  )
}

/** One line of visible text in which there is something to see. */
export function brandText(limits: { max: number }) {
  return visibleText(limits).check(z.regex(/\S/, 'must hold more than spaces'))
}

/** An identifier as the product hands them out. */
export const Uuid = z.uuid()

/** A short opaque identifier from a telemetry client. */
export const TrackingId = visibleText({ max: 128 })
