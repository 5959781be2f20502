import { LoginResponse } from '@portico/contracts/identity'
import { SecurityQuestion } from '@portico/contracts/two-factor'
import * as z from 'zod/mini'

/** The user's position in the two-step modal, restored after a reload or after the browser discarded the page. */
export const Position = z.object({
  step: z.enum(['selecting', 'entering', 'answering']),
  /** The selected method: its alias, or its kind if it has no alias. */
  method: z.optional(z.string()),
  /** When a code was last sent to each alias; while it is valid, returning does not send another. */
  sentAt: z.record(z.string(), z.number()),
  /** The selected recovery question, so a reload cannot be used to get an easier one. */
  asked: z.optional(z.union([SecurityQuestion, z.literal('none')])),
})

export type Position = z.output<typeof Position>

/**
 * A second step in progress, so that a phone that discards the page while the user looks up the code does not force them
 * to start over. It contains no secrets: without the second factor it is useless.
 */
export const PendingStep = z.object({
  method: z.enum(['password', 'passcode', 'forgotten', 'registration']),
  email: z.string(),
  newUser: z.boolean(),
  options: z.nonoptional(LoginResponse.shape.twoFactorOptions),
  position: Position,
  since: z.number(),
})

export type PendingStep = z.output<typeof PendingStep>
