import { PorticoError } from '@portico/contracts/errors'

/** Why a call failed: refused by the server, never answered, or answered with something unreadable. */
export type ApiErrorCode = 'refused' | 'unreachable' | 'timed-out' | 'unreadable'

/** The HTTP helper's error object (§3): `response`, `status`, `message` and `data`. */
export class ApiError extends PorticoError<ApiErrorCode> {
  readonly response: Response | undefined

  constructor(
    code: ApiErrorCode,
    message: string,
    options: { response?: Response; data?: unknown; cause?: unknown } = {},
  ) {
    super(code, message, { data: options.data, cause: options.cause })
    this.response = options.response
  }

  /** The HTTP status, or 0 where no answer came. */
  get status(): number {
    return this.response?.status ?? 0
  }

  /** The server's own name for the refusal, where it gave one. */
  get reason(): string | undefined {
    return textField(this.data, 'code')
  }

  /**
   * What a person is to read (§8): each string of the answer's errors list, else the error's own message. For 429 that is
   * the sentence of ours, whatever else answered.
   */
  get notices(): readonly string[] {
    if (this.status === 429) return [this.message]
    const { errors } = (this.data ?? {}) as { errors?: unknown }
    const listed = Array.isArray(errors)
      ? errors.filter((each): each is string => typeof each === 'string' && each !== '')
      : []
    return listed.length > 0 ? listed : [this.message]
  }

  /** Seconds to wait before asking again, where the server said so. */
  get retryAfterS(): number | undefined {
    const seconds = Number(this.response?.headers.get('retry-after') ?? Number.NaN)
    return Number.isFinite(seconds) ? seconds : undefined
  }
}

/** A text field of an answer that may be anything. */
export function textField(data: unknown, name: string): string | undefined {
  const value = (data as Record<string, unknown> | null | undefined)?.[name]
  return typeof value === 'string' ? value : undefined
}
