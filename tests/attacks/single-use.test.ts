import { ApiError } from '@portico/client/api-error'
import { login, redeemToken, sendToken } from '@portico/contracts/identity'
import { expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { aWorld, newPerson, refusal } from '../support/world.ts'

const RACERS = Array.from({ length: 200 }, (_, index) => index)
const HOUR_MS = 60 * 60 * 1000
/** Attempts before the lockout. */
const LOOKED_AT = 10

type World = Awaited<ReturnType<typeof aWorld>>

/** A world attacked on several nodes at once, if the database allows several. */
const underAttack = () => aWorld().withNodes(ON_POSTGRES ? 2 : 1)

/** Counts the racers by outcome. */
async function race(
  world: World,
  attempt: (browser: Browser, racer: number) => Promise<unknown>,
): Promise<Record<string, number>> {
  const ends = await Promise.all(
    RACERS.map((racer) =>
      attempt(world.browser({ node: () => world.nodes[racer % world.nodes.length] }), racer).then(
        () => 'answered',
        (error: unknown) => (error instanceof ApiError ? `${error.reason}` : String(error)),
      ),
    ),
  )
  return Object.fromEntries(
    [...Map.groupBy(ends, (end) => end)].map(([end, all]) => [end, all.length]),
  )
}

/** The recorded attempts by outcome. */
async function counted(world: World): Promise<{ made: number; refused: number }> {
  const rows = await world.query(
    "select count as made, refused from attempts where count > 0 and key like 'network %'",
  )
  const sum = (column: string) => rows.reduce((total, row) => total + Number(row[column]), 0)
  return { made: sum('made'), refused: sum('refused') }
}

const otherThan = (code: string) => (code === '111111' ? '222222' : '111111')

test('single use: of 200 simultaneous redemptions of one code exactly one succeeds', async () => {
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
    'wrong-credentials': LOOKED_AT,
    'too-many-requests': RACERS.length - LOOKED_AT,
  })
  expect(await counted(world)).toEqual({ made: LOOKED_AT, refused: RACERS.length - LOOKED_AT })
})

test('single use: 200 simultaneous wrong codes are counted as exactly 200', async () => {
  const owner = newPerson('guessed')
  await using world = await underAttack().withCustomer(owner)
  const { uuid } = await world.browser().call(sendToken, { body: { email: owner.email } })
  const token = otherThan(await world.passcode(owner.email))
  const ends = await race(world, (browser) =>
    browser.call(redeemToken, { body: { loginUuid: uuid, token } }),
  )
  expect(ends).toEqual({ 'code-wrong': LOOKED_AT, 'too-many-requests': RACERS.length - LOOKED_AT })
  expect(await counted(world)).toEqual({ made: LOOKED_AT, refused: RACERS.length - LOOKED_AT })
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
  expect([codes + passwords, early, rest]).toEqual([LOOKED_AT, RACERS.length - LOOKED_AT, {}])
  expect(await counted(world)).toEqual({ made: LOOKED_AT, refused: RACERS.length - LOOKED_AT })
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
  expect([LOOKED_AT - 1, LOOKED_AT]).toContain(wrong)
})

test('single use: requesting a new code gives no further attempts', async () => {
  const owner = newPerson('persistent')
  await using world = await underAttack().withCustomer(owner)
  let looked = 0
  for (let round = 0; round < 5; round += 1) {
    const browser = world.browser()
    const { uuid } = await browser.call(sendToken, { body: { email: owner.email } })
    const token = otherThan(await world.passcode(owner.email))
    for (let each = 0; each < 6; each += 1) {
      const { code } = await refusal(
        browser.call(redeemToken, { body: { loginUuid: uuid, token } }),
      )
      if (code === 'code-wrong') looked += 1
      else expect(code).toBe('too-many-requests')
    }
  }
  expect(looked).toBe(LOOKED_AT)
})

test('single use: an hour of guessing at new codes gets fewer than twenty attempts', async () => {
  const owner = newPerson('patient')
  await using world = await underAttack().withCustomer(owner)
  const began = world.clock.now()
  let looked = 0
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
    else looked += 1
  }
  expect(looked).toBeLessThan(20)
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
  for (let each = 0; each < LOOKED_AT; each += 1) {
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
