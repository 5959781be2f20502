/** More logins at once than a node can hash passwords for. */
import { availableParallelism } from 'node:os'
import { confirmIdentity } from '@portico/contracts/account-security'
import { login } from '@portico/contracts/identity'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aWorld, newPerson } from '../support/world.ts'

/** More than a node admits at once. */
const BURST = 250 * availableParallelism()

let world: Awaited<ReturnType<typeof aWorld>>
const owner = newPerson('steady')
beforeAll(async () => {
  world = await aWorld().withSettings({ TRUSTED_PROXIES: '127.0.0.1' }).withCustomer(owner)
})
afterAll(() => world[Symbol.asyncDispose]())

/** Logs in to an address without an account, which takes as long as a wrong password. */
const logIn = (each: number, signal?: AbortSignal) =>
  fetch(`${world.url}${login.path}`, {
    method: login.method,
    headers: {
      'content-type': 'application/json',
      origin: world.origin,
      'x-forwarded-for': `10.${each >> 8}.${each & 255}.1`,
    },
    body: JSON.stringify({ email: `${each}@burst.example`, password: 'not the password' }),
    ...(signal && { signal }),
  })

/** The value of a series. */
async function metric(series: string): Promise<number> {
  // Without a connection of its own, which would wait behind the burst.
  const { body } = await world.server.app.inject('/metrics')
  const line = body.split('\n').find((each) => each.startsWith(`${series} `))
  return Number(line?.slice(series.length))
}

const queueLength = () => metric('portico_password_hash_queue_length')
const WITHIN = { timeout: 20_000, interval: 20 }

test('a burst of logins waits for a bounded time, the rest is asked to come back, and signed-in users do not wait for them', async () => {
  const browser = world.browser()
  await browser.signIn(owner)
  let finished = 0
  const burst = Array.from({ length: BURST }, async (_, each) => {
    const response = await logIn(each)
    await response.arrayBuffer()
    finished += response.status === 400 ? 1 : 0
    return response
  })
  await expect.poll(queueLength, WITHIN).toBeGreaterThan(20)
  await browser.call(confirmIdentity, { body: { password: owner.password }, query: {} })
  const finishedBefore = finished
  const responses = await Promise.all(burst)
  expect(finishedBefore).toBeLessThan(finished)
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([400, 503]))
  const refused = responses.filter(({ status }) => status === 503)
  expect(new Set(refused.map(({ headers }) => headers.get('retry-after')))).toEqual(new Set(['5']))
  expect(responses.length - refused.length).toBeGreaterThan(100)
  expect((await logIn(0)).status).toBe(400)
})

test('a node does not hash for clients that left', async () => {
  const hashes = 'portico_password_hash_wait_seconds_count'
  const skipped = 'portico_password_hash_skipped_total{reason="client-left"}'
  const [hashedBefore, skippedBefore] = [await metric(hashes), await metric(skipped)]
  const leaving = new AbortController()
  const burst = Array.from({ length: 200 }, (_, each) => logIn(each, leaving.signal))
  await expect.poll(queueLength, WITHIN).toBeGreaterThan(20)
  leaving.abort()
  await Promise.allSettled(burst)
  await expect.poll(queueLength, WITHIN).toBe(0)
  const [hashed, left] = [
    (await metric(hashes)) - hashedBefore,
    (await metric(skipped)) - skippedBefore,
  ]
  expect(left).toBeGreaterThan(0)
  expect(hashed + left).toBeLessThanOrEqual(200)
})
