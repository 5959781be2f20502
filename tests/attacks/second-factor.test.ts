/**
 * An attacker who knows the password must not pass the second step by replaying a proof, by guessing simultaneously or
 * across methods, with another person's remembered browser, or with a forged passkey.
 */
import { randomUUID } from 'node:crypto'
import { addPasskey, beginPasskey, setEmailFactor } from '@portico/contracts/account-security'
import { login, sendToken } from '@portico/contracts/identity'
import {
  answerQuestion,
  passkeyLogin,
  readPasskeyLogin,
  readPasskeySecondFactor,
  redeemPasskeySecondFactor,
  redeemRecoveryCode,
  redeemSecondFactor,
  redeemTotp,
  retrieveQuestions,
  sendSecondFactor,
} from '@portico/contracts/two-factor'
import { expect, test } from 'vitest'
import { authenticatorCode } from '../support/authenticator.ts'
import type { Browser, Credentials } from '../support/browser.ts'
import { passkeyDevice } from '../support/passkey-device.ts'
import { PEOPLE, RECOVERY_ANSWERS } from '../support/people.ts'
import { newPerson, refusal } from '../support/world.ts'
import {
  ATTEMPTS_ALLOWED,
  type Attempt,
  underAttack as attackedNodes,
  countedAttempts,
  otherThan,
  RACERS,
  race,
  type World,
} from './support/race.ts'

const MINUTE_MS = 60_000

/** One host for all nodes, as behind a load balancer, because a passkey is bound to it. */
const underAttack = () =>
  attackedNodes().withSettings({ PUBLIC_URL: 'http://login.lender.example' })

/** The second-factor options after a correct first factor; throws on any other outcome. */
async function begin(browser: Browser, { email, password }: Credentials) {
  const { twoFactorOptions } = await browser.call(login, { body: { email, password } })
  if (twoFactorOptions === undefined) throw new Error('No second factor is required')
  return twoFactorOptions
}

const aliasOf = ({ aliases }: Awaited<ReturnType<typeof begin>>, type = 'Phone') =>
  aliases.find((alias) => alias.type === type)?.uuid ?? ''
const currentCode = (world: World) => authenticatorCode(PEOPLE.totp.secret, world.clock.now())
const textTo = async (world: World, number: string) =>
  /^\d{6}/.exec((await world.mail(number))[0]?.text ?? '')?.[0] ?? ''
const code = async (call: Promise<unknown>) => (await refusal(call)).code

/** The first question of a login. */
async function firstQuestion(browser: Browser, loginUuid: string): Promise<string> {
  const [question] = await browser.call(retrieveQuestions, { body: { loginUuid } })
  return question?.uuid ?? ''
}

const sessionsBy = (world: World, second: string) =>
  world.query(`select id from sessions where second_method = '${second}'`)

/** A person with a passkey and emailed codes as second factor, and their device. */
async function keyedWorld(settings: { counter?: number } = {}) {
  const owner = newPerson('keyed')
  const world = await underAttack().withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
  await browser.confirm(owner)
  const device = passkeyDevice({ origin: world.origin, ...settings })
  const { challengeUuid, options } = await browser.call(beginPasskey, {})
  const response = device.make(options)
  await browser.call(addPasskey, { body: { challengeUuid, name: 'Key', response } })
  await browser.call(setEmailFactor, { body: { enabled: true } })
  return { world, owner, device, browser }
}

interface Proof {
  readonly by: string
  readonly refusedAs: readonly string[]
  /** Prepares the proof; returns how each racer uses it in its own pending login. */
  readonly prepare: (world: World) => Promise<Attempt>
}

/** Pending logins, one per racer in turn, because the proof is consumed and not the login. */
async function logins(world: World, who: Credentials): Promise<(racer: number) => string> {
  const waiting: string[] = []
  for (const _ of [1, 2, 3, 4]) waiting.push((await begin(world.browser(), who)).loginUuid)
  return (racer) => waiting[racer % waiting.length] ?? ''
}

const PROOFS: readonly Proof[] = [
  {
    by: 'totp',
    refusedAs: ['code-used', 'first-factor-expired', 'too-many-requests'],
    async prepare(world) {
      const loginOf = await logins(world, PEOPLE.totp)
      const step = currentCode(world)
      return (browser, racer) =>
        browser.call(redeemTotp, { body: { loginUuid: loginOf(racer), code: step } })
    },
  },
  {
    by: 'phone',
    refusedAs: ['code-used', 'first-factor-expired', 'too-many-requests'],
    async prepare(world) {
      const browser = world.browser()
      const options = await begin(browser, PEOPLE.phone)
      const { loginUuid } = options
      await browser.call(sendSecondFactor, { body: { loginUuid, alias: aliasOf(options) } })
      const token = await textTo(world, PEOPLE.phone.phone)
      return (racer) => racer.call(redeemSecondFactor, { body: { loginUuid, token } })
    },
  },
  {
    by: 'question',
    refusedAs: ['first-factor-expired', 'too-many-requests'],
    async prepare(world) {
      const { loginUuid } = await begin(world.browser(), PEOPLE.questions)
      const [question] = await world.browser().call(retrieveQuestions, { body: { loginUuid } })
      const answer = RECOVERY_ANSWERS[question?.question ?? ''] ?? ''
      const answers = [{ securityQuestionUuid: question?.uuid ?? '', answer }]
      return (racer) => racer.call(answerQuestion, { body: { loginUuid, answers } })
    },
  },
  {
    by: 'recovery-code',
    refusedAs: ['code-used', 'first-factor-expired', 'too-many-requests'],
    async prepare(world) {
      const loginOf = await logins(world, PEOPLE.recovery)
      return (browser, racer) =>
        browser.call(redeemRecoveryCode, {
          body: { loginUuid: loginOf(racer), code: 'demo-0000-0000-0001' },
        })
    },
  },
]

test.each(PROOFS)(
  'second factor, single use: exactly one of 200 simultaneous redemptions by $by succeeds',
  { tags: 'database' },
  async ({ by, refusedAs, prepare }) => {
    await using world = await underAttack()
    const { answered, ...refused } = await race(world, await prepare(world))
    expect(answered).toBe(1)
    expect(refusedAs).toEqual(expect.arrayContaining(Object.keys(refused)))
    expect(await sessionsBy(world, by)).toHaveLength(1)
  },
)

test('second factor, single use: exactly one of 200 simultaneous answers to one challenge succeeds', {
  tags: 'database',
}, async () => {
  const { world, owner, device } = await keyedWorld()
  await using _ = world
  const { loginUuid } = await begin(world.browser(), owner)
  const { options } = await world.browser().call(readPasskeySecondFactor, { body: { loginUuid } })
  const response = device.sign(options)
  const { answered, ...refused } = await race(world, (browser) =>
    browser.call(redeemPasskeySecondFactor, { body: { loginUuid, response } }),
  )
  expect(answered).toBe(1)
  expect(['passkey-refused', 'first-factor-expired']).toEqual(
    expect.arrayContaining(Object.keys(refused)),
  )
  expect(await sessionsBy(world, 'passkey')).toHaveLength(1)

  const alone = await world.browser().call(readPasskeyLogin, { body: {} })
  const body = { challengeUuid: alone.challengeUuid, response: device.sign(alone.options) }
  const ends = await race(world, (browser) => browser.call(passkeyLogin, { body }))
  expect(ends).toEqual({ answered: 1, 'passkey-refused': RACERS.length - 1 })
})

/** Wrong proofs of each kind, in a login of a person with every kind. */
async function wrongProofs(world: World): Promise<Readonly<Record<string, Attempt>>> {
  const { loginUuid } = await begin(world.browser(), PEOPLE.all)
  const securityQuestionUuid = await firstQuestion(world.browser(), loginUuid)
  const answers = [{ securityQuestionUuid, answer: 'wrong' }]
  const wrong = otherThan(currentCode(world))
  return {
    'an authenticator': (browser) => browser.call(redeemTotp, { body: { loginUuid, code: wrong } }),
    'a sent code': (browser) =>
      browser.call(redeemSecondFactor, { body: { loginUuid, token: '000000' } }),
    'an answer': (browser) => browser.call(answerQuestion, { body: { loginUuid, answers } }),
    'a recovery code': (browser) =>
      browser.call(redeemRecoveryCode, { body: { loginUuid, code: 'wrong' } }),
  }
}

test.each(['an authenticator', 'a sent code', 'an answer', 'a recovery code'])(
  'second factor, guessing: 200 simultaneous wrong attempts at %s are counted as exactly 200',
  { tags: 'database' },
  async (kind) => {
    await using world = await underAttack()
    const attempt = (await wrongProofs(world))[kind]
    if (attempt === undefined) throw new Error(`No attempt is defined for ${kind}`)
    const { 'too-many-requests': refused, ...verified } = await race(world, attempt)
    expect(refused).toBe(RACERS.length - ATTEMPTS_ALLOWED)
    expect(Object.values(verified)).toEqual([ATTEMPTS_ALLOWED])
    expect(await countedAttempts(world)).toEqual({
      verified: ATTEMPTS_ALLOWED,
      refused: RACERS.length - ATTEMPTS_ALLOWED,
    })
  },
)

test('second factor, guessing: 200 simultaneous wrong attempts of every kind share one count', {
  tags: 'database',
}, async () => {
  await using world = await underAttack()
  const kinds = Object.values(await wrongProofs(world))
  const { 'too-many-requests': refused, ...verified } = await race(world, async (browser, racer) =>
    kinds[racer % kinds.length]?.(browser, racer),
  )
  expect(refused).toBe(RACERS.length - ATTEMPTS_ALLOWED)
  expect(Object.values(verified).reduce((sum, each) => sum + each, 0)).toBe(ATTEMPTS_ALLOWED)
  expect(await countedAttempts(world)).toEqual({
    verified: ATTEMPTS_ALLOWED,
    refused: RACERS.length - ATTEMPTS_ALLOWED,
  })
})

test('second factor, guessing: another factor, address, channel, code or login gives no further attempts', async () => {
  await using world = await underAttack()
  const { email, password } = PEOPLE.all
  const wrong: Attempt[] = Object.values(await wrongProofs(world))
  let verified = 0
  for (let round = 0; round < 5; round += 1) {
    // Each round uses a new network, browser and login, and new codes on both channels.
    const browser = world.browser()
    const options = await begin(browser, { email, password }).catch(() => undefined)
    if (options !== undefined) {
      for (const type of ['Email', 'Phone']) {
        const alias = aliasOf(options, type)
        const body = { loginUuid: options.loginUuid, alias }
        await browser.call(sendSecondFactor, { body }).catch(() => undefined)
      }
    }
    await browser.call(sendToken, { body: { email } }).catch(() => undefined)
    for (const guess of wrong) {
      if ((await code(guess(browser, round))) !== 'too-many-requests') verified += 1
    }
  }
  expect(verified).toBe(ATTEMPTS_ALLOWED)
})

test('second factor, guessing: an attacker cannot lock an owner out of a browser they used before', async () => {
  await using world = await underAttack()
  const own = world.browser()
  const first = await begin(own, PEOPLE.totp)
  await own.call(redeemTotp, { body: { loginUuid: first.loginUuid, code: currentCode(world) } })
  world.clock.pass(2 * MINUTE_MS)
  const { loginUuid } = await begin(world.browser(), PEOPLE.totp)
  const wrong = otherThan(currentCode(world))
  await race(world, (browser) => browser.call(redeemTotp, { body: { loginUuid, code: wrong } }))
  const stranger = world
    .browser()
    .call(redeemTotp, { body: { loginUuid, code: currentCode(world) } })
  expect(await code(stranger)).toBe('too-many-requests')
  const mine = await begin(own, PEOPLE.totp)
  const body = { loginUuid: mine.loginUuid, code: currentCode(world) }
  expect((await own.call(redeemTotp, { body })).jwt).toMatch(/^ey/)
})

test('second factor, remembered browsers: another person’s or a modified one still needs the second step', async () => {
  await using world = await underAttack()
  const remembered = async (who: Credentials) => {
    const browser = world.browser()
    const { loginUuid } = await begin(browser, who)
    const body = { loginUuid, code: currentCode(world), rememberDevice: true }
    await browser.call(redeemTotp, { body })
    return browser.cookies.get('portico-device') ?? ''
  }
  const [mine, theirs] = [await remembered(PEOPLE.totp), await remembered(PEOPLE.all)]
  const requiresSecondFactor = async (who: Credentials, cookie: string) => {
    const browser = world.browser()
    browser.cookies.set('portico-device', cookie)
    const { email, password } = who
    const { jwt } = await browser.call(login, { body: { email, password } })
    return jwt === undefined
  }
  expect(await requiresSecondFactor(PEOPLE.totp, mine)).toBe(false)
  const altered = `${mine.slice(0, -2)}${mine.endsWith('AA') ? 'BB' : 'AA'}`
  for (const cookie of [theirs, altered, mine.toUpperCase(), `${mine}=`, `${mine},${theirs}`, '']) {
    expect(await requiresSecondFactor(PEOPLE.totp, cookie), cookie).toBe(true)
  }
  // Two device cookies in one request: neither is accepted.
  const both = world.browser({
    headers: { cookie: `portico-device=${mine}; portico-device=${theirs}` },
  })
  await begin(both, PEOPLE.totp)
})

test('second factor, passkeys: a replayed, foreign, unverified or copied one is refused', async () => {
  const { world, owner, device } = await keyedWorld({ counter: 5 })
  await using _ = world
  const signIn = async (wrong: Parameters<typeof device.sign>[1]) => {
    const browser = world.browser()
    const { challengeUuid, options } = await browser.call(readPasskeyLogin, { body: {} })
    const response = device.sign(options, wrong)
    return { browser, body: { challengeUuid, response } }
  }
  const secondStep = async (wrong: Parameters<typeof device.sign>[1]) => {
    const browser = world.browser()
    const { loginUuid } = await begin(browser, owner)
    const { options } = await browser.call(readPasskeySecondFactor, { body: { loginUuid } })
    return { browser, body: { loginUuid, response: device.sign(options, wrong) } }
  }
  for (const wrong of [
    { origin: 'https://evil.example' },
    { origin: `${world.origin}.evil.example` },
    { origin: `${world.origin}:1` },
    { domain: 'evil.example' },
    { challenge: 'AAAA' },
  ]) {
    const alone = await signIn(wrong)
    expect(await code(alone.browser.call(passkeyLogin, { body: alone.body }))).toBe(
      'passkey-refused',
    )
    const second = await secondStep(wrong)
    const { browser, body } = second
    expect(await code(browser.call(redeemPasskeySecondFactor, { body }))).toBe('passkey-refused')
  }
  // Alone it counts as both factors, so it needs user verification.
  const unlocked = await signIn({ userVerified: false })
  expect(await code(unlocked.browser.call(passkeyLogin, { body: unlocked.body }))).toBe(
    'passkey-refused',
  )

  const good = await secondStep({})
  const { jwt } = await good.browser.call(redeemPasskeySecondFactor, { body: good.body })
  expect(jwt).toMatch(/^ey/)
  // A used response works neither for its own login again, nor for another one, nor for a sign-in.
  const again = await begin(world.browser(), owner)
  const replay = (loginUuid: string) =>
    world.browser().call(redeemPasskeySecondFactor, { body: { ...good.body, loginUuid } })
  expect(await code(replay(good.body.loginUuid))).toBe('first-factor-expired')
  expect(await code(replay(again.loginUuid))).toBe('passkey-refused')
  const { challengeUuid } = await world.browser().call(readPasskeyLogin, { body: {} })
  const asSignIn = { challengeUuid, response: good.body.response }
  expect(await code(world.browser().call(passkeyLogin, { body: asSignIn }))).toBe('passkey-refused')

  // A copied key with a lower signature counter.
  device.rewind(4)
  const copied = await secondStep({})
  const copy = copied.browser.call(redeemPasskeySecondFactor, { body: copied.body })
  expect(await code(copy)).toBe('passkey-refused')
})

test('second factor, enumeration: unknown logins and those of others get the same answers', async () => {
  await using world = await underAttack()
  const browser = world.browser()
  const { loginUuid } = await begin(browser, PEOPLE.totp)
  await browser.call(redeemTotp, { body: { loginUuid, code: currentCode(world) } })
  const ask = async (path: string, method: string, body: unknown) => {
    const response = await world.browser().fetch(`/identity/api/v1/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, text: await response.text() }
  }
  const answers = [{ securityQuestionUuid: randomUUID(), answer: 'Rex' }]
  for (const [path, method, rest] of [
    ['2fa/send', 'POST', { alias: randomUUID() }],
    ['2fa/redeem', 'PUT', { token: '123456' }],
    ['totp', 'POST', { code: '123456' }],
    ['question/retrieve', 'POST', {}],
    ['question', 'POST', { answers }],
    ['recovery-code', 'POST', { code: 'demo-0000-0000-0001' }],
    ['2fa/passkey/options', 'POST', {}],
    ['2fa/passkey', 'PUT', { response: {} }],
  ] as const) {
    const lateResponse = await ask(path, method, { loginUuid, ...rest })
    expect(lateResponse.status, path).toBe(400)
    expect(await ask(path, method, { loginUuid: randomUUID(), ...rest }), path).toEqual(
      lateResponse,
    )
  }
})
