/**
 * Calls the admin API with a service token. Each write has an idempotency key, so the client can retry it after a lost
 * response and it is still performed only once.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { AnswerOf, Call, Input, Parsed, Schema } from '@portico/contracts/call'
import { IDEMPOTENCY_HEADER } from '@portico/contracts/limits'
import { AdminError, refusalOf } from './admin-error.ts'

const TIMEOUT_MS = 30_000
const ATTEMPTS = 4
const FIRST_WAIT_MS = 500
const MAX_WAIT_MS = 60_000

export interface AdminOptions {
  /** The installation's origin, such as `https://login.lender.example`. */
  readonly url: string
  /** A service token, `ptk_…`. */
  readonly token: string
  /** Allows plain http to another machine, where anyone on the network path can read the token. */
  readonly allowInsecure?: boolean
  /** How long one attempt may take; for a download, until the response begins. 30 seconds by default. */
  readonly timeoutMs?: number
  /** The maximum number of attempts if there is no response or the server is rate limiting. Four by default. */
  readonly attempts?: number
  readonly fetch?: typeof fetch
}

/** What a call declares, and how to make it. */
export type AdminInput<C extends Call> = (C['body'] extends Schema
  ? { readonly body: Input<C['body']> }
  : { readonly body?: undefined }) &
  (C['query'] extends Schema
    ? // oxlint-disable-next-line typescript/no-generated-empty-object-type -- The type of a query without parameters.
      Record<never, never> extends Input<C['query']>
      ? { readonly query?: Input<C['query']> }
      : { readonly query: Input<C['query']> }
    : { readonly query?: undefined }) & {
    /** The idempotency key, 8 to 128 characters; random by default. Set it for a write that another process may repeat. */
    readonly idempotencyKey?: string
    readonly signal?: AbortSignal
  }

/** An item of a paginated call. */
export type PageItem<C extends Call> =
  Parsed<C['answer']> extends { items: readonly (infer Item)[]; next: string | null } ? Item : never

/** A file of an export. Reading it throws an `AdminError` if the connection ends before the file does. */
export interface AdminDownload {
  readonly type: string
  readonly content: AsyncIterable<Uint8Array>
}

export interface AdminClient {
  /**
   * Makes a call.
   *
   * @throws AdminError
   */
  readonly call: <C extends Call>(call: C, input: AdminInput<C>) => Promise<AnswerOf<C>>
  /**
   * Iterates over the items of all pages. Each page is loaded when its first item is needed.
   *
   * @throws AdminError
   */
  readonly pages: <C extends Call>(call: C, input: AdminInput<C>) => AsyncGenerator<PageItem<C>>
  /**
   * Starts a download: a call that returns CSV or NDJSON.
   *
   * @throws AdminError
   */
  readonly download: <C extends Call>(call: C, input: AdminInput<C>) => Promise<AdminDownload>
}

/** The input of any call. */
interface AnyInput {
  readonly body?: unknown
  readonly query?: unknown
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

interface Attempt {
  readonly call: Call
  readonly input: AnyInput
  readonly headers: Headers
}

/**
 * Creates a client. Its calls are exported by `@portico/admin/calls`.
 *
 * @throws AdminError - `invalid-options`
 * @example const admin = openAdmin({ url: 'https://login.lender.example', token: process.env.PORTICO_ADMIN_TOKEN ?? '' })
 *   const answer = await admin.call(unlockPerson, { body: { identityUuid, reason: 'Ticket 4711' } }) if ('outcome' in
 *   answer) console.log('Another operator must approve it.')
 */
export function openAdmin(options: AdminOptions): AdminClient {
  const { token } = options
  const origin = originOf(options)
  if (!/^ptk_[\w-]+$/.test(token)) {
    throw new AdminError(
      'invalid-options',
      'The service token cannot be used: it must begin with ptk_ and have no spaces.',
    )
  }
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS
  const attempts = options.attempts ?? ATTEMPTS
  const send = options.fetch ?? ((...parameters: Parameters<typeof fetch>) => fetch(...parameters))

  /** Sends a call, with retries, and reads the response. */
  async function repeat<Result>(
    call: Call,
    input: AnyInput,
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    const headers = headersOf(call, input)
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await attemptOnce({ call, input, headers }, read)
      } catch (error) {
        input.signal?.throwIfAborted()
        if (!(error instanceof AdminError) || attempt >= attempts) throw error
        // The first attempt may still be running; a retry with the key returns its response.
        const isOwn = error.code === 'idempotency-pending' && attempt > 1
        if (!error.isTemporary && !isOwn) throw error
        await delay(waitMs(error, attempt), undefined, { signal: input.signal })
      }
    }
  }

  function headersOf(call: Call, { body, idempotencyKey }: AnyInput): Headers {
    const headers = new Headers({ authorization: `Bearer ${token}` })
    if (body !== undefined) {
      const isBytes = body instanceof Uint8Array
      headers.set('content-type', isBytes ? 'application/octet-stream' : 'application/json')
    }
    if (call.method !== 'GET') {
      headers.set(IDEMPOTENCY_HEADER, idempotencyKey ?? crypto.randomUUID())
    }
    return headers
  }

  async function attemptOnce<Result>(
    { call, input, headers }: Attempt,
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    const { body, signal } = input
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(), timeoutMs)
    try {
      const response = await send(urlOf(call, input), {
        method: call.method,
        headers,
        // A redirect would send the token to another server.
        redirect: 'error',
        signal: signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]),
        ...(body === undefined
          ? {}
          : { body: body instanceof Uint8Array ? body.slice() : JSON.stringify(body) }),
      })
      if (!response.ok) {
        throw refusalOf(call, response, { text: await response.text(), url: origin })
      }
      return await read(response)
    } catch (error) {
      if (error instanceof AdminError) throw error
      throw noAnswer(error, timeout.signal.aborted)
    } finally {
      clearTimeout(timer)
    }
  }

  function noAnswer(cause: unknown, isTimeout: boolean): AdminError {
    return isTimeout
      ? new AdminError(
          'timed-out',
          `${origin} did not answer within ${timeoutMs / 1000} seconds. Try again later.`,
          { cause },
        )
      : new AdminError(
          'unreachable',
          `${origin} could not be reached (${reasonOf(cause)}). Check the URL, and that the server runs and does not redirect.`,
          { cause },
        )
  }

  function urlOf({ path }: Call, { query }: AnyInput): string {
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(fieldsOf(query))) {
      if (value !== undefined) search.set(name, value)
    }
    const text = search.toString()
    return `${origin}${path}${text === '' ? '' : `?${text}`}`
  }

  async function readJson(call: Call, response: Response): Promise<unknown> {
    // An interrupted body is a lost response, not invalid JSON.
    const text = await response.text()
    if (call.answer === undefined) return undefined
    try {
      return JSON.parse(text)
    } catch (cause) {
      throw new AdminError(
        'unreadable',
        `${origin} did not answer with JSON. Check that the URL is the origin of an installation.`,
        { status: response.status, cause },
      )
    }
  }

  const makeCall = (call: Call, input: AnyInput) =>
    repeat(call, input, (response) => readJson(call, response))

  return {
    call: async <C extends Call>(call: C, input: AdminInput<C>) =>
      // Not validated: the server validates its responses, and a newer server may add fields.
      (await makeCall(call, input)) as AnswerOf<C>,
    async *pages<C extends Call>(call: C, input: AdminInput<C>) {
      const { query, ...rest }: AnyInput = input
      let after: string | null = null
      do {
        const place: object = after === null ? {} : { after }
        // The item type is `never` for a call that is not paginated.
        const page = (await makeCall(call, {
          ...rest,
          query: { ...fieldsOf(query), ...place },
        })) as {
          readonly items: readonly PageItem<C>[]
          readonly next: string | null
        }
        yield* page.items
        after = page.next
      } while (after !== null)
    },
    download: (call, input) =>
      repeat(call, input, async ({ body, headers }) => {
        if (body === null) throw new Error('The response has no body')
        return { type: headers.get('content-type') ?? '', content: wholeFile(body) }
      }),
  }
}

/** Queries are declared as objects of strings. */
const fieldsOf = (query: unknown) => (query ?? {}) as Readonly<Record<string, string | undefined>>

async function* wholeFile(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (cause) {
    throw new AdminError(
      'unreachable',
      'The connection ended before the file did. Download it again.',
      { cause },
    )
  }
}

function originOf({ url, allowInsecure = false }: AdminOptions): string {
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || !isOrigin(parsed)) {
    throw new AdminError(
      'invalid-options',
      `The URL '${url}' cannot be used. It must be an origin such as https://login.lender.example, without a path.`,
    )
  }
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(parsed.hostname)
  if (parsed.protocol === 'http:' && !isLocal && !allowInsecure) {
    throw new AdminError(
      'invalid-options',
      `Anyone between here and ${parsed.origin} could read the service token. Use https.`,
    )
  }
  return parsed.origin
}

const isOrigin = ({ pathname, search, hash, username }: URL) =>
  pathname === '/' && search === '' && hash === '' && username === ''

/** The network error, which `fetch` wraps. */
function reasonOf(error: unknown): string {
  const { cause = error } = error as { cause?: unknown }
  const { code, message } = cause as { code?: string; message?: string }
  return code ?? message ?? 'no answer'
}

/** The time in `retry-after`, or else exponential backoff with jitter. */
function waitMs({ retryAfterS }: AdminError, attempt: number): number {
  const grown = FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2)
  return Math.min(MAX_WAIT_MS, retryAfterS === undefined ? grown : retryAfterS * 1000)
}
