/**
 * Whether somebody has an account must not be told by what is answered, nor by how long it takes.
 *
 * The times of two samples of 500 tries each, addresses with and without an account, are compared by the Mann-Whitney
 * test. The tries of both are interleaved in random order on one connection, after a warm-up, each address is tried
 * once as a real attacker would, and nothing is compared with a wall-clock budget: a busy machine slows both samples
 * alike. Two alike samples are told apart once in a hundred repetitions (`SIGNIFICANCE`), and a busy machine may make
 * that a little more, so up to three repetitions are made and one that tells nothing apart is enough: a true difference
 * of the size that matters shows in all three. What matters is also bounded in size: a try at a known address may be
 * slower than one at an unknown address in at most `SUPERIORITY_MAXIMUM` of all pairs, a half being chance.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { aWorld, PASSWORD, somebody } from '../support/world.ts'
import { type Lane, lane, type Seen } from './support/lanes.ts'
import { compare } from './support/two-samples.ts'

const TRIES = 500
const WARM_UP = 60
const REPETITIONS = 3
const SIGNIFICANCE = 0.01
const SUPERIORITY_MAXIMUM = 0.56
/** Tries between two moves of the clock: a network is answered 300 times in ten minutes. */
const BLOCK = 125
const ELEVEN_MINUTES_MS = 11 * 60 * 1000

const CALLS = {
  login: ['POST', '/identity/api/v2/login'],
  send: ['POST', '/identity/api/v1/token/send'],
  redeem: ['PUT', '/identity/api/v1/token/redeem'],
  register: ['POST', '/identity/api/v1/registration/register'],
  reset: ['PUT', '/identity/secure/api/v1/pw'],
  continue: ['POST', '/service-lead-portal/api/borrowers/send-continue-app-email-with-otp'],
} as const

type Name = keyof typeof CALLS
type World = Awaited<ReturnType<typeof aWorld>>

/** Adds somebody who has an account with a password, without the way that a person takes to it. */
async function accountHolder(world: World, passwordHash: string | null): Promise<string> {
  const email = address()
  await world.server.stores.identities.add({
    email,
    organizationCode: 'FIGURE',
    at: world.clock.now(),
    passwordHash,
  })
  return email
}

/** An address of the same length as every other one. */
const address = () => `person.${randomBytes(8).toString('hex')}@people.example`

async function worldWithHash() {
  const owner = somebody('owner')
  const world = await aWorld().withCustomer(owner)
  const identity = await world.server.stores.identities.byEmail(owner.email)
  return { world, passwordHash: identity?.password_hash ?? null }
}

/** Everything an attacker asks about an address, in the order in which it brings nothing about. */
async function askAbout(through: Lane, email: string): Promise<Readonly<Record<Name, Seen>>> {
  const ask = (name: Name, body: unknown, headers: Record<string, string> = {}) =>
    through.send(CALLS[name][0], CALLS[name][1], body, headers)
  const login = await ask('login', { email, password: `not ${PASSWORD}` })
  const send = await ask('send', { email })
  const { uuid } = JSON.parse(send.text) as { uuid: string }
  const redeem = await ask('redeem', { loginUuid: uuid, token: '000000' })
  const register = await ask('register', { email })
  const { jwt } = JSON.parse(register.text) as { jwt: string }
  const authorization = `Bearer ${jwt}`
  const reset = await ask('reset', { newPassword: PASSWORD }, { authorization })
  const borrowerIdentifier = { borrowerEmail: email, organization: 'FIGURE' }
  const onward = await ask('continue', { borrowerIdentifier })
  return { login, send, redeem, register, reset, continue: onward }
}

/** What is random in every answer, taken out. */
function withoutChance({ status, headerNames, headers, text }: Seen) {
  const { date: _, ...fixed } = headers
  return {
    status,
    headerNames,
    headers: fixed,
    text: text
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uuid')
      .replaceAll(/ey[\w-]+\.[\w-]+\.[\w-]+/g, (jwt) => `token of ${jwt.length}`),
  }
}

test('enumeration: known and unknown addresses read alike on login, send, redeem, register and reset, and on continuing by mail', async () => {
  const { world, passwordHash } = await worldWithHash()
  await using _ = world
  using through = lane(world.url)
  const known = await askAbout(through, await accountHolder(world, passwordHash))
  const others = {
    'nobody has it': address(),
    'has no password': await accountHolder(world, null),
    'is registering': address(),
    'is locked': await accountHolder(world, passwordHash),
  }
  await through.send(...CALLS.register, { email: others['is registering'] })
  await world.lock(others['is locked'])
  for (const [what, email] of Object.entries(others)) {
    const answers = await askAbout(through, email)
    for (const name of Object.keys(CALLS) as Name[]) {
      expect(withoutChance(answers[name]), `${name}: ${what}`).toEqual(withoutChance(known[name]))
    }
  }
})

test('enumeration: known and unknown addresses are held back after the same number of tries', async () => {
  const { world, passwordHash } = await worldWithHash()
  await using _ = world
  using through = lane(world.url)
  const tries: Record<string, string[]> = {}
  for (const email of [await accountHolder(world, passwordHash), address()]) {
    const seen: string[] = []
    for (let each = 0; each < 7; each += 1) {
      const { status, headers } = await through.send(...CALLS.send, { email })
      seen.push(`send ${status} ${headers['retry-after']}`)
    }
    for (let each = 0; each < 12; each += 1) {
      const { status, headers } = await through.send(...CALLS.login, { email, password: 'wrong' })
      seen.push(`login ${status} ${headers['retry-after']}`)
    }
    tries[email] = seen
  }
  const [known, unknown] = Object.values(tries)
  expect(known?.filter((each) => each.includes('429'))).toHaveLength(4)
  expect(unknown).toEqual(known)
})

test('enumeration: the comparison tells apart what differs, and nothing else', () => {
  // Times of a few milliseconds with a long tail, as answers have them.
  const time = () => 2 + randomInt(1000) / 1000 + (randomInt(20) === 0 ? randomInt(30) : 0)
  const sample = (more = 0) => Array.from({ length: TRIES }, () => time() + more)
  expect(compare(sample(), sample(0.2)).p).toBeLessThan(SIGNIFICANCE)
  expect(compare(sample(), sample(0.2)).superiority).toBeGreaterThan(SUPERIORITY_MAXIMUM)
  const alarms = Array.from({ length: 200 }, () => compare(sample(), sample()).p).filter(
    (p) => p < SIGNIFICANCE,
  )
  expect(alarms.length).toBeLessThan(12)
  expect(compare([1, 2, 3], [1, 2, 3]).p).toBeCloseTo(1)
  expect(compare([1, 2, 3], [1, 2, 3]).superiority).toBe(0.5)
  // Of the four pairs of 1, 2 with 2, 3 the second wins three, and one is a tie.
  expect(compare([1, 2], [2, 3]).superiority).toBe(0.875)
})

test('enumeration: the times of 500 tries each at known and unknown addresses cannot be told apart', async () => {
  const { world, passwordHash } = await worldWithHash()
  await using _ = world
  using through = lane(world.url)

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
        const answers = await askAbout(through, email)
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
      return p < SIGNIFICANCE || Math.abs(superiority - 0.5) > SUPERIORITY_MAXIMUM - 0.5
    })
  }
  expect(unproven, found.join('\n')).toEqual([])
})
