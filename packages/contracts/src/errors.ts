import type { ERROR_CATALOG } from './error-catalog.ts'

/** The code of an error response. */
export type ErrorCode = keyof typeof ERROR_CATALOG

/** The body of every error response: a code to match on, a sentence, and a message for each problem found (§3). */
export interface ErrorBody {
  readonly code: ErrorCode
  readonly message: string
  readonly errors: readonly string[]
}

let sentenceOf = (code: ErrorCode): string => code

/** Sets where `Refusal` finds the sentences of its codes. */
export function provideSentences(read: (code: ErrorCode) => string): void {
  sentenceOf = read
}

/** The base error: a code to match on, a message for developers, and optional data. */
export class PorticoError<Code extends string = string> extends Error {
  readonly code: Code
  readonly data: unknown

  constructor(code: Code, message: string, options: { cause?: unknown; data?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.code = code
    this.data = options.data
  }
}

/**
 * Thrown by use cases. The server's edge turns it into a status and an `ErrorBody`, and screens turn it into sentences.
 * Scripts that only throw it do not include the catalog.
 */
export class Refusal extends PorticoError<ErrorCode> {
  /** A sentence for each problem found; empty if the code's sentence suffices. */
  readonly errors: readonly string[]
  readonly retryAfterS: number | undefined

  /** The sentences to show: its own, or the one of its code, which `refusal-sentences.ts` provides. */
  get sentences(): readonly string[] {
    return this.errors.length > 0 ? this.errors : [sentenceOf(this.code)]
  }

  constructor(
    code: ErrorCode,
    options: { errors?: readonly string[]; retryAfterS?: number; cause?: unknown } = {},
  ) {
    super(code, code, { cause: options.cause })
    this.errors = options.errors ?? []
    this.retryAfterS = options.retryAfterS
  }
}
