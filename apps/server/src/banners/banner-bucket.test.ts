import { createServer } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listen } from '../../../../tests/support/listen.ts'
import { type BannerBucket, bannerBucket } from './banner-bucket.ts'
import { MAX_BANNER_FILE_BYTES } from './banner-content.ts'

const ORIGIN = 'https://login.lender.example'
const BANNER = {
  uuid: 'maintenance',
  message: 'Closed on Monday',
  apps: ['login'],
  variant: 'info',
  active: true,
  dismissable: true,
  metadata: { createdAt: '2030-01-01T00:00:00Z', updatedAt: '2030-01-01T00:00:00Z' },
}

interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

let answer: Answer = {}
let requestedOrigins: (string | undefined)[] = []
let bucket: BannerBucket
let close: () => void
let logged: unknown[][] = []

beforeEach(async () => {
  logged = []
  requestedOrigins = []
  const server = createServer((request, response) => {
    requestedOrigins.push(request.headers.origin)
    const { status = 200, headers = { 'access-control-allow-origin': '*' }, body } = answer
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  close = () => {
    server.closeAllConnections()
    server.close()
  }
  const port = await listen(server)
  const record = (fields: object, message: string) => void logged.push([message, fields])
  bucket = bannerBucket({
    url: `http://127.0.0.1:${port}/banners.json`,
    origin: ORIGIN,
    // The bucket uses only these two methods of the log.
    log: { info: record, warn: record } as unknown as Parameters<typeof bannerBucket>[0]['log'],
  })
})
afterEach(() => close())

const checkWith = async (next: Answer) => {
  answer = next
  await bucket.check()
  return logged.at(-1) ?? []
}

test('7.7 a bucket’s file is fetched with the pages’ origin, and each state is logged once', async () => {
  expect(await checkWith({ body: [BANNER] })).toEqual([
    'banners published',
    expect.objectContaining({ active: 1 }),
  ])
  await checkWith({ body: [BANNER] })
  expect(logged).toHaveLength(1)
  await checkWith({ body: [] })
  expect(logged).toHaveLength(2)
  expect(requestedOrigins).toEqual([ORIGIN, ORIGIN, ORIGIN])
})

test.each<[string, Answer, RegExp]>([
  ['does not exist', { status: 404, body: '' }, /the bucket answered 404/],
  ['has moved', { status: 302, headers: { location: '/x' }, body: '' }, /answered 302/],
  ['is not JSON', { body: '[{' }, /JSON/],
  ['is not a list', { body: {} }, /must be a list/],
  ['has one bad banner', { body: [BANNER, { ...BANNER, variant: 'error' }] }, /^1\.variant/],
  ['is too large', { body: 'x'.repeat(MAX_BANNER_FILE_BYTES + 1) }, /exceeds/],
  ['disallows our origin', { headers: {}, body: [BANNER] }, /Access-Control-Allow-Origin/],
])('7.7 a bucket’s file that %s is logged', async (_, answer, error) => {
  const [message, fields] = await checkWith(answer)
  expect(message).toContain('the banner file in the bucket is invalid')
  expect(fields).toMatchObject({ errors: [expect.stringMatching(error)] })
})

test('7.7 an unreachable bucket is logged and throws nothing', async () => {
  close()
  expect(await checkWith({})).toEqual([
    expect.stringContaining('the banner file in the bucket is invalid'),
    expect.objectContaining({ errors: [expect.stringMatching(/^cannot be fetched: /)] }),
  ])
})
