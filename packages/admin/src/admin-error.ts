import type { Call } from '@portico/contracts/call'
import { ERROR_CATALOG } from '@portico/contracts/error-catalog'
import { type ErrorCode, PorticoError } from '@portico/contracts/errors'

/**
 * The server's code or one of the client's own. `unreachable`, `timed-out`: no response. `unreadable`: not a response from
 * Portico. `refused`: a code unknown to this version of the client. `invalid-options`: an unusable URL or token.
 */
export type AdminErrorCode =
  | ErrorCode
  | 'unreachable'
  | 'timed-out'
  | 'unreadable'
  | 'refused'
  | 'invalid-options'

interface AdminErrorOptions {
  readonly status?: number
  readonly errors?: readonly string[]
  readonly retryAfterS?: number | undefined
  readonly data?: unknown
  readonly cause?: unknown
}

/** Why a call failed. The message says what to do; match on `code`. */
export class AdminError extends PorticoError<AdminErrorCode> {
  /** The HTTP status; 0 without a response. */
  readonly status: number
  /** The server's description of each problem in the request. */
  readonly errors: readonly string[]
  /** The seconds in `retry-after`, if present. */
  readonly retryAfterS: number | undefined

  constructor(code: AdminErrorCode, message: string, options: AdminErrorOptions = {}) {
    super(code, message, options)
    this.status = options.status ?? 0
    this.errors = options.errors ?? []
    this.retryAfterS = options.retryAfterS
  }

  /** Whether the same call may succeed later. */
  get isTemporary(): boolean {
    return (
      this.code === 'unreachable' ||
      this.code === 'timed-out' ||
      [429, 502, 503, 504].includes(this.status)
    )
  }
}

/** The error for a response that refuses a call. */
export function refusalOf(
  call: Call,
  response: Response,
  { text, url }: { readonly text: string; readonly url: string },
): AdminError {
  const { status } = response
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  const retryAfterS = Number.isFinite(retryAfter) ? retryAfter : undefined
  const body = refusalBody(text)
  if (body === undefined) {
    return new AdminError(
      'unreadable',
      `${url} answered with HTTP ${status}, but not as Portico does. Check that the URL is the origin of an installation, such as https://login.lender.example, and what its proxies answer.`,
      { status, retryAfterS },
    )
  }
  const { code, message, errors } = body
  const known = code in ERROR_CATALOG ? (code as ErrorCode) : 'refused'
  return new AdminError(known, adviceOf(call, { ...body, retryAfterS }), {
    status,
    errors,
    retryAfterS,
    data: { code, message, errors },
  })
}

interface RefusalBody {
  readonly code: string
  readonly message: string
  readonly errors: readonly string[]
}

function refusalBody(text: string): RefusalBody | undefined {
  try {
    const { code, message, errors } = JSON.parse(text) as Partial<RefusalBody>
    if (typeof code !== 'string' || typeof message !== 'string') return undefined
    const listed = Array.isArray(errors) ? errors.filter((each) => typeof each === 'string') : []
    return { code, message, errors: listed }
  } catch {
    // Not JSON, or `null`: the response is from a proxy.
    return undefined
  }
}

/** Says what is wrong and what to do. Replaces some server messages that are written for page users. */
function adviceOf(
  call: Call,
  { code, message, errors, retryAfterS }: RefusalBody & { retryAfterS: number | undefined },
): string {
  const text = errors.length > 0 ? errors.join(' ') : message
  switch (code) {
    case 'service-token-refused':
      return `${text} Check that it was copied completely, or create another one with the same name in the console.`
    case 'not-permitted':
      return `The token may not make the call ${call.name}. It needs the permission ${call.permission ?? 'of the call'} for at least one organization.`
    case 'not-found':
      return 'Not found. Check the ID or code. A token has access only to its own organizations.'
    case 'too-many-requests':
      return `Too many requests from this network. Try again in ${retryAfterS ?? 60} seconds.`
    case 'server-fault':
      return call.method === 'GET'
        ? text
        : `${text} It is not known whether the change was made: read it before you repeat it.`
    default:
      return text
  }
}
