import { LoginResponse } from '@portico/contracts/identity'
import { SecurityQuestion } from '@portico/contracts/two-factor'
import * as z from 'zod/mini'

/** Where somebody stands in the two-step modal, to come back to when the page was dropped or loaded anew. */
export const Place = z.object({
  step: z.enum(['selecting', 'entering', 'answering']),
  /** The method that was being entered: its alias, or its kind where it has none. */
  method: z.optional(z.string()),
  /** When a code was sent to each alias: coming back sends no other while one lives. */
  sentAt: z.record(z.string(), z.number()),
  /** The question that was drawn: loading the page anew draws no easier one. */
  asked: z.optional(z.union([SecurityQuestion, z.literal('none')])),
})

/** The parsed form of `Place`. */
export type Place = z.output<typeof Place>

/**
 * A second step under way, so that a telephone which drops the page while somebody looks for the code does not make them
 * begin again. It holds what the page knew anyway, and opens nothing without the factor that is asked for.
 */
export const PendingStep = z.object({
  method: z.enum(['password', 'passcode', 'forgotten', 'registration']),
  email: z.string(),
  newUser: z.boolean(),
  options: z.nonoptional(LoginResponse.shape.twoFactorOptions),
  place: Place,
  since: z.number(),
})

/** The parsed form of `PendingStep`. */
export type PendingStep = z.output<typeof PendingStep>
