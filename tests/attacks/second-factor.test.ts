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
import { outcomes } from '../support/race.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { aWorld, newPerson, PEOPLE, RECOVERY_ANSWERS, refusal } from '../support/world.ts'

const RACERS = Array.from({ length: 200 }, (_, index) => index)
/** Attempts before the lockout. */
const LOOKED_AT = 10
const MINUTE_MS = 60_000

type World = Awaited<ReturnType<typeof aWorld>>
type Attempt = (browser: Browser, racer: number) => Promise<unknown>

/**
 * A world attacked on several nodes at once, if the database allows several. They share one host, as behind a load
 * balancer, because a passkey is bound to it.
 */
const underAttack = () =>
  aWorld()
    .withNodes(ON_POSTGRES ? 2 : 1)
    .withSettings({ PUBLIC_URL: 'http://login.lender.example' })

/** Counts the outcomes of 200 simultaneous attempts from unknown browsers. */
const race = (world: World, attempt: Attempt) =>
  outcomes(
    RACERS.map((racer) =>
      attempt(world.browser({ node: () => world.nodes[racer % world.nodes.length] }), racer),
    ),
  )

/** The second-factor options after a correct first factor; throws on any other outcome. */
async function begin(browser: Browser, { email, password }: Credentials) {
  const { twoFactorOptions } = await browser.call(login, { body: { email, password } })
  if (twoFactorOptions === undefined) throw new Error('No second factor was asked for')
  return twoFactorOptions
}

const aliasOf = ({ aliases }: Awaited<ReturnType<typeof begin>>, type = 'Phone') =>
  aliases.find((alias) => alias.type === type)?.uuid ?? ''
const shown = (world: World) => authenticatorCode(PEOPLE.totp.secret, world.clock.now())
const otherThan = (code: string) => (code === '111111' ? '222222' : '111111')
const textTo = async (world: World, number: string) =>
  /^\d{6}/.exec((await world.mail(number))[0]?.text ?? '')?.[0] ?? ''
const code = async (call: Promise<unknown>) => (await refusal(call)).code

/** The first question of a login. */
async function firstQuestion(browser: Browser, loginUuid: string): Promise<string> {
  const [requiresSecondFactor] = await browser.call(retrieveQuestions, { body: { loginUuid } })
  return requiresSecondFactor?.uuid ?? ''
}

const sessionsBy = (world: World, second: string) =>
  world.query(`select id from sessions where second_method = '${second}'`)

/** The recorded attempts by outcome. */
async function counted(world: World): Promise<readonly [looked: number, heldBack: number]> {
  const rows = await world.query(
    "select count as made, refused from attempts where count > 0 and key like 'network %'",
  )
  const sum = (column: string) => rows.reduce((total, row) => total + Number(row[column]), 0)
  return [sum('made'), sum('refused')]
}

/** A person with a passkey and emailed codes as second factor, and their device. */
async function keyedWorld(settings: { counter?: number } = {}) {
  const owner = newPerson('keyed')
  const world = await underAttack().withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
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
      const step = shown(world)
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
      const [requiresSecondFactor] = await world
        .browser()
        .call(retrieveQuestions, { body: { loginUuid } })
      const answer = RECOVERY_ANSWERS[requiresSecondFactor?.question ?? ''] ?? ''
      const answers = [{ securityQuestionUuid: requiresSecondFactor?.uuid ?? '', answer }]
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
  'second factor, single use: of 200 simultaneous redemptions by $by exactly one succeeds',
  async ({ by, refusedAs, prepare }) => {
    await using world = await underAttack()
    const { answered, ...refused } = await race(world, await prepare(world))
    expect(answered).toBe(1)
    expect(refusedAs).toEqual(expect.arrayContaining(Object.keys(refused)))
    expect(await sessionsBy(world, by)).toHaveLength(1)
  },
)

test('second factor, single use: of 200 simultaneous answers to one challenge exactly one succeeds', async () => {
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
  const wrong = otherThan(shown(world))
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
  async (kind) => {
    await using world = await underAttack()
    const attempt = (await wrongProofs(world))[kind]
    if (attempt === undefined) throw new Error(`No attempt is defined for ${kind}`)
    const { 'too-many-requests': heldBack, ...looked } = await race(world, attempt)
    expect(heldBack).toBe(RACERS.length - LOOKED_AT)
    expect(Object.values(looked)).toEqual([LOOKED_AT])
    expect(await counted(world)).toEqual([LOOKED_AT, RACERS.length - LOOKED_AT])
  },
)

test('second factor, guessing: 200 simultaneous wrong attempts of every kind share one count', async () => {
  await using world = await underAttack()
  const kinds = Object.values(await wrongProofs(world))
  const { 'too-many-requests': heldBack, ...looked } = await race(world, async (browser, racer) =>
    kinds[racer % kinds.length]?.(browser, racer),
  )
  expect(heldBack).toBe(RACERS.length - LOOKED_AT)
  expect(Object.values(looked).reduce((sum, each) => sum + each, 0)).toBe(LOOKED_AT)
  expect(await counted(world)).toEqual([LOOKED_AT, RACERS.length - LOOKED_AT])
})

test('second factor, guessing: another factor, address, channel, code or login gives no further attempts', async () => {
  await using world = await underAttack()
  const { email, password } = PEOPLE.all
  const wrong: Attempt[] = Object.values(await wrongProofs(world))
  let looked = 0
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
      if ((await code(guess(browser, round))) !== 'too-many-requests') looked += 1
    }
  }
  expect(looked).toBe(LOOKED_AT)
})

test('second factor, guessing: an attacker cannot lock an owner out of a browser they used before', async () => {
  await using world = await underAttack()
  const own = world.browser()
  const first = await begin(own, PEOPLE.totp)
  await own.call(redeemTotp, { body: { loginUuid: first.loginUuid, code: shown(world) } })
  world.clock.pass(2 * MINUTE_MS)
  const { loginUuid } = await begin(world.browser(), PEOPLE.totp)
  const wrong = otherThan(shown(world))
  await race(world, (browser) => browser.call(redeemTotp, { body: { loginUuid, code: wrong } }))
  const stranger = world.browser().call(redeemTotp, { body: { loginUuid, code: shown(world) } })
  expect(await code(stranger)).toBe('too-many-requests')
  const mine = await begin(own, PEOPLE.totp)
  const body = { loginUuid: mine.loginUuid, code: shown(world) }
  expect((await own.call(redeemTotp, { body })).jwt).toMatch(/^ey/)
})

test('second factor, remembered browsers: another person’s or a modified one still needs the second step', async () => {
  await using world = await underAttack()
  const remembered = async (who: Credentials) => {
    const browser = world.browser()
    const { loginUuid } = await begin(browser, who)
    const body = { loginUuid, code: shown(world), rememberDevice: true }
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
  await browser.call(redeemTotp, { body: { loginUuid, code: shown(world) } })
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
