/** @module-tag database */
import { login, redeemToken, sendToken } from '@portico/contracts/identity'
import { expect, test } from 'vitest'
import { newPerson, refusal } from '../support/world.ts'
import {
  ATTEMPTS_ALLOWED,
  countedAttempts,
  otherThan,
  RACERS,
  race,
  underAttack,
} from './support/race.ts'

const HOUR_MS = 60 * 60 * 1000

test('single use: exactly one of 200 simultaneous redemptions of one code succeeds', async () => {
  const owner = newPerson('raced')
  await using world = await underAttack().withCustomer(owner)
  const { uuid } = await world.browser().call(sendToken, { body: { email: owner.email } })
  const token = await world.passcode(owner.email)
  const before = await world.query('select id from sessions')

  const ends = await race(world, (browser) =>
    browser.call(redeemToken, { body: { loginUuid: uuid, token } }),
  )
  const { answered, 'code-used': used = 0, 'too-many-requests': early = 0, ...rest } = ends
  expect([answered, used + early, rest]).toEqual([1, RACERS.length - 1, {}])
  expect(await world.query('select id from sessions')).toHaveLength(before.length + 1)

  // It does not work after the lockout either.
  world.clock.pass(5 * 60 * 1000)
  const late = world.browser().call(redeemToken, { body: { loginUuid: uuid, token } })
  expect((await refusal(late)).code).toBe('code-used')
})

test('single use: 200 simultaneous wrong passwords are counted as exactly 200', async () => {
  const owner = newPerson('guessed')
  await using world = await underAttack().withCustomer(owner)
  const ends = await race(world, (browser, racer) =>
    browser.call(login, { body: { email: owner.email, password: `wrong ${racer}` } }),
  )
  expect(ends).toEqual({
    'wrong-credentials': ATTEMPTS_ALLOWED,
    'too-many-requests': RACERS.length - ATTEMPTS_ALLOWED,
  })
  expect(await countedAttempts(world)).toEqual({
    verified: ATTEMPTS_ALLOWED,
    refused: RACERS.length - ATTEMPTS_ALLOWED,
  })
})

test('single use: 200 simultaneous wrong codes are counted as exactly 200', async () => {
  const owner = newPerson('guessed')
  await using world = await underAttack().withCustomer(owner)
  const { uuid } = await world.browser().call(sendToken, { body: { email: owner.email } })
  const token = otherThan(await world.passcode(owner.email))
  const ends = await race(world, (browser) =>
    browser.call(redeemToken, { body: { loginUuid: uuid, token } }),
  )
  expect(ends).toEqual({
    'code-wrong': ATTEMPTS_ALLOWED,
    'too-many-requests': RACERS.length - ATTEMPTS_ALLOWED,
  })
  expect(await countedAttempts(world)).toEqual({
    verified: ATTEMPTS_ALLOWED,
    refused: RACERS.length - ATTEMPTS_ALLOWED,
  })
})

test('single use: 200 simultaneous wrong passwords and codes share one count', async () => {
  const owner = newPerson('guessed')
  await using world = await underAttack().withCustomer(owner)
  const { uuid } = await world.browser().call(sendToken, { body: { email: owner.email } })
  const token = otherThan(await world.passcode(owner.email))
  const ends = await race(world, (browser, racer) =>
    racer % 2 === 0
      ? browser.call(redeemToken, { body: { loginUuid: uuid, token } })
      : browser.call(login, { body: { email: owner.email, password: 'wrong' } }),
  )
  const {
    'code-wrong': codes = 0,
    'wrong-credentials': passwords = 0,
    'too-many-requests': early = 0,
    ...rest
  } = ends
  expect([codes + passwords, early, rest]).toEqual([
    ATTEMPTS_ALLOWED,
    RACERS.length - ATTEMPTS_ALLOWED,
    {},
  ])
  expect(await countedAttempts(world)).toEqual({
    verified: ATTEMPTS_ALLOWED,
    refused: RACERS.length - ATTEMPTS_ALLOWED,
  })
})

test('single use: a correct attempt among 200 simultaneous wrong ones refunds at most itself', async () => {
  const owner = newPerson('lucky')
  await using world = await underAttack().withCustomer(owner)
  const ends = await race(world, (browser, racer) =>
    browser.call(login, {
      body: { email: owner.email, password: racer === 0 ? owner.password : 'wrong' },
    }),
  )
  const { answered = 0, 'wrong-credentials': wrong = 0, 'too-many-requests': early = 0 } = ends
  expect(answered + wrong + early).toBe(RACERS.length)
  // If it is refunded after the last of the others was refused, one fewer of them was verified.
  expect([ATTEMPTS_ALLOWED - 1, ATTEMPTS_ALLOWED]).toContain(wrong)
})

test('single use: requesting a new code gives no further attempts', async () => {
  const owner = newPerson('persistent')
  await using world = await underAttack().withCustomer(owner)
  let verified = 0
  for (let round = 0; round < 5; round += 1) {
    const browser = world.browser()
    const { uuid } = await browser.call(sendToken, { body: { email: owner.email } })
    const token = otherThan(await world.passcode(owner.email))
    for (let each = 0; each < 6; each += 1) {
      const { code } = await refusal(
        browser.call(redeemToken, { body: { loginUuid: uuid, token } }),
      )
      if (code === 'code-wrong') verified += 1
      else expect(code).toBe('too-many-requests')
    }
  }
  expect(verified).toBe(ATTEMPTS_ALLOWED)
})

test('single use: an hour of guessing at new codes gets fewer than twenty attempts', async () => {
  const owner = newPerson('patient')
  await using world = await underAttack().withCustomer(owner)
  const began = world.clock.now()
  let verified = 0
  // An attacker who requests a code whenever allowed, and retries as soon as the lockout ends.
  while (world.clock.now() - began < HOUR_MS - 10_000) {
    const stranger = world.browser()
    const sent = await stranger.call(sendToken, { body: { email: owner.email } }).catch(() => null)
    const guess =
      sent === null
        ? stranger.call(login, { body: { email: owner.email, password: 'wrong' } })
        : stranger.call(redeemToken, { body: { loginUuid: sent.uuid, token: '000000' } })
    const { code, retryAfterS = 0 } = await refusal(guess)
    if (code === 'too-many-requests') world.clock.pass(retryAfterS * 1000)
    else verified += 1
  }
  expect(verified).toBeLessThan(20)
})

test('single use: a victim cannot be locked out of a browser they used before', async () => {
  const owner = newPerson('victim')
  await using world = await underAttack().withCustomer(owner)
  const own = world.browser()
  await own.signIn(owner)
  await own.logOut()

  await race(world, (browser) =>
    browser.call(login, { body: { email: owner.email, password: 'wrong' } }),
  )
  for (let each = 0; each < 6; each += 1) {
    await world
      .browser()
      .call(sendToken, { body: { email: owner.email } })
      .catch(() => undefined)
  }
  const stranger = world.browser()
  expect((await refusal(stranger.signIn(owner))).code).toBe('too-many-requests')
  const more = stranger.call(sendToken, { body: { email: owner.email } })
  expect((await refusal(more)).code).toBe('too-many-requests')

  // Neither password nor passcode is locked out in a browser that the owner has used.
  expect(await own.signIn(owner)).toEqual({ jwt: expect.any(String) })
  await own.logOut()
  expect(await own.signInByPasscode(owner.email)).toEqual({ jwt: expect.any(String) })
})

test('single use: a device cookie planted before the login is worthless to the attacker', async () => {
  const [owner, attacker] = [newPerson('victim'), newPerson('attacker')]
  await using world = await underAttack().withCustomer(owner).withCustomer(attacker)
  const [own, evil] = [world.browser(), world.browser()]
  await evil.signIn(attacker)
  const planted = evil.cookies.get('portico-device') ?? ''
  own.cookies.set('portico-device', planted)
  await own.signIn(owner)
  expect(own.cookies.get('portico-device')).not.toBe(planted)

  // With the planted cookie the attacker shares the limit of unknown browsers and has none of the owner's attempts.
  for (let each = 0; each < ATTEMPTS_ALLOWED; each += 1) {
    await refusal(world.browser().call(login, { body: { email: owner.email, password: 'wrong' } }))
  }
  evil.cookies.set('portico-device', planted)
  expect((await refusal(evil.signIn(owner))).code).toBe('too-many-requests')
})

test('single use: a browser shared by two people stays known to both, without a mail each time', async () => {
  const [one, other] = [newPerson('one'), newPerson('other')]
  await using world = await underAttack().withCustomer(one).withCustomer(other)
  const shared = world.browser()
  for (const who of [one, other]) await shared.signIn(who)
  const warnings = async ({ email }: { email: string }) =>
    (await world.mail(email)).filter(({ subject }) => subject.startsWith('New login')).length
  const before = [await warnings(one), await warnings(other)]
  for (const who of [one, other, one, other]) await shared.signIn(who)
  expect([await warnings(one), await warnings(other)]).toEqual(before)
})
