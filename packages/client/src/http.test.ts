import { expect, test, vi } from 'vitest'
import { ApiError } from './api-error.ts'
import { type HttpOptions, type HttpRequest, http, traceparent } from './http.ts'
import type { StoredJwt } from './stored-jwt.ts'

interface Sent {
  readonly url: string
  readonly init: RequestInit
  readonly headers: Headers
}

/** A helper with a fake fetch, and the requests it sent. */
function world(
  answer: (sent: Sent) => Response | Promise<Response> | undefined = () => Response.json({}),
  options: Partial<HttpOptions> = {},
  stored?: string,
) {
  const sent: Sent[] = []
  let token = stored
  const jwt: StoredJwt = {
    read: () => token,
    write: (kept) => void (token = kept),
    remove: () => void (token = undefined),
    watch: () => () => undefined,
  }
  const failures: ApiError[] = []
  const send = http({
    jwt,
    fetch: (async (url: string, init: RequestInit) => {
      const each = { url, init, headers: init.headers as Headers }
      sent.push(each)
      return answer(each)
    }) as typeof fetch, // The helper passes only these two arguments.
    onError: (failure) => failures.push(failure),
    ...options,
  })
  return { send, sent, jwt, failures }
}

const refused = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers })

async function failureOf(attempt: Promise<unknown>): Promise<ApiError> {
  const error = await attempt.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ApiError)) throw new Error('Expected the request to fail with an ApiError')
  return error
}

test('7.1 credentials (cookies) are sent', async () => {
  const { send, sent } = world()
  await send('/a')
  expect(sent[0]?.init.credentials).toBe('include')
})

test('7.1 the base host is the same origin, and the base URL is configurable', async () => {
  const own = world()
  await own.send('/a')
  expect(own.sent[0]?.url).toBe('/a')
  const other = world(undefined, { baseUrl: 'https://test.lender.example' })
  await other.send('/a')
  expect(other.sent[0]?.url).toBe('https://test.lender.example/a')
})

test('7.1 the generic helper adds a query string from params, without undefined values', async () => {
  const { send, sent } = world()
  await send('/a', { params: { text: 'a&b=c', yes: true, count: 2, none: undefined } })
  expect(sent[0]?.url).toBe('/a?text=a%26b%3Dc&yes=true&count=2')
  await send('/a', { params: { none: undefined } })
  expect(sent[1]?.url).toBe('/a')
})

test('7.1 it sends JSON bodies', async () => {
  const { send, sent } = world()
  await send('/a', { method: 'POST', body: { name: 'Ada' } })
  expect(sent[0]?.init).toMatchObject({ method: 'POST', body: '{"name":"Ada"}' })
  expect(sent[0]?.headers.get('content-type')).toBe('application/json')
  await send('/a')
  expect(sent[1]?.headers.has('content-type')).toBe(false)
})

test.each<[NonNullable<HttpRequest['expect']>, Response, unknown]>([
  ['json', Response.json({ a: 1 }), { a: 1 }],
  ['text', new Response('plain'), 'plain'],
  ['nothing', new Response(null, { status: 204 }), undefined],
])('7.1 it parses the answer by expected response type: %s', async (expected, response, answer) => {
  const { send } = world(() => response)
  expect(await send('/a', { expect: expected })).toEqual(answer)
})

test('7.1 it parses the response by expected type: PDF (array buffer)', async () => {
  const { send, sent } = world(() => new Response('%PDF-1.7'))
  const bytes = await send('/a', { expect: 'pdf' })
  expect(bytes).toBeInstanceOf(ArrayBuffer)
  expect(new TextDecoder().decode(bytes as ArrayBuffer)).toBe('%PDF-1.7')
  expect(sent[0]?.headers.get('accept')).toBe('application/pdf')
})

test('7.1 trace headers are added, a new trace for each request', async () => {
  const { send, sent } = world()
  await send('/a')
  await send('/a')
  const [first, second] = sent.map(({ headers }) => headers.get('traceparent'))
  expect(first).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
  expect(second).not.toBe(first)
})

test('7.1 the trace header follows W3C Trace Context', () => {
  const counting = (bytes: Uint8Array<ArrayBuffer>) => bytes.map((_, index) => index)
  expect(traceparent(counting)).toBe('00-000102030405060708090a0b0c0d0e0f-1011121314151617-00')
})

test('7.1 session-replay session headers are added', async () => {
  const { send, sent } = world(undefined, { replayHeaders: () => ({ 'x-replay-session': '42' }) })
  await send('/a')
  expect(sent[0]?.headers.get('x-replay-session')).toBe('42')
})

test('7.1 a pre-request hook exists', async () => {
  const { send, sent } = world(undefined, {
    async beforeRequest(request) {
      request.url = `${request.url}?hooked`
      request.headers.set('x-hooked', 'yes')
    },
  })
  await send('/a')
  expect([sent[0]?.url, sent[0]?.headers.get('x-hooked')]).toEqual(['/a?hooked', 'yes'])
})

test('7.1 requests time out', async () => {
  const { send } = world(
    ({ init }) =>
      new Promise((_, reject) => {
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error))
      }),
    { timeoutMs: 1 },
  )
  expect(await failureOf(send('/a'))).toMatchObject({
    code: 'timed-out',
    status: 0,
    message: 'Error fetching',
  })
})

test('9 HTTP timeout 30000 ms by default', async () => {
  const timeouts = vi.spyOn(AbortSignal, 'timeout')
  await world().send('/a')
  expect(timeouts).toHaveBeenCalledExactlyOnceWith(30_000)
  timeouts.mockRestore()
})

test('8 an interrupted or incomplete response counts as not received', async () => {
  const broken = (error: unknown) =>
    new Response(new ReadableStream({ pull: (stream) => stream.error(error) }))
  for (const [error, code] of [
    [new TypeError('network error'), 'unreachable'],
    [new DOMException('too long', 'TimeoutError'), 'timed-out'],
  ] as const) {
    const { send } = world(() => broken(error))
    expect(await failureOf(send('/a'))).toMatchObject({ code, message: 'Error fetching' })
  }
})

test('7.1 a caller can abort earlier', async () => {
  const controller = new AbortController()
  const { send, sent } = world(({ init }) => {
    controller.abort()
    init.signal?.throwIfAborted()
    return undefined
  })
  expect((await failureOf(send('/a', { signal: controller.signal }))).code).toBe('unreachable')
  expect(sent[0]?.init.signal?.aborted).toBe(true)
})

test('7.1 other requests send the stored jwt as the authorization header', async () => {
  const { send, sent } = world(undefined, {}, 'Bearer stored')
  await send('/a')
  expect(sent[0]?.headers.get('authorization')).toBe('Bearer stored')
})

test('7.1 without a stored jwt there is no authorization header', async () => {
  const { send, sent } = world()
  await send('/a')
  expect(sent[0]?.headers.has('authorization')).toBe(false)
})

test('7.1 any request to the wallet identity path gets a bearer header from the signedJWT', async () => {
  const { send, sent } = world(undefined, { walletJwt: () => 'signed' }, 'Bearer stored')
  await send('/identity/api/v3/wallet/nonce')
  await send('/identity/secure/api/v1/identity')
  expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual([
    'Bearer signed',
    'Bearer stored',
  ])
})

test('7.6 passport calls have the stored token and that of the connected wallet', async () => {
  const { send, sent } = world(undefined, { walletJwt: () => 'signed' }, 'Bearer stored')
  await send('/service-universal-passport/identity/secure/api/v1/gateway/passport')
  await send('/identity/secure/api/v1/identity')
  expect(
    sent.map(({ headers }) => [
      headers.get('authorization'),
      headers.get('x-wallet-authorization'),
    ]),
  ).toEqual([
    ['Bearer stored', 'Bearer signed'],
    ['Bearer stored', null],
  ])
})

test("7.1 the caller's headers take precedence", async () => {
  const { send, sent } = world(undefined, {}, 'Bearer stored')
  await send('/a', { headers: { authorization: 'Bearer given' } })
  expect(sent[0]?.headers.get('authorization')).toBe('Bearer given')
})

test('7.6 the stored jwt is refreshed from the authorization header of the response', async () => {
  const renewing = () => Response.json({}, { headers: { authorization: 'Bearer renewed' } })
  const { send, jwt } = world(renewing, {}, 'Bearer stored')
  await send('/a')
  expect(jwt.read()).toBe('Bearer renewed')
})

test.each([
  ['the user has logged out', undefined],
  ['another user has logged in', 'Bearer other'],
])('7.6 a late renewal is not stored after %s', async (_, stored) => {
  const { send, jwt } = world(
    () => {
      if (stored === undefined) jwt.remove()
      else jwt.write(stored)
      return Response.json({}, { headers: { authorization: 'Bearer renewed' } })
    },
    {},
    'Bearer stored',
  )
  await send('/a')
  expect(jwt.read()).toBe(stored)
})

test('7.6 an error response does not renew the jwt', async () => {
  const { send, jwt } = world(
    () => refused(500, {}, { authorization: 'Bearer renewed' }),
    {},
    'Bearer stored',
  )
  await failureOf(send('/a'))
  expect(jwt.read()).toBe('Bearer stored')
})

test.each<[string, number, unknown, string | undefined]>([
  ['on 401 anywhere, the stored jwt is removed', 401, {}, undefined],
  ["on 403 'Unauthenticated' it is removed too", 403, { message: 'Unauthenticated' }, undefined],
  ['on any other 403 it stays', 403, { message: 'No' }, 'Bearer stored'],
  ['on any other refusal it stays', 400, { message: 'Unauthenticated' }, 'Bearer stored'],
])('7.1 the stored jwt: %s', async (_, status, body, left) => {
  const { send, jwt } = world(() => refused(status, body), {}, 'Bearer stored')
  await failureOf(send('/a'))
  expect(jwt.read()).toBe(left)
})

test('3 on failure it raises the error object: response, status, message, data', async () => {
  const body = { code: 'code-wrong', message: 'Wrong.', errors: ['One.', 'Two.'] }
  const { send } = world(() => refused(400, body))
  const failure = await failureOf(send('/a'))
  expect(failure).toMatchObject({ code: 'refused', status: 400, message: 'Wrong.', data: body })
  expect(failure.response).toBeInstanceOf(Response)
  expect(failure.reason).toBe('code-wrong')
})

test('7.1 on failure it calls an error hook', async () => {
  const { send, failures } = world(() => refused(400, {}))
  const failure = await failureOf(send('/a'))
  expect(failures).toEqual([failure])
})

test.each<[string, unknown, readonly string[]]>([
  ['each string of the errors list', { errors: ['One.', 'Two.'] }, ['One.', 'Two.']],
  ['only the strings of that list', { errors: ['One.', 2, '', null] }, ['One.']],
  ["otherwise the error's own message", { message: 'Own.' }, ['Own.']],
  ['otherwise the default', {}, ['Error fetching']],
  ['the default for a response that is not an object', 'text', ['Error fetching']],
])('8 other errors: %s', async (_, body, notices) => {
  const { send } = world(() => refused(400, body))
  expect((await failureOf(send('/a'))).notices).toEqual(notices)
})

test.each([{}, { message: 'Slow down.', errors: ['Rate limit of the gateway exceeded.'] }])(
  '8 HTTP 429 has its own sentence, whatever the response body says, and states how long to wait',
  async (body) => {
    const { send } = world(() => refused(429, body, { 'retry-after': '60' }))
    const failure = await failureOf(send('/a'))
    expect(failure.notices).toEqual([
      "You're submitting requests too quickly; please give us a minute to process your last one.",
    ])
    expect(failure.retryAfterS).toBe(60)
  },
)

test('8 an error response without a body is still an error', async () => {
  const { send } = world(() => new Response('<html>', { status: 502 }))
  expect(await failureOf(send('/a'))).toMatchObject({ status: 502, message: 'Error fetching' })
})

test("8 'Response was not convertible to json for {url}'", async () => {
  const { send } = world(() => new Response('<html>'))
  expect(await failureOf(send('/a'))).toMatchObject({
    code: 'unreadable',
    message: 'Response was not convertible to json for /a',
  })
})

test("8 'Response was not defined for {url}'", async () => {
  const { send } = world(() => undefined)
  expect(await failureOf(send('/a'))).toMatchObject({
    code: 'unreadable',
    message: 'Response was not defined for /a',
  })
})

test("8 default fetch error: 'Error fetching'", async () => {
  const { send, failures } = world(() => Promise.reject(new TypeError('Failed to fetch')))
  const failure = await failureOf(send('/a'))
  expect(failure).toMatchObject({ code: 'unreachable', message: 'Error fetching', status: 0 })
  expect(failures).toHaveLength(1)
})

test('7.1 query defaults: no retry', async () => {
  const { send, sent } = world(() => refused(503, {}))
  await failureOf(send('/a'))
  expect(sent).toHaveLength(1)
})

test("7.1 every call names the page's organization, because tabs of several lenders share their cookies", async () => {
  const { send, sent } = world(undefined, { organization: 'HARBORLINE' })
  await send('/identity/api/v1/token/send', { method: 'POST', body: {} })
  await send('/identity/secure/api/v1/identity')
  expect(sent.map(({ headers }) => headers.get('x-organization'))).toEqual([
    'HARBORLINE',
    'HARBORLINE',
  ])
})
