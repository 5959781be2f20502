import { QUESTION_CATALOG } from '@portico/contracts/account-security'
import { login, readExpandedIdentity, readIdentity } from '@portico/contracts/identity'
import {
  answerQuestion,
  redeemRecoveryCode,
  redeemSecondFactor,
  redeemTotp,
  retrieveQuestions,
  sendSecondFactor,
} from '@portico/contracts/two-factor'
import { expect, test } from 'vitest'
import { authenticatorCode } from '../support/authenticator.ts'
import type { Browser } from '../support/browser.ts'
import { PEOPLE, RECOVERY_ANSWERS } from '../support/people.ts'
import { aWorld, refusal } from '../support/world.ts'

const MINUTE_MS = 60_000
/** The time step of an authenticator code. */
const STEP_MS = 30_000
const DAY_MS = 24 * 60 * MINUTE_MS
const UNKNOWN = '6d1f2c0e-8f5c-4b55-9d3b-0d6a3a3d7a10'

type World = Awaited<ReturnType<typeof aWorld>>

const { totp, phone, email, questions, recovery, all } = PEOPLE
const otherThan = (code: string) => (code === '111111' ? '222222' : '111111')
const codeOf = (world: World) => authenticatorCode(totp.secret, world.clock.now())
const textTo = async (world: World, number: string) =>
  /^\d{6}/.exec((await world.mail(number))[0]?.text ?? '')?.[0] ?? ''

/** The second-factor options after a first factor; throws on any other outcome. */
async function begin(browser: Browser, who: { email: string; password: string }) {
  const { email: address, password } = who
  const answer = await browser.call(login, { body: { email: address, password } })
  if (answer.twoFactorOptions === undefined) throw new Error('No second factor is required')
  return answer.twoFactorOptions
}

test('4.4 a correct password with a second factor set up does not sign in yet', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const response = await browser.fetch('/identity/api/v2/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: totp.email, password: totp.password }),
  })
  expect(await response.json()).toEqual({
    twoFactorOptions: {
      loginUuid: expect.any(String),
      aliases: [{ uuid: expect.any(String), type: 'TOTP', value: 'Authenticator application' }],
      emailFactorSupported: false,
      totpEnabled: true,
    },
  })
  expect(response.headers.getSetCookie()).toEqual([])
  expect(browser.cookies.size).toBe(0)
})

test('3 the aliases of a login are masked', async () => {
  await using world = await aWorld()
  const { aliases, ...rest } = await begin(world.browser(), all)
  expect(aliases.map(({ type, value }) => [type, value])).toEqual(
    expect.arrayContaining([
      ['Email', 'a•••@portico.example'],
      ['Phone', '(•••) •••-0144'],
      ['TOTP', 'Authenticator application'],
    ]),
  )
  expect(rest).toEqual({
    loginUuid: expect.any(String),
    emailFactorSupported: true,
    totpEnabled: true,
    recoveryCodesEnabled: true,
  })
})

test('4.5 an authenticator code completes the login', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const { loginUuid } = await begin(browser, totp)
  const { jwt } = await browser.call(redeemTotp, { body: { loginUuid, code: codeOf(world) } })
  browser.jwt.write(jwt)
  const { identity } = await browser.call(readIdentity, {})
  expect(identity).toMatchObject({ twoFactorEnabled: true, totpVerified: true })
})

test('4.5 a code sent to the phone completes the login, and names the host it is for', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const { loginUuid, aliases } = await begin(browser, phone)
  await browser.call(sendSecondFactor, { body: { loginUuid, alias: aliases[0]?.uuid ?? '' } })
  const [message] = await world.mail(phone.phone)
  expect(message).toMatchObject({ channel: 'sms', to: phone.phone })
  const token = await textTo(world, phone.phone)
  expect(message?.text).toContain(`@127.0.0.1 #${token}`)
  const { jwt } = await browser.call(redeemSecondFactor, { body: { loginUuid, token } })
  browser.jwt.write(jwt)
  const { identity } = await browser.call(readExpandedIdentity, {})
  expect(identity.twoFactorEnabled).toBe(true)
  expect(identity.aliases.map(({ type }) => type).sort()).toEqual(['Email', 'Phone'])
})

test('4.5 an emailed code completes the login after a password; a passcode alone is enough', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const { loginUuid, aliases } = await begin(browser, email)
  expect(aliases.map(({ type }) => type)).toEqual(['Email'])
  await browser.call(sendSecondFactor, { body: { loginUuid, alias: aliases[0]?.uuid ?? '' } })
  const token = await world.passcode(email.email)
  const { jwt } = await browser.call(redeemSecondFactor, { body: { loginUuid, token } })
  browser.jwt.write(jwt)
  expect((await browser.call(readIdentity, {})).identity.twoFactorEnabled).toBe(true)

  const other = world.browser()
  expect(await other.signInByPasscode(email.email)).toEqual({ jwt: expect.any(String) })
})

test('4.5 a passcode as the first factor does not count as the second: another method is required', async () => {
  await using world = await aWorld()
  const answer = await world.browser().signInByPasscode(all.email)
  expect(answer.jwt).toBeUndefined()
  expect(answer.twoFactorOptions?.emailFactorSupported).toBe(false)
  expect(answer.twoFactorOptions?.aliases.map(({ type }) => type).sort()).toEqual(['Phone', 'TOTP'])
})

test('4.5 wrong, unknown and unsuitable answers are refused, each with its own error', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const { loginUuid, aliases } = await begin(browser, totp)
  const wrong = { loginUuid, code: otherThan(codeOf(world)) }
  const alias = aliases[0]?.uuid ?? ''
  const code = async (call: Promise<unknown>) => (await refusal(call)).code

  expect(await code(browser.call(redeemTotp, { body: wrong }))).toBe('code-wrong')
  expect(await code(browser.call(sendSecondFactor, { body: { loginUuid, alias } }))).toBe(
    'method-not-available',
  )
  expect(await code(browser.call(sendSecondFactor, { body: { loginUuid, alias: UNKNOWN } }))).toBe(
    'method-not-available',
  )
  const token = '123456'
  expect(await code(browser.call(redeemSecondFactor, { body: { loginUuid, token } }))).toBe(
    'method-not-available',
  )
  expect(
    await code(browser.call(redeemRecoveryCode, { body: { loginUuid, code: 'nothing' } })),
  ).toBe('method-not-available')
  const answers = [{ securityQuestionUuid: UNKNOWN, answer: 'Rex' }]
  expect(await code(browser.call(answerQuestion, { body: { loginUuid, answers } }))).toBe(
    'method-not-available',
  )
  expect(await browser.call(retrieveQuestions, { body: { loginUuid } })).toEqual([])

  const byPhone = await begin(browser, phone)
  expect(
    await code(browser.call(redeemTotp, { body: { loginUuid: byPhone.loginUuid, code: token } })),
  ).toBe('method-not-available')
  expect(
    await code(browser.call(redeemSecondFactor, { body: { loginUuid: byPhone.loginUuid, token } })),
  ).toBe('code-wrong')
})

test('8 every call reports an expired, completed or unknown first factor', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const { loginUuid: expired, aliases } = await begin(browser, all)
  world.clock.pass(10 * MINUTE_MS)
  const { loginUuid: completed } = await begin(browser, all)
  await browser.call(redeemTotp, { body: { loginUuid: completed, code: codeOf(world) } })
  const answers = [{ securityQuestionUuid: UNKNOWN, answer: 'Rex' }]
  for (const loginUuid of [expired, completed, UNKNOWN]) {
    const calls = [
      () => browser.call(sendSecondFactor, { body: { loginUuid, alias: aliases[0]?.uuid ?? '' } }),
      () => browser.call(redeemSecondFactor, { body: { loginUuid, token: '123456' } }),
      () => browser.call(redeemTotp, { body: { loginUuid, code: '123456' } }),
      () => browser.call(retrieveQuestions, { body: { loginUuid } }),
      () => browser.call(answerQuestion, { body: { loginUuid, answers } }),
      () => browser.call(redeemRecoveryCode, { body: { loginUuid, code: 'demo-0000-0000-0001' } }),
    ]
    for (const call of calls) {
      expect(await refusal(call())).toMatchObject({ status: 400, code: 'first-factor-expired' })
    }
  }
})

test('6 an account that is locked during a pending login is not opened', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const { loginUuid } = await begin(browser, totp)
  await world.lock(totp.email)
  const call = browser.call(redeemTotp, { body: { loginUuid, code: codeOf(world) } })
  expect((await refusal(call)).code).toBe('first-factor-expired')
})

test('4.5 a clock off by one step is accepted, and no further; one step of time is accepted once', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  // Start at the beginning of a time step, so that none starts between a code and its verification.
  world.clock.pass(STEP_MS - (world.clock.now() % STEP_MS))
  const at = world.clock.now()
  const redeem = async (moment: number) => {
    const { loginUuid } = await begin(browser, totp)
    const code = authenticatorCode(totp.secret, moment)
    return browser.call(redeemTotp, { body: { loginUuid, code } })
  }
  for (const off of [-2, 2]) {
    expect((await refusal(redeem(at + off * STEP_MS))).code).toBe('code-wrong')
  }
  await redeem(at - STEP_MS)
  expect((await refusal(redeem(at - STEP_MS))).code).toBe('code-used')
  await redeem(at + STEP_MS)
  // Using a later step consumes the earlier ones.
  expect((await refusal(redeem(at))).code).toBe('code-used')
})

test('4.5 a code belongs to its login, and is used once', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const first = await begin(browser, phone)
  const second = await begin(browser, phone)
  const alias = first.aliases[0]?.uuid ?? ''
  await browser.call(sendSecondFactor, { body: { loginUuid: first.loginUuid, alias } })
  const token = await textTo(world, phone.phone)
  const stolen = browser.call(redeemSecondFactor, {
    body: { loginUuid: second.loginUuid, token },
  })
  expect((await refusal(stolen)).code).toBe('code-wrong')
  await browser.call(redeemSecondFactor, { body: { loginUuid: first.loginUuid, token } })
  const again = browser.call(redeemSecondFactor, { body: { loginUuid: first.loginUuid, token } })
  expect((await refusal(again)).code).toBe('first-factor-expired')
})

test('4.5 an earlier code that arrives late still works after a resend', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const { loginUuid, aliases } = await begin(browser, phone)
  const body = { loginUuid, alias: aliases[0]?.uuid ?? '' }
  await browser.call(sendSecondFactor, { body })
  const token = await textTo(world, phone.phone)
  await browser.call(sendSecondFactor, { body })
  const { jwt } = await browser.call(redeemSecondFactor, { body: { loginUuid, token } })
  expect(jwt).toMatch(/^ey/)
})

test('8 the code of an earlier login is answered with: a newer one was sent, and opens neither login', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const send = async (loginUuid: string, alias: string) => {
    await browser.call(sendSecondFactor, { body: { loginUuid, alias } })
    return world.passcode(email.email)
  }
  const redeem = (loginUuid: string, token: string) =>
    browser.call(redeemSecondFactor, { body: { loginUuid, token } })
  const code = async (call: Promise<unknown>) => (await refusal(call)).code
  const first = await begin(browser, email)
  const alias = first.aliases[0]?.uuid ?? ''
  const older = await send(first.loginUuid, alias)
  world.clock.pass(1000)
  const second = await begin(browser, email)
  const newer = await send(second.loginUuid, alias)
  // The newer code is wrong in the earlier login's tab, because it belongs to the other login.
  expect(await code(redeem(first.loginUuid, newer))).toBe('code-wrong')
  expect(await code(redeem(second.loginUuid, older))).toBe('code-superseded')
  expect(await code(redeem(second.loginUuid, older))).toBe('code-wrong')
  expect(await code(redeem(first.loginUuid, older))).toBe('code-used')
  expect((await redeem(second.loginUuid, newer)).jwt).toMatch(/^ey/)
})

test('4.5 the server draws one of the first three questions; its answer, in any notation, completes the login', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const { loginUuid } = await begin(browser, questions)
  const [asked, ...others] = await browser.call(retrieveQuestions, { body: { loginUuid } })
  expect(others).toEqual([])
  const right = RECOVERY_ANSWERS[asked?.question ?? ''] ?? ''
  expect(right).not.toBe('')
  const drawn = asked?.uuid ?? ''
  const attempt = (answers: { securityQuestionUuid: string; answer: string }[]) =>
    browser.call(answerQuestion, { body: { loginUuid, answers } })
  const catalog = QUESTION_CATALOG.filter(({ uuid }) => uuid !== drawn)
  const other = catalog.flatMap(({ uuid: securityQuestionUuid, question }) => {
    const answer = RECOVERY_ANSWERS[question]
    return answer === undefined ? [] : [{ securityQuestionUuid, answer }]
  })
  expect(other).toHaveLength(2)
  for (const answers of [
    [{ securityQuestionUuid: drawn, answer: 'Paris' }],
    [{ securityQuestionUuid: UNKNOWN, answer: right }],
    // The correct answer to another question is refused.
    other,
    [
      { securityQuestionUuid: drawn, answer: right },
      { securityQuestionUuid: UNKNOWN, answer: 'x' },
    ],
  ]) {
    expect((await refusal(attempt(answers))).code).toBe('answer-wrong')
  }
  const written = `  ${right.toUpperCase().replace('U', 'Ú')}!`
  const { jwt } = await attempt([{ securityQuestionUuid: drawn, answer: written }])
  expect(jwt).toMatch(/^ey/)
  const mailText = (await world.mail(questions.email)).map(({ text }) => text).join()
  expect(mailText).toContain('a recovery question was answered to log in')
})

test('4.5 restarting the login draws the same question; over days each of the three is drawn', async () => {
  await using world = await aWorld()
  const drawn = new Set<string>()
  for (let day = 0; day < 40 && drawn.size < 3; day += 1) {
    const ofDay = new Set<string>()
    for (let login = 0; login < 2; login += 1) {
      const browser = world.browser()
      const { loginUuid } = await begin(browser, questions)
      const [asked] = await browser.call(retrieveQuestions, { body: { loginUuid } })
      ofDay.add(asked?.uuid ?? '')
    }
    expect(ofDay.size).toBe(1)
    for (const uuid of ofDay) drawn.add(uuid)
    // Move to the middle of the next day, so that both logins are on the same day.
    world.clock.pass(1.5 * DAY_MS - (world.clock.now() % DAY_MS))
  }
  expect(drawn.size).toBe(3)
})

test('4.5 a recovery code completes the login once, and the owner is mailed', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const redeem = async (code: string) => {
    const { loginUuid } = await begin(browser, recovery)
    return browser.call(redeemRecoveryCode, { body: { loginUuid, code } })
  }
  expect((await refusal(redeem('demo-0000-0000-0009'))).code).toBe('code-wrong')
  expect((await redeem('DEMO 0000 0000 0001')).jwt).toMatch(/^ey/)
  expect((await refusal(redeem('demo-0000-0000-0001'))).code).toBe('code-used')
  const mailText = (await world.mail(recovery.email)).map(({ text }) => text).join()
  expect(mailText).toContain('a recovery code was used to log in. You have 2 left.')
})

test('8 wrong passwords, codes, answers and recovery codes share one limit', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const { loginUuid } = await begin(browser, all)
  const [asked] = await browser.call(retrieveQuestions, { body: { loginUuid } })
  const answers = [{ securityQuestionUuid: asked?.uuid ?? '', answer: 'wrong' }]
  const guesses = [
    () => browser.call(login, { body: { email: all.email, password: 'wrong' } }),
    () => browser.call(redeemTotp, { body: { loginUuid, code: otherThan(codeOf(world)) } }),
    () => browser.call(redeemSecondFactor, { body: { loginUuid, token: '000000' } }),
    () => browser.call(answerQuestion, { body: { loginUuid, answers } }),
    () => browser.call(redeemRecoveryCode, { body: { loginUuid, code: 'wrong' } }),
  ]
  for (const guess of [...guesses, ...guesses]) expect((await refusal(guess())).status).toBe(400)
  for (const guess of guesses) expect((await refusal(guess())).status).toBe(429)
  const right = browser.call(redeemTotp, { body: { loginUuid, code: codeOf(world) } })
  expect(await refusal(right)).toMatchObject({ status: 429, code: 'too-many-requests' })
  world.clock.pass(MINUTE_MS)
  const { jwt } = await browser.call(redeemTotp, { body: { loginUuid, code: codeOf(world) } })
  expect(jwt).toMatch(/^ey/)
})

test('8 codes to all aliases and passcodes share one limit of five in ten minutes', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const { loginUuid, aliases } = await begin(browser, all)
  const to = (type: string) => aliases.find((alias) => alias.type === type)?.uuid ?? ''
  for (const type of ['Email', 'Phone', 'Email', 'Phone', 'Phone']) {
    await browser.call(sendSecondFactor, { body: { loginUuid, alias: to(type) } })
  }
  for (const type of ['Email', 'Phone']) {
    const send = browser.call(sendSecondFactor, { body: { loginUuid, alias: to(type) } })
    expect((await refusal(send)).status).toBe(429)
  }
  expect((await refusal(browser.signInByPasscode(all.email))).status).toBe(429)
})

test('4.5 a remembered browser skips the second step for thirty days; others do not', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const { loginUuid } = await begin(browser, totp)
  const body = { loginUuid, code: codeOf(world), rememberDevice: true }
  await browser.call(redeemTotp, { body })
  world.clock.pass(29 * DAY_MS)
  const { email: address, password } = totp
  expect(await browser.signIn({ email: address, password })).toEqual({ jwt: expect.any(String) })
  await begin(world.browser(), totp)

  // A browser remembered for another person still requires the second step.
  await begin(browser, all)
  world.clock.pass(DAY_MS)
  await begin(browser, totp)
})

test('4.5 a browser that is not remembered requires the second step each time', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const { loginUuid } = await begin(browser, totp)
  await browser.call(redeemTotp, { body: { loginUuid, code: codeOf(world) } })
  await begin(browser, totp)
})

test('9 a second-factor login in a new browser is mailed and recorded like any other', async () => {
  await using world = await aWorld()
  for (const _ of [1, 2]) {
    const browser = world.browser()
    const { loginUuid } = await begin(browser, totp)
    await browser.call(redeemTotp, { body: { loginUuid, code: codeOf(world) } })
    world.clock.pass(MINUTE_MS)
  }
  const notices = (await world.mail(totp.email)).filter(({ subject }) => subject.startsWith('New'))
  expect(notices).toHaveLength(1)
  const events = await world.query(
    "select details from audit_events where kind = 'signed-in' order by created_at",
  )
  expect(events.map(({ details }) => JSON.parse(String(details)))).toEqual([
    { method: 'password', second: 'totp' },
    { method: 'password', second: 'totp' },
  ])
})
