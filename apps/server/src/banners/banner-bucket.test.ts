import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type BannerBucket, bannerBucket } from './banner-bucket.ts'
import { BANNER_FILE_BYTES_MAXIMUM } from './banner-content.ts'

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
let asked: (string | undefined)[] = []
let bucket: BannerBucket
let close: () => void
let said: unknown[][] = []

beforeEach(async () => {
  said = []
  asked = []
  const server = createServer(({ headers }, response) => {
    asked.push(headers.origin)
    const { status = 200, headers: told = { 'access-control-allow-origin': '*' }, body } = answer
    response.writeHead(status, told).end(typeof body === 'string' ? body : JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  close = () => {
    server.closeAllConnections()
    server.close()
  }
  const { port } = server.address() as AddressInfo // A TCP server that listens has this form.
  const say = (fields: object, words: string) => void said.push([words, fields])
  bucket = bannerBucket({
    url: `http://127.0.0.1:${port}/banners.json`,
    origin: ORIGIN,
    // Of the log only these two are used.
    log: { info: say, warn: say } as unknown as Parameters<typeof bannerBucket>[0]['log'],
  })
})
afterEach(() => close())

const look = async (next: Answer) => {
  answer = next
  await bucket.check()
  return said.at(-1) ?? []
}

test('7.7 a bucket’s file is fetched with the pages’ origin, and each state is logged once', async () => {
  expect(await look({ body: [BANNER] })).toEqual([
    'banners published',
    expect.objectContaining({ active: 1 }),
  ])
  await look({ body: [BANNER] })
  expect(said).toHaveLength(1)
  await look({ body: [] })
  expect(said).toHaveLength(2)
  expect(asked).toEqual([ORIGIN, ORIGIN, ORIGIN])
})

test.each<[string, Answer, RegExp]>([
  ['is not there', { status: 404, body: '' }, /the bucket answered 404/],
  ['has moved', { status: 302, headers: { location: '/x' }, body: '' }, /answered 302/],
  ['is no JSON', { body: '[{' }, /JSON/],
  ['is no list', { body: {} }, /must be a list/],
  ['has one bad banner', { body: [BANNER, { ...BANNER, variant: 'error' }] }, /^1\.variant/],
  ['is too large', { body: 'x'.repeat(BANNER_FILE_BYTES_MAXIMUM + 1) }, /exceeds/],
  ['is for others', { headers: {}, body: [BANNER] }, /Access-Control-Allow-Origin/],
])('7.7 a bucket’s file that %s is logged', async (_, told, error) => {
  const [words, fields] = await look(told)
  expect(words).toContain('the banner file in the bucket is invalid')
  expect(fields).toMatchObject({ errors: [expect.stringMatching(error)] })
})

test('7.7 an unreachable bucket is logged and throws nothing', async () => {
  close()
  expect(await look({})).toEqual([
    expect.stringContaining('the banner file in the bucket is invalid'),
    expect.objectContaining({ errors: [expect.stringMatching(/^cannot be fetched: /)] }),
  ])
})
