import type { Call } from '@portico/contracts/call'
import { ERROR_CATALOG } from '@portico/contracts/error-catalog'
import { type ErrorCode, PorticoError } from '@portico/contracts/errors'

/**
 * The server's code, or why there is none. `unreachable`, `timed-out`: no answer. `unreadable`: not an answer of Portico.
 * `refused`: a code that this version of the client does not have. `invalid-options`: the URL or the token cannot be used.
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
  /** The HTTP status; 0 without an answer. */
  readonly status: number
  /** The server's sentence for each problem of the request. */
  readonly errors: readonly string[]
  /** After how many seconds the server accepts the call again, if it said so. */
  readonly retryAfterS: number | undefined

  constructor(code: AdminErrorCode, message: string, options: AdminErrorOptions = {}) {
    super(code, message, options)
    this.status = options.status ?? 0
    this.errors = options.errors ?? []
    this.retryAfterS = options.retryAfterS
  }

  /** Whether the same call may succeed later: nothing about it is wrong. */
  get isTemporary(): boolean {
    return (
      this.code === 'unreachable' ||
      this.code === 'timed-out' ||
      [429, 502, 503, 504].includes(this.status)
    )
  }
}

/** The error of a response that refuses a call. */
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
    // Not JSON, or `null`: a proxy answered.
    return undefined
  }
}

/** What is wrong and what to do. The server's own sentence is for users of pages; a program needs another one now and then. */
function adviceOf(
  call: Call,
  { code, message, errors, retryAfterS }: RefusalBody & { retryAfterS: number | undefined },
): string {
  const text = errors.length > 0 ? errors.join(' ') : message
  switch (code) {
    case 'service-token-refused':
      return `${text} Check that it was copied as a whole, or create another one of the same name in the console.`
    case 'not-permitted':
      return `The token may not make the call ${call.name}. It needs the permission ${call.permission ?? 'of the call'} for at least one organization.`
    case 'not-found':
      return 'Nothing was found. Check the ID or code. A token only finds what belongs to its organizations.'
    case 'too-many-requests':
      return `There were too many requests from this network. Try again in ${retryAfterS ?? 60} seconds.`
    case 'server-fault':
      return call.method === 'GET'
        ? text
        : `${text} It is not known whether the change was made: read it before you repeat it.`
    default:
      return text
  }
}
