import { DAY_MS } from '@portico/contracts/limits'
import { expect, test } from 'vitest'
import { type EndpointState, nextState, retryDelay } from './retries.ts'
import { webhookHeaders } from './sign-webhook.ts'

const AT = Date.UTC(2026, 10, 22)
const HOUR_MS = DAY_MS / 24
const wait = (attempts: number, retryAfter?: string) =>
  retryDelay(attempts, { retryAfter, at: AT, random: 0 })

test('webhooks: retry delays grow over more than three days, and the tenth attempt is the last', () => {
  const waits = Array.from({ length: 10 }, (_, index) => wait(index + 1))
  expect(waits.slice(0, 3)).toEqual([5000, 300_000, 1_800_000])
  expect(waits.at(-1)).toBeUndefined()
  const total = waits.reduce<number>((sum, each) => sum + (each ?? 0), 0)
  expect(total).toBeGreaterThan(3 * DAY_MS)
})

test.each([
  ['120', 120_000],
  [new Date(AT + 60_000).toUTCString(), 60_000],
  ['999999999', HOUR_MS],
  ['-1', 5000],
  ['soon', 5000],
  [new Date(AT - DAY_MS).toUTCString(), 5000],
])(
  'webhooks: Retry-After %s waits that long, up to an hour, and never less than usual',
  (text, ms) => {
    expect(wait(1, text)).toBe(ms)
  },
)

const FAILED = { delivered: false, response: { status: 500, retryAfter: undefined } }
const HEALTHY: EndpointState = { failures: 0, failingSince: null, pausedUntil: 0, disabledAt: null }

test('webhooks: the pause of an endpoint doubles up to an hour', () => {
  const pauseAfter = (failures: number) =>
    (nextState({ ...HEALTHY, failures }, [FAILED], AT)?.pausedUntil ?? 0) - AT
  expect([0, 1, 2].map(pauseAfter)).toEqual([5000, 10_000, 20_000])
  expect(pauseAfter(1000)).toBe(HOUR_MS)
})

test('webhooks: one success in a round ends the failure; five days without one, or 410, disable the endpoint', () => {
  expect(nextState(HEALTHY, [FAILED, { delivered: true }], AT)).toBeUndefined()
  const first = nextState(HEALTHY, [FAILED], AT)
  expect(first).toEqual({ failures: 1, failingSince: AT, pausedUntil: AT + 5000, disabledAt: null })
  if (first === undefined) return
  expect(nextState(first, [{ delivered: true }], AT + 1)).toEqual(HEALTHY)
  expect(nextState(first, [FAILED], AT + 5 * DAY_MS - 1)?.disabledAt).toBeNull()
  expect(nextState(first, [FAILED], AT + 5 * DAY_MS)?.disabledAt).toBe(AT + 5 * DAY_MS)
  const gone = { delivered: false, response: { status: 410, retryAfter: undefined } }
  expect(nextState(HEALTHY, [gone], AT)?.disabledAt).toBe(AT)
})

test('webhooks: the published vector of Standard Webhooks, and two signatures during a rotation', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const message = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    body: '{"test": 2432232314}',
    at: 1_614_265_330_999,
  }
  const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
  expect(webhookHeaders(message, [secret])).toEqual({
    'webhook-id': message.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': signature,
  })
  const earlier = `whsec_${Buffer.alloc(24).toString('base64')}`
  const both = webhookHeaders(message, [secret, earlier])['webhook-signature']
  expect(both).toMatch(new RegExp(`^${signature.replaceAll(/[+/]/g, '\\$&')} v1,\\S+$`))
})
