/**
 * The generic HTTP helper of §7.1: query string from `params`, JSON bodies, responses as text, PDF or JSON, trace and
 * replay headers, a timeout, the stored token in requests and its renewal from responses.
 */

import {
  HTTP_TIMEOUT_MS,
  ORGANIZATION_HEADER,
  PASSPORT_PATH,
  WALLET_AUTHORIZATION_HEADER,
} from '@portico/contracts/limits'
import { NOTICES, PAGE_MESSAGES } from '@portico/contracts/notices'
import { BEARER_PREFIX } from '@portico/contracts/storage-keys'
import { ApiError, textField } from './api-error.ts'
import type { StoredJwt } from './stored-jwt.ts'

/** Requests below this path use the connected wallet's token instead of the stored one (§7.1). */
const WALLET_IDENTITY_PATH = '/identity/api/v3/wallet/'

/** A request before it is sent; the pre-request hook may change it. */
export interface OutgoingRequest {
  url: string
  method: string
  headers: Headers
  body: string | Uint8Array<ArrayBuffer> | undefined
}

/** Only `jwt` is required. */
export interface HttpOptions {
  readonly jwt: StoredJwt
  /** The page's organization code. By default the server uses the one that the browser last opened in any tab. */
  readonly organization?: string
  /** Defaults to the page's own origin. */
  readonly baseUrl?: string
  readonly fetch?: typeof fetch
  readonly timeoutMs?: number
  /** The connected wallet's `signedJWT`, read at each request. */
  readonly walletJwt?: () => string | undefined
  /** Headers of a session-replay recorder. */
  readonly replayHeaders?: () => Readonly<Record<string, string>>
  readonly beforeRequest?: (request: OutgoingRequest) => void | Promise<void>
  readonly onError?: (error: ApiError) => void
}

export interface HttpRequest {
  readonly method?: string
  readonly params?: Readonly<Record<string, string | number | boolean | undefined>>
  /** Sent as JSON, or unchanged if they are bytes. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly expect?: 'json' | 'text' | 'pdf' | 'bytes' | 'nothing'
  readonly signal?: AbortSignal | undefined
  readonly keepalive?: boolean | undefined
}

/** Sends a request and returns its response in the expected format: parsed JSON, text, or the bytes of a PDF. */
export type Http = (path: string, request?: HttpRequest) => Promise<unknown>

/** A W3C `traceparent` that starts a new trace. The flag says that the client does not sample it, so the server decides. */
export function traceparent(random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array): string {
  const hex = [...random(new Uint8Array(24))].map((byte) => byte.toString(16).padStart(2, '0'))
  return `00-${hex.slice(0, 16).join('')}-${hex.slice(16).join('')}-00`
}

/** Creates the helper. It throws only `ApiError` and passes each one to `onError`. */
export function http(options: HttpOptions): Http {
  const send = options.fetch ?? ((...parameters: Parameters<typeof fetch>) => fetch(...parameters))

  return async (path, request = {}) => {
    try {
      const response = await fetchResponse(path, request)
      return await read(path, request, response)
    } catch (error) {
      const failure =
        error instanceof ApiError
          ? error
          : new ApiError(isTimeout(error) ? 'timed-out' : 'unreachable', NOTICES.fetchFailed, {
              cause: error,
            })
      options.onError?.(failure)
      throw failure
    }
  }

  async function fetchResponse(path: string, request: HttpRequest): Promise<Response> {
    const outgoing: OutgoingRequest = {
      url: urlOf(path, request.params),
      method: request.method ?? 'GET',
      headers: headersFor(path, request),
      body: bodyOf(request),
    }
    await options.beforeRequest?.(outgoing)
    const timeout = AbortSignal.timeout(options.timeoutMs ?? HTTP_TIMEOUT_MS)
    const { url, body, ...rest } = outgoing
    const response: Response | undefined = await send(url, {
      ...rest,
      ...(body === undefined ? {} : { body }),
      credentials: 'include',
      keepalive: request.keepalive ?? false,
      signal: request.signal ? AbortSignal.any([request.signal, timeout]) : timeout,
    })
    // A service worker or a patched fetch may resolve to undefined.
    if (!response) throw new ApiError('unreadable', `Response was not defined for ${path}`)
    renew(outgoing.headers.get('authorization'), response)
    if (!response.ok) await throwRefusal(response)
    return response
  }

  function urlOf(path: string, params: HttpRequest['params']): string {
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(params ?? {})) {
      if (value !== undefined) query.set(name, String(value))
    }
    const text = query.toString()
    return `${options.baseUrl ?? ''}${path}${text === '' ? '' : `?${text}`}`
  }

  function headersFor(path: string, request: HttpRequest): Headers {
    const headers = new Headers({
      accept: ACCEPTED[request.expect ?? 'json'],
      traceparent: traceparent((bytes) => crypto.getRandomValues(bytes)),
      ...options.replayHeaders?.(),
    })
    if (options.organization !== undefined) headers.set(ORGANIZATION_HEADER, options.organization)
    if (request.body instanceof Uint8Array) headers.set('content-type', 'application/octet-stream')
    else if (request.body !== undefined) headers.set('content-type', 'application/json')
    const walletJwt = options.walletJwt?.()
    const ofWallet = walletJwt === undefined ? undefined : `${BEARER_PREFIX}${walletJwt}`
    const authorization =
      (path.startsWith(WALLET_IDENTITY_PATH) ? ofWallet : undefined) ?? options.jwt.read()
    // §7.6: passport calls have both.
    if (path.startsWith(PASSPORT_PATH) && ofWallet !== undefined) {
      headers.set(WALLET_AUTHORIZATION_HEADER, ofWallet)
    }
    if (authorization !== undefined) headers.set('authorization', authorization)
    for (const [name, value] of Object.entries(request.headers ?? {})) headers.set(name, value)
    return headers
  }

  /** Stores a renewed token unless the stored one has changed since the request was sent (another login or a logout). */
  function renew(sent: string | null, response: Response): void {
    const renewed = response.headers.get('authorization')
    if (response.ok && renewed !== null && sent !== null && sent === options.jwt.read()) {
      options.jwt.write(renewed)
    }
  }

  async function throwRefusal(response: Response): Promise<never> {
    const data = await response
      .clone()
      .json()
      .catch(() => undefined)
    const message = textField(data, 'message')
    if (response.status === 401 || (response.status === 403 && message === 'Unauthenticated')) {
      options.jwt.remove()
    }
    const text =
      response.status === 429
        ? PAGE_MESSAGES['too-many-requests']
        : (message ?? NOTICES.fetchFailed)
    throw new ApiError('refused', text, { response, data })
  }

  async function read(path: string, request: HttpRequest, response: Response): Promise<unknown> {
    switch (request.expect ?? 'json') {
      case 'nothing':
        return undefined
      case 'text':
        return response.text()
      case 'pdf':
        return response.arrayBuffer()
      case 'bytes':
        return new Uint8Array(await response.arrayBuffer())
      case 'json': {
        // Read the body first: an interrupted response is a network failure, not invalid JSON.
        const text = await response.text()
        try {
          return JSON.parse(text)
        } catch (error) {
          throw new ApiError('unreadable', `Response was not convertible to json for ${path}`, {
            response,
            cause: error,
          })
        }
      }
    }
  }
}

const TEXTS = 'application/json, text/plain'

const ACCEPTED: Readonly<Record<NonNullable<HttpRequest['expect']>, string>> = {
  json: TEXTS,
  text: TEXTS,
  nothing: TEXTS,
  pdf: 'application/pdf',
  bytes: '*/*',
}

function bodyOf({ body }: HttpRequest): OutgoingRequest['body'] {
  if (body === undefined) return undefined
  // Views of shared memory cannot be sent, and no caller has one.
  return body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body)
}

/** Whether the timeout aborted the request or the reading of its response. */
function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError'
}
