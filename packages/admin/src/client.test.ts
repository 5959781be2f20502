import { exportAudit } from '@portico/contracts/admin/audit'
import * as calls from '@portico/contracts/admin/people'
import { expect, test } from 'vitest'
import { AdminError, type AdminErrorCode } from './admin-error.ts'
import { type AdminOptions, openAdmin } from './client.ts'

const TOKEN = 'ptk_secret'
const unlock = { body: { identityUuid: '3f333df6-90a4-4fda-8dd3-9485d27cee36', reason: 'Ticket' } }

type Answer = () => Response | Promise<Response>

const json = (body: unknown, status = 200, headers = {}) => Response.json(body, { status, headers })
const refused = (code: string, status: number, headers = {}) =>
  json({ code, message: 'No.', errors: [] }, status, headers)
const down = () =>
  Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }))

/** A client for a server that returns these responses in turn. */
function answering(answers: readonly Answer[], options: Partial<AdminOptions> = {}) {
  const requests: Request[] = []
  const fakeFetch: typeof fetch = async (url, init) => {
    requests.push(new Request(url, init))
    const answer = answers[requests.length - 1]
    if (answer === undefined) throw new Error('There is no further answer')
    return answer()
  }
  const url = 'https://login.lender.example'
  return { requests, admin: openAdmin({ url, token: TOKEN, fetch: fakeFetch, ...options }) }
}

const keysOf = (requests: readonly Request[]) =>
  requests.map(({ headers }) => headers.get('idempotency-key'))

test.each<[string, Answer]>([
  ['no answer', down],
  ['too many requests', () => refused('too-many-requests', 429, { 'retry-after': '0' })],
  ['a server that starts', () => refused('not-ready', 503, { 'retry-after': '0' })],
  ['a proxy without a server', () => new Response('<html>', { status: 502 })],
  [
    'an answer that is cut off',
    () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.error(new TypeError('terminated')),
        }),
      ),
  ],
])('15 after %s a write is sent again with the same idempotency key', async (_, first) => {
  const { admin, requests } = answering([first, () => json({ changed: true })])
  expect(await admin.call(calls.unlockPerson, unlock)).toEqual({ changed: true })
  const [key, again] = keysOf(requests)
  expect(key).toMatch(/^[\w-]{36}$/)
  expect(again).toBe(key)
  expect(requests[1]?.headers.get('authorization')).toBe(`Bearer ${TOKEN}`)
  expect(await requests[1]?.json()).toEqual(unlock.body)
})

test('15 while the first attempt is running, the retried write waits for its response', async () => {
  const pending = () => refused('idempotency-pending', 409)
  const { admin } = answering([down, pending, () => json({ changed: true })])
  expect(await admin.call(calls.unlockPerson, unlock)).toEqual({ changed: true })
  const other = answering([pending])
  await expect(other.admin.call(calls.unlockPerson, unlock)).rejects.toMatchObject({
    code: 'idempotency-pending',
  })
})

test.each<[AdminErrorCode, Answer, RegExp]>([
  ['service-token-refused', () => refused('service-token-refused', 401), /create another one/],
  ['not-permitted', () => refused('not-permitted', 403), /needs the permission people\.write/],
  ['not-found', () => refused('not-found', 404), /Check the ID/],
  ['server-fault', () => refused('server-fault', 500), /read it before you repeat it/],
  ['refused', () => refused('code-of-a-newer-version', 409), /^No\.$/],
  ['unreadable', () => new Response('<html>', { status: 404 }), /not as Portico does/],
  ['unreadable', () => new Response('<html>'), /did not answer with JSON/],
])('15 the error %s says what to do, and the call is not repeated', async (code, answer, text) => {
  const { admin, requests } = answering([answer])
  const error = await admin.call(calls.unlockPerson, unlock).catch((each: unknown) => each)
  expect(error).toBeInstanceOf(AdminError)
  expect(error).toMatchObject({ code, message: expect.stringMatching(text) })
  expect(requests).toHaveLength(1)
  expect(`${String(error)}${JSON.stringify(error)}`).not.toContain(TOKEN)
})

test('15 a call that never succeeds ends with the last error', async () => {
  const { admin, requests } = answering([down, down], { attempts: 2 })
  await expect(admin.call(calls.unlockPerson, unlock)).rejects.toMatchObject({
    code: 'unreachable',
    status: 0,
    message: expect.stringContaining('ECONNREFUSED'),
  })
  expect(requests).toHaveLength(2)
  const never: typeof fetch = (_, init) =>
    new Promise((_resolve, reject) =>
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error)),
    )
  const { admin: slow } = answering([], { attempts: 1, timeoutMs: 1, fetch: never })
  await expect(slow.call(calls.unlockPerson, unlock)).rejects.toMatchObject({ code: 'timed-out' })
})

test('15 a caller can cancel the wait for the next attempt', async () => {
  const cancel = new AbortController()
  const wait = () => refused('too-many-requests', 429, { 'retry-after': '60' })
  const { admin, requests } = answering([wait])
  const call = admin.call(calls.unlockPerson, { ...unlock, signal: cancel.signal })
  setTimeout(() => cancel.abort(new Error('enough')), 10)
  await expect(call).rejects.toThrow('aborted')
  expect(requests).toHaveLength(1)
})

test('15 iteration covers the items of all pages, and loads each page when needed', async () => {
  const { admin, requests } = answering([
    () => json({ items: [{ email: 'a' }, { email: 'b' }], next: 'place' }),
    () => json({ items: [{ email: 'c' }], next: null }),
  ])
  const emails: string[] = []
  for await (const { email } of admin.pages(calls.findPeople, {
    query: { organizationCode: 'FIGURE' },
  })) {
    emails.push(email)
    expect(requests).toHaveLength(email === 'c' ? 2 : 1)
  }
  expect(emails).toEqual(['a', 'b', 'c'])
  expect(requests.map(({ url }) => new URL(url).search)).toEqual([
    '?organizationCode=FIGURE',
    '?organizationCode=FIGURE&after=place',
  ])
  expect(keysOf(requests)).toEqual([null, null])
})

test('15 a truncated download is an error, not a short file', async () => {
  let pulls = 0
  const content = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulls += 1
      if (pulls === 1) controller.enqueue(new TextEncoder().encode('first\n'))
      else controller.error(new TypeError('terminated'))
    },
  })
  const headers = { 'content-type': 'application/x-ndjson' }
  const { admin } = answering([() => new Response(content, { headers })])
  const file = await admin.download(exportAudit, { query: { format: 'ndjson' } })
  expect(file.type).toBe('application/x-ndjson')
  const read: string[] = []
  const reading = (async () => {
    for await (const chunk of file.content) read.push(new TextDecoder().decode(chunk))
  })()
  await expect(reading).rejects.toMatchObject({ code: 'unreachable' })
  expect(read).toEqual(['first\n'])
})

test.each<[string, Partial<AdminOptions>]>([
  ['a URL with a path', { url: 'https://login.lender.example/console' }],
  ['no URL', { url: 'login.lender.example' }],
  ['plain http to another machine', { url: 'http://login.lender.example' }],
  ['a token of another kind', { token: 'eyJhbGciOi' }],
  ['a token with a line break', { token: 'ptk_a\nb' }],
])('15 %s is refused before anything is sent', (_, options) => {
  const create = () => answering([], options)
  expect(create).toThrow(AdminError)
  expect(create).toThrow(expect.objectContaining({ code: 'invalid-options' }))
})

test('15 plain http to this machine is allowed', () => {
  for (const url of ['http://localhost:8080', 'http://127.0.0.1:8080/', 'http://[::1]:8080']) {
    expect(() => answering([], { url })).not.toThrow()
  }
})
