/**
 * The response time must not reveal whether an address has an account or a login exists.
 *
 * The times of two samples of 500 tries each, addresses with and without an account, are compared by the Mann-Whitney
 * test. The tries are interleaved in random order on one connection after a warm-up, each address is tried
 * once, as by a real attacker, and there is no wall-clock limit: a busy machine slows both samples
 * alike. Two equal samples are distinguished once in a hundred repetitions (`SIGNIFICANCE`), on a busy machine a
 * little more often, so one of up to three repetitions without a difference is enough: a real difference
 * shows in all three. The effect size is limited too: a try at a known address may be
 * slower than one at an unknown address in at most `MAX_SUPERIORITY` of all pairs, where a half is chance.
 */
import { randomInt, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { PEOPLE } from '../support/people.ts'
import { aWorld } from '../support/world.ts'
import {
  accountHolder,
  address,
  CALLS,
  type Name,
  probe,
  worldWithHash,
} from './support/known-and-unknown.ts'
import { plainClient } from './support/plain-client.ts'
import { compare } from './support/two-samples.ts'

const TRIES = 500
const WARM_UP = 60
const REPETITIONS = 3
const SIGNIFICANCE = 0.01
const MAX_SUPERIORITY = 0.56
/** Tries before the clock is advanced: a network may send 300 requests in ten minutes. */
const BLOCK = 125
const ELEVEN_MINUTES_MS = 11 * 60 * 1000

test('enumeration: the comparison detects differences and nothing else', () => {
  // Times of a few milliseconds with a long tail, like real responses.
  const time = () => 2 + randomInt(1000) / 1000 + (randomInt(20) === 0 ? randomInt(30) : 0)
  const sample = (more = 0) => Array.from({ length: TRIES }, () => time() + more)
  expect(compare(sample(), sample(0.2)).p).toBeLessThan(SIGNIFICANCE)
  expect(compare(sample(), sample(0.2)).superiority).toBeGreaterThan(MAX_SUPERIORITY)
  const alarms = Array.from({ length: 200 }, () => compare(sample(), sample()).p).filter(
    (p) => p < SIGNIFICANCE,
  )
  expect(alarms.length).toBeLessThan(12)
  expect(compare([1, 2, 3], [1, 2, 3]).p).toBeCloseTo(1)
  expect(compare([1, 2, 3], [1, 2, 3]).superiority).toBe(0.5)
  // Of the four pairs of 1, 2 with 2, 3 the second wins three, and one is a tie.
  expect(compare([1, 2], [2, 3]).superiority).toBe(0.875)
})

test('enumeration: the times of 500 tries each at known and unknown addresses cannot be distinguished', async () => {
  const { world, passwordHash } = await worldWithHash()
  await using _ = world
  using client = plainClient(world.url)

  async function timed(tries: number): Promise<Record<Name, [number[], number[]]>> {
    const times: Record<Name, [number[], number[]]> = {
      login: [[], []],
      send: [[], []],
      redeem: [[], []],
      register: [[], []],
      reset: [[], []],
      continue: [[], []],
    }
    for (let each = 0; each < tries; each += 1) {
      const known = await accountHolder(world, passwordHash)
      const pair = [
        { email: known, sample: 0 },
        { email: address(), sample: 1 },
      ] as const
      for (const { email, sample } of randomInt(2) === 0 ? pair : [pair[1], pair[0]]) {
        const answers = await probe(client, email)
        for (const name of Object.keys(CALLS) as Name[])
          times[name][sample].push(answers[name].took)
      }
      if (each % BLOCK === BLOCK - 1) world.clock.pass(ELEVEN_MINUTES_MS)
    }
    world.clock.pass(ELEVEN_MINUTES_MS)
    return times
  }

  await timed(WARM_UP)
  let unproven = Object.keys(CALLS) as Name[]
  const found: string[] = []
  for (let each = 0; each < REPETITIONS && unproven.length > 0; each += 1) {
    const times = await timed(TRIES)
    unproven = unproven.filter((name) => {
      const { p, superiority } = compare(...times[name])
      found.push(`${name}: p ${p.toFixed(4)}, superiority ${superiority.toFixed(3)}`)
      return p < SIGNIFICANCE || Math.abs(superiority - 0.5) > MAX_SUPERIORITY - 0.5
    })
  }
  expect(unproven, found.join('\n')).toEqual([])
})

test('second factor, enumeration: the times of 500 tries each at ended and unknown logins cannot be distinguished', async () => {
  await using world = await aWorld()
  using client = plainClient(world.url)
  const identity = await world.server.stores.identities.findByEmail(PEOPLE.totp.email)
  const insertEndedLogin = async () => {
    const [id, at] = [randomUUID(), world.clock.now()]
    const login = { id, identityId: identity?.id ?? '', method: 'password', at } as const
    await world.server.stores.factorLogins.insert({ ...login, credentialVersion: 0, expiresAt: at })
    return id
  }
  async function timed(tries: number): Promise<readonly [number[], number[]]> {
    const times: [number[], number[]] = [[], []]
    for (let each = 0; each < tries; each += 1) {
      const pair = [[await insertEndedLogin(), 0] as const, [randomUUID(), 1] as const] as const
      for (const [loginUuid, sample] of randomInt(2) === 0 ? pair : [pair[1], pair[0]]) {
        const body = { loginUuid, code: '123456' }
        const { status, took } = await client.send('POST', '/identity/api/v1/totp', body)
        expect(status).toBe(400)
        times[sample].push(took)
      }
      if (each % BLOCK === BLOCK - 1) world.clock.pass(ELEVEN_MINUTES_MS)
    }
    return times
  }
  await timed(BLOCK)
  const found: string[] = []
  for (let each = 0; each < REPETITIONS; each += 1) {
    const { p, superiority } = compare(...(await timed(TRIES)))
    if (p >= SIGNIFICANCE && Math.abs(superiority - 0.5) <= MAX_SUPERIORITY - 0.5) return
    found.push(`p ${p.toFixed(4)}, superiority ${superiority.toFixed(3)}`)
  }
  expect.fail(found.join('\n'))
})
