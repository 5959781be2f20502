import { PorticoError } from '@portico/contracts/errors'

/** Why a call failed: rejected by the server, no response, or a response that could not be parsed. */
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

  /** The HTTP status, or 0 without a response. */
  get status(): number {
    return this.response?.status ?? 0
  }

  /** The server's error code, if the response has one. */
  get reason(): string | undefined {
    return textField(this.data, 'code')
  }

  /**
   * The messages to show (§8): each string in the response's errors list, or the error's own message. For 429 it is always
   * our own sentence, because the response may come from a proxy.
   */
  get notices(): readonly string[] {
    if (this.status === 429) return [this.message]
    const { errors } = (this.data ?? {}) as { errors?: unknown }
    const listed = Array.isArray(errors)
      ? errors.filter((each): each is string => typeof each === 'string' && each !== '')
      : []
    return listed.length > 0 ? listed : [this.message]
  }

  /** Seconds to wait before retrying, from the Retry-After header. */
  get retryAfterS(): number | undefined {
    const seconds = Number(this.response?.headers.get('retry-after') ?? Number.NaN)
    return Number.isFinite(seconds) ? seconds : undefined
  }
}

/** Reads a string field of an unvalidated value. */
export function textField(data: unknown, name: string): string | undefined {
  const value = (data as Record<string, unknown> | null | undefined)?.[name]
  return typeof value === 'string' ? value : undefined
}
