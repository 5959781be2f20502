import {
  beginEmailChange,
  beginPhone,
  beginTotp,
  confirmEmailChange,
  confirmIdentity,
  confirmPhone,
  confirmTotp,
  deleteOwnAccount,
  endSessions,
  exportAccountData,
  makeRecoveryCodes,
  readQuestionCatalog,
  readSecurity,
  removePhone,
  removeTotp,
  sendConfirmation,
  setEmailFactor,
  setQuestions,
} from '@portico/contracts/account-security'
import {
  login,
  readIdentity,
  redeemToken,
  sendToken,
  setPassword,
} from '@portico/contracts/identity'
import {
  answerQuestion,
  redeemRecoveryCode,
  redeemTotp,
  retrieveQuestions,
} from '@portico/contracts/two-factor'
import { expect, test } from 'vitest'
import { authenticatorCode } from '../support/authenticator.ts'
import type { Browser, Credentials } from '../support/browser.ts'
import { PEOPLE } from '../support/people.ts'
import { aWorld, newPerson, OTHER_PASSWORD, PASSWORD, refusal } from '../support/world.ts'

const MINUTE_MS = 60_000
const UNKNOWN = '6d1f2c0e-8f5c-4b55-9d3b-0d6a3a3d7a10'
const EMAIL_CODES = { changeUuid: UNKNOWN, currentToken: '123456', newToken: '123456' }
const PHONE = '+12015550187'

type World = Awaited<ReturnType<typeof aWorld>>

const code = async (call: Promise<unknown>) => (await refusal(call)).code
const otherThan = (right: string) => (right === '111111' ? '222222' : '111111')
const textTo = async (world: World, number: string) =>
  /^\d{6}/.exec((await world.mail(number))[0]?.text ?? '')?.[0] ?? ''
const noticeCount = async (world: World, { email }: Credentials) =>
  (await world.mail(email)).filter(({ subject }) => subject.startsWith('The security')).length

async function signedIn(agent?: string) {
  const owner = newPerson('careful')
  const world = await aWorld().withCustomer(owner)
  const browser = world.browser(agent === undefined ? {} : { headers: { 'user-agent': agent } })
  await browser.signIn(owner)
  await browser.confirm(owner)
  return { world, browser, owner }
}

async function setTotpUp(world: World, browser: Browser): Promise<string> {
  const { secret } = await browser.call(beginTotp, {})
  const shown = authenticatorCode(secret, world.clock.now())
  await browser.call(confirmTotp, { body: { code: shown } })
  return secret
}

async function addPhone(world: World, browser: Browser): Promise<string> {
  const { alias } = await browser.call(beginPhone, { body: { phone: '(201) 555-0187' } })
  await browser.call(confirmPhone, { body: { alias, token: await textTo(world, PHONE) } })
  return alias
}

async function begin(browser: Browser, who: Credentials) {
  const { twoFactorOptions } = await browser.call(login, { body: who })
  if (twoFactorOptions === undefined) throw new Error('No second factor is required')
  return twoFactorOptions
}

test('8 the overview of a person without any factors', async () => {
  const { world, browser, owner } = await signedIn(
    'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
  )
  await using _ = world
  expect(await browser.call(readSecurity, {})).toEqual({
    aliases: [
      {
        uuid: expect.any(String),
        type: 'Email',
        value: owner.email,
        verified: true,
        auth: true,
      },
    ],
    emailFactorEnabled: false,
    totpEnabled: false,
    textsAvailable: true,
    questions: [],
    recoveryCodesLeft: 0,
    passkeys: [],
    providers: [],
    sessions: [
      {
        uuid: expect.any(String),
        device: 'Firefox on Linux',
        network: '127.0.0.1',
        method: 'password',
        signedInAt: expect.any(Number),
        current: true,
      },
    ],
    events: expect.arrayContaining([
      { at: expect.any(Number), kind: 'signed-in', network: '127.0.0.1' },
      { at: expect.any(Number), kind: 'password-set', network: '127.0.0.1' },
    ]),
    hasPassword: true,
    hasHostedWallets: false,
    confirmed: true,
    confirmWith: { change: ['password', 'passcode'], payment: ['password', 'passcode'] },
  })
})

test('8 the overview of a person with every factor, as shown to themselves', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const { email, password } = PEOPLE.all
  const { loginUuid } = await begin(browser, { email, password })
  const shown = authenticatorCode(PEOPLE.totp.secret, world.clock.now())
  const { jwt } = await browser.call(redeemTotp, { body: { loginUuid, code: shown } })
  browser.jwt.write(jwt)
  const overview = await browser.call(readSecurity, {})
  expect(overview).toMatchObject({
    emailFactorEnabled: true,
    totpEnabled: true,
    recoveryCodesLeft: 3,
    confirmed: false,
    confirmWith: { change: ['password', 'totp', 'passcode'] },
  })
  expect(overview.aliases.map(({ value }) => value)).toEqual(
    expect.arrayContaining([email, '+12015550144', 'Authenticator application']),
  )
  expect(overview.questions).toHaveLength(3)
  expect(JSON.stringify(overview)).not.toMatch(/Utrecht|demo-0000|PORTICO/)
})

test('4.5 an authenticator app is active and required once its first code is confirmed', async () => {
  const { world, browser, owner } = await signedIn()
  await using _ = world
  const { secret, uri } = await browser.call(beginTotp, {})
  const address = new URL(uri)
  expect(address.searchParams.get('issuer')).toBe('Figure')
  expect(address.searchParams.get('secret')).toBe(secret)
  expect(await world.browser().signIn(owner)).toEqual({ jwt: expect.any(String) })
  expect((await browser.call(readSecurity, {})).totpEnabled).toBe(false)

  const shown = authenticatorCode(secret, world.clock.now())
  const wrong = browser.call(confirmTotp, { body: { code: otherThan(shown) } })
  expect(await code(wrong)).toBe('code-wrong')
  await browser.call(confirmTotp, { body: { code: shown } })
  const again = browser.call(confirmTotp, { body: { code: shown } })
  expect(await code(again)).toBe('method-not-available')
  expect((await browser.call(readSecurity, {})).totpEnabled).toBe(true)
  expect(await noticeCount(world, owner)).toBe(1)

  // The setup code is already consumed.
  const { loginUuid } = await begin(world.browser(), owner)
  const used = world.browser().call(redeemTotp, { body: { loginUuid, code: shown } })
  expect(await code(used)).toBe('code-used')
  const [row] = await world.query('select secret from totp where pending_secret is null')
  expect(String(row?.['secret'])).not.toContain(secret)
})

test('4.5 the active authenticator app stays until another one is confirmed', async () => {
  const { world, browser, owner } = await signedIn()
  await using _ = world
  const secret = await setTotpUp(world, browser)
  const { secret: other } = await browser.call(beginTotp, {})
  world.clock.pass(2 * MINUTE_MS)
  const { loginUuid } = await begin(world.browser(), owner)
  const redeemTotpOf = (key: string) =>
    world.browser().call(redeemTotp, {
      body: { loginUuid, code: authenticatorCode(key, world.clock.now()) },
    })
  expect(await code(redeemTotpOf(other))).toBe('code-wrong')
  expect((await redeemTotpOf(secret)).jwt).toMatch(/^ey/)
})

test('4.5 removing the last factor ends the second step', async () => {
  const { world, browser, owner } = await signedIn()
  await using _ = world
  await setTotpUp(world, browser)
  const alias = await addPhone(world, browser)
  await browser.call(setEmailFactor, { body: { enabled: true } })
  expect((await begin(world.browser(), owner)).aliases).toHaveLength(3)

  await browser.call(removeTotp, {})
  await browser.call(removePhone, { body: { alias } })
  await browser.call(setEmailFactor, { body: { enabled: false } })
  expect(await world.browser().signIn(owner)).toEqual({ jwt: expect.any(String) })
  expect((await browser.call(readIdentity, {})).identity.twoFactorEnabled).toBe(false)
  expect(await noticeCount(world, owner)).toBe(6)
  // Removing it again succeeds silently.
  await browser.call(removeTotp, {})
  await browser.call(removePhone, { body: { alias } })
  await browser.call(setEmailFactor, { body: { enabled: false } })
  expect(await noticeCount(world, owner)).toBe(6)
})

test('5 a phone is added with the code it was sent, and with no other', async () => {
  const { world, browser, owner } = await signedIn()
  await using _ = world
  expect(await code(browser.call(beginPhone, { body: { phone: '911' } }))).toBe('phone-invalid')
  const { alias } = await browser.call(beginPhone, { body: { phone: '201 555 0187' } })
  const token = await textTo(world, PHONE)
  const confirm = (body: { alias: string; token: string }) => browser.call(confirmPhone, { body })
  expect(await code(confirm({ alias, token: otherThan(token) }))).toBe('code-wrong')
  expect(await code(confirm({ alias: UNKNOWN, token }))).toBe('code-wrong')
  expect((await browser.call(readSecurity, {})).aliases).toHaveLength(1)
  expect((await browser.call(readIdentity, {})).identity.aliases).toHaveLength(1)
  expect(await world.browser().signIn(owner)).toEqual({ jwt: expect.any(String) })

  await confirm({ alias, token })
  expect(await code(confirm({ alias, token }))).toBe('code-used')
  const { aliases } = await browser.call(readSecurity, {})
  expect(aliases.map(({ value }) => value).sort()).toEqual([PHONE, owner.email].sort())

  const { alias: late } = await browser.call(beginPhone, { body: { phone: '201 555 0188' } })
  const lateToken = await textTo(world, '+12015550188')
  world.clock.pass(10 * MINUTE_MS)
  await browser.call(confirmIdentity, { body: { password: PASSWORD } })
  expect(await code(confirm({ alias: late, token: lateToken }))).toBe('code-expired')
})

test('5 another person’s phone can be neither confirmed nor removed', async () => {
  const { world, browser } = await signedIn()
  await using _ = world
  const alias = await addPhone(world, browser)
  const other = world.browser()
  const stranger = newPerson('stranger')
  await other.register(stranger)
  await other.confirmByMail(stranger.email)
  await other.call(removePhone, { body: { alias } })
  expect((await browser.call(readSecurity, {})).aliases).toHaveLength(2)
  const { alias: pending } = await browser.call(beginPhone, { body: { phone: '2015550188' } })
  const token = await textTo(world, '+12015550188')
  const stolen = other.call(confirmPhone, { body: { alias: pending, token } })
  expect(await code(stolen)).toBe('code-wrong')
})

test('4.5 a fourth phone is refused, however it was started', async () => {
  const { world, browser } = await signedIn()
  await using _ = world
  const begin = (last: number) =>
    browser.call(beginPhone, { body: { phone: `201 555 010${last}` } })
  const confirm = async (alias: string, last: number) =>
    browser.call(confirmPhone, {
      body: { alias, token: await textTo(world, `+1201555010${last}`) },
    })
  for (const last of [1, 2]) await confirm((await begin(last)).alias, last)
  const { alias } = await begin(3)
  const email = (await browser.call(readIdentity, {})).identity.aliases[0]?.value ?? ''
  const { id: identityId = '' } = (await world.server.stores.identities.findByEmail(email)) ?? {}
  const at = world.clock.now()
  const third = { identityId, type: 'Phone', value: '+12015550104', verifiedAt: at, at } as const
  const other = await world.server.stores.identities.insertAlias(third)
  expect(await code(confirm(alias, 3))).toBe('too-many-factors')
  world.clock.pass(11 * MINUTE_MS)
  await browser.call(confirmIdentity, { body: { password: PASSWORD } })
  expect(await code(begin(5))).toBe('too-many-factors')
  await browser.call(removePhone, { body: { alias: other } })
  await confirm((await begin(5)).alias, 5)
  const { aliases } = await browser.call(readSecurity, {})
  expect(aliases.filter(({ type }) => type === 'Phone')).toHaveLength(3)
})

test('4.5 recovery questions: three different ones from the list, with different answers of at least three characters', async () => {
  const { world, browser, owner } = await signedIn()
  await using _ = world
  const catalog = await browser.call(readQuestionCatalog, {})
  expect(catalog).toHaveLength(12)
  expect(new Set(catalog.map(({ question }) => question)).size).toBe(12)
  const [one = '', two = '', three = '', four = ''] = catalog.map(({ uuid }) => uuid)
  const set = (...answers: [string, string][]) =>
    browser.call(setQuestions, {
      body: {
        answers: answers.map(([securityQuestionUuid, answer]) => ({
          securityQuestionUuid,
          answer,
        })),
      },
    })
  for (const unsuitable of [
    () => set([one, 'Rex']),
    () => set([one, 'Rex'], [two, 'Delft'], [two, 'Leiden']),
    () => set([one, 'Rex'], [two, 'Delft'], [UNKNOWN, 'Leiden']),
    () => set([one, 'Rex'], [two, 'Delft'], [three, 'o. !']),
    () => set([one, 'Rex'], [two, 'Delft'], [three, ' DELFT.']),
    () => set([one, 'Rex'], [two, 'Delft'], [three, 'Leiden'], [four, 'Saab']),
  ]) {
    expect(await code(unsuitable())).toBe('questions-unsuitable')
  }
  await set([three, 'Rex'], [one, 'Delft'], [two, 'Leiden'])
  expect((await browser.call(readSecurity, {})).questions.map(({ uuid }) => uuid)).toEqual([
    three,
    one,
    two,
  ])
  await setTotpUp(world, browser)
  const { loginUuid } = await begin(world.browser(), owner)
  const [asked] = await world.browser().call(retrieveQuestions, { body: { loginUuid } })
  const answerByQuestion = new Map([
    [three, 'rex'],
    [one, 'delft'],
    [two, 'leiden'],
  ])
  const drawn = asked?.uuid ?? ''
  const answers = [{ securityQuestionUuid: drawn, answer: answerByQuestion.get(drawn) ?? '' }]
  const response = await world.browser().call(answerQuestion, { body: { loginUuid, answers } })
  expect(response.jwt).toMatch(/^ey/)
  const stored = await world.query('select answer_hash from security_answers')
  expect(JSON.stringify(stored)).not.toMatch(/rex|leiden/i)

  await set()
  expect((await browser.call(readSecurity, {})).questions).toEqual([])
})

test('4.5 ten recovery codes are shown once; new ones end the earlier ones', async () => {
  const { world, browser, owner } = await signedIn()
  await using _ = world
  await setTotpUp(world, browser)
  const { codes: earlier } = await browser.call(makeRecoveryCodes, {})
  const { codes } = await browser.call(makeRecoveryCodes, {})
  expect(new Set([...earlier, ...codes]).size).toBe(20)
  const options = await begin(world.browser(), owner)
  expect(options.recoveryCodesEnabled).toBe(true)
  const { loginUuid } = options
  const use = (recoveryCode = '') =>
    world.browser().call(redeemRecoveryCode, { body: { loginUuid, code: recoveryCode } })
  expect(await code(use(earlier[0]))).toBe('code-wrong')
  expect((await use(codes[0])).jwt).toMatch(/^ey/)
  expect((await browser.call(readSecurity, {})).recoveryCodesLeft).toBe(9)
  const stored = JSON.stringify(await world.query('select code_hash from recovery_codes'))
  for (const each of codes) expect(stored).not.toContain(each)
})

test('8 every change requires a confirmation, however recent the sign-in is', async () => {
  const { world, browser, owner } = await signedIn()
  await using _ = world
  await browser.signIn(owner)
  expect((await browser.call(readSecurity, {})).confirmed).toBe(false)
  const changes = [
    () => browser.call(beginTotp, {}),
    () => browser.call(confirmTotp, { body: { code: '123456' } }),
    () => browser.call(removeTotp, {}),
    () => browser.call(setEmailFactor, { body: { enabled: true } }),
    () => browser.call(beginPhone, { body: { phone: PHONE } }),
    () => browser.call(confirmPhone, { body: { alias: UNKNOWN, token: '123456' } }),
    () => browser.call(removePhone, { body: { alias: UNKNOWN } }),
    () => browser.call(setQuestions, { body: { answers: [] } }),
    () => browser.call(makeRecoveryCodes, {}),
    () => browser.call(beginEmailChange, { body: { email: newPerson().email } }),
    () => browser.call(confirmEmailChange, { body: EMAIL_CODES }),
    () => browser.call(exportAccountData, {}),
    () => browser.call(deleteOwnAccount, { body: { email: owner.email } }),
    () => browser.call(endSessions, { body: { which: 'others' } }),
    () => browser.call(endSessions, { body: { uuid: UNKNOWN } }),
  ]
  for (const change of changes) {
    expect(await refusal(change())).toMatchObject({ status: 403, code: 'confirmation-needed' })
  }
  expect(await code(browser.call(setPassword, { body: { newPassword: OTHER_PASSWORD } }))).toBe(
    'sign-in-too-old',
  )
  expect(await noticeCount(world, owner)).toBe(0)
  expect(browser.jwt.read()).toBeDefined()

  await browser.call(confirmIdentity, { body: { password: owner.password } })
  expect((await browser.call(readSecurity, {})).confirmed).toBe(true)
  await browser.call(setEmailFactor, { body: { enabled: true } })
  await browser.call(setPassword, { body: { newPassword: OTHER_PASSWORD } })
  world.clock.pass(5 * MINUTE_MS)
  expect(await code(browser.call(makeRecoveryCodes, {}))).toBe('confirmation-needed')
})

test('8 a new password requires a fresh proof, even if the current one is missing or expired', async () => {
  await using world = await aWorld()
  const set = (from: Browser) => from.call(setPassword, { body: { newPassword: OTHER_PASSWORD } })
  const [none, expired] = [world.browser(), world.browser()]
  await none.signInByPasscode(PEOPLE.passwordless.email)
  await expired.signIn(PEOPLE.expired)
  world.clock.pass(5 * MINUTE_MS)
  expect(await refusal(set(none))).toMatchObject({ status: 403, code: 'sign-in-too-old' })
  expect(await refusal(set(expired))).toMatchObject({ status: 403, code: 'sign-in-too-old' })

  // A mailed code is a proof as well as the current password.
  await none.confirmByMail(PEOPLE.passwordless.email)
  await set(none)
  await expired.confirmByMail(PEOPLE.expired.email)
  await set(expired)
})

test('8 a new password requires the current one or another proof, however recent the sign-in is', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const { email, password, secret } = PEOPLE.totp
  const { loginUuid } = await begin(browser, { email, password })
  const totp = () => authenticatorCode(secret, world.clock.now())
  browser.jwt.write((await browser.call(redeemTotp, { body: { loginUuid, code: totp() } })).jwt)
  world.clock.pass(MINUTE_MS)
  const set = () => browser.call(setPassword, { body: { newPassword: OTHER_PASSWORD } })
  expect(await code(set())).toBe('sign-in-too-old')
  await browser.call(confirmIdentity, { body: { totp: totp() } })
  await set()
  // The new one does not confirm the session that set it.
  const confirm = browser.call(confirmIdentity, { body: { password: OTHER_PASSWORD } })
  expect(await code(confirm)).toBe('factor-too-new')
})

test('4.4 a new password differs from the current one, even if that has expired', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  await browser.signIn(PEOPLE.expired)
  const set = (newPassword: string) => browser.call(setPassword, { body: { newPassword } })
  expect(await refusal(set(PEOPLE.expired.password))).toMatchObject({
    status: 400,
    code: 'password-unchanged',
  })
  expect((await browser.call(readIdentity, {})).passwordExpired).toBe(true)
  await set(OTHER_PASSWORD)
  // The login no longer asks for one.
  expect(await code(set(OTHER_PASSWORD))).toBe('sign-in-too-old')
  await browser.confirmByMail(PEOPLE.expired.email)
  expect(await code(set(OTHER_PASSWORD))).toBe('password-unchanged')
})

test('8 a confirmation by mailed passcode works with its own code, once, and only in its session', async () => {
  const { world, browser, owner } = await signedIn()
  await using _ = world
  world.clock.pass(6 * MINUTE_MS)
  const { loginUuid } = await browser.call(sendConfirmation, {})
  const token = await world.passcode(owner.email)
  const confirm = (body: { loginUuid: string; token: string }, from = browser) =>
    from.call(confirmIdentity, { body })

  // It cannot sign in, and does not work in another session of the same person.
  const signIn = world.browser().call(redeemToken, { body: { loginUuid, token } })
  expect(await code(signIn)).toBe('code-wrong')
  const other = world.browser()
  await other.signIn(owner)
  expect(await code(confirm({ loginUuid, token }, other))).toBe('code-wrong')
  expect(await code(confirm({ loginUuid, token: otherThan(token) }))).toBe('code-wrong')
  expect(await code(confirm({ loginUuid: UNKNOWN, token }))).toBe('code-wrong')

  await confirm({ loginUuid, token })
  expect((await browser.call(readSecurity, {})).confirmed).toBe(true)
  expect(await code(confirm({ loginUuid, token }))).toBe('code-used')

  const late = await browser.call(sendConfirmation, {})
  const lateToken = await world.passcode(owner.email)
  world.clock.pass(10 * MINUTE_MS)
  expect(await code(confirm({ loginUuid: late.loginUuid, token: lateToken }))).toBe('code-expired')
})

test('8 wrong passwords at a confirmation and at the login share one count, so a stolen session gives no extra attempts', async () => {
  const { world, browser, owner } = await signedIn()
  await using _ = world
  const confirm = (password: string) => browser.call(confirmIdentity, { body: { password } })
  for (let each = 0; each < 5; each += 1) {
    expect(await code(confirm('wrong'))).toBe('wrong-password')
    const atLogin = browser.call(login, { body: { email: owner.email, password: 'wrong' } })
    expect(await code(atLogin)).toBe('wrong-credentials')
  }
  expect(await code(confirm(PASSWORD))).toBe('too-many-requests')
  expect(await code(browser.signIn(owner))).toBe('too-many-requests')
})

test('8 a confirmation by authenticator code accepts each step once', async () => {
  const { world, browser, owner } = await signedIn()
  await using _ = world
  const none = browser.call(confirmIdentity, { body: { totp: '123456' } })
  expect(await code(none)).toBe('code-wrong')
  const secret = await setTotpUp(world, browser)
  world.clock.pass(6 * MINUTE_MS)
  const { loginUuid } = await begin(browser, owner)
  const body = { loginUuid, code: authenticatorCode(secret, world.clock.now()) }
  browser.jwt.write((await browser.call(redeemTotp, { body })).jwt)
  world.clock.pass(MINUTE_MS)
  const shown = authenticatorCode(secret, world.clock.now())
  const confirm = (totp: string) => browser.call(confirmIdentity, { body: { totp } })
  expect(await code(confirm(otherThan(shown)))).toBe('code-wrong')
  await confirm(shown)
  expect(await code(confirm(shown))).toBe('code-used')
  expect((await browser.call(readSecurity, {})).confirmed).toBe(true)
})

test('8 attempts and sends of a confirmation count with all others', async () => {
  const { world, browser, owner } = await signedIn()
  await using _ = world
  for (let each = 0; each < 10; each += 1) {
    const wrong = browser.call(confirmIdentity, { body: { password: 'not the password' } })
    expect(await code(wrong)).toBe('wrong-password')
  }
  const right = browser.call(confirmIdentity, { body: { password: owner.password } })
  expect((await refusal(right)).status).toBe(429)
  expect((await refusal(browser.signIn(owner))).status).toBe(429)
  for (let each = 0; each < 5; each += 1) await browser.call(sendConfirmation, {})
  expect((await refusal(browser.call(sendConfirmation, {}))).status).toBe(429)
})

test('8 a session in another browser is listed and ended; another person’s is not', async () => {
  const { world, browser, owner } = await signedIn()
  await using _ = world
  const other = world.browser({
    headers: {
      'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36',
    },
  })
  await other.signIn(owner)
  const { sessions } = await browser.call(readSecurity, {})
  expect(sessions.map(({ device, current }) => [device, current])).toEqual([
    ['Chrome on Windows', false],
    ['Unknown device', true],
  ])
  const stranger = world.browser()
  const person = newPerson('stranger')
  await stranger.register(person)
  await stranger.confirmByMail(person.email)
  const [target] = sessions
  const uuid = target?.uuid ?? ''
  await stranger.call(endSessions, { body: { uuid } })
  expect((await other.call(readSecurity, {})).sessions).toHaveLength(2)

  await browser.call(endSessions, { body: { uuid } })
  expect((await refusal(other.call(readSecurity, {}))).status).toBe(401)
  expect((await browser.call(readSecurity, {})).sessions).toHaveLength(1)
})

test('8 all other sessions end, or all of them with their cookies; remembered browsers need the second step again', async () => {
  const { world, browser, owner } = await signedIn()
  await using _ = world
  const secret = await setTotpUp(world, browser)
  world.clock.pass(2 * MINUTE_MS)
  const other = world.browser()
  const { loginUuid } = await begin(other, owner)
  const shown = authenticatorCode(secret, world.clock.now())
  const body = { loginUuid, code: shown, rememberDevice: true }
  other.jwt.write((await other.call(redeemTotp, { body })).jwt)
  await other.signIn(owner)

  await browser.call(endSessions, { body: { which: 'others' } })
  expect((await refusal(other.call(readSecurity, {}))).status).toBe(401)
  await begin(other, owner)
  expect((await browser.call(readSecurity, {})).sessions).toHaveLength(1)

  await browser.call(endSessions, { body: { which: 'all' } })
  expect(browser.cookies.has('portico-session')).toBe(false)
  expect([401, 403]).toContain((await refusal(browser.call(readSecurity, {}))).status)
})

test('9 changes are recorded as security events, the newest first, twenty at most', async () => {
  const { world, browser } = await signedIn()
  await using _ = world
  for (let each = 0; each < 12; each += 1) {
    await browser.call(setEmailFactor, { body: { enabled: true } })
    await browser.call(setEmailFactor, { body: { enabled: false } })
  }
  const { events } = await browser.call(readSecurity, {})
  expect(events).toHaveLength(20)
  expect(events[0]?.kind).toBe('email-factor-off')
  expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).sort((a, b) => b - a))
})

test('9 wrong attempts of others at a passcode are among the owner’s events', async () => {
  const { world, browser, owner } = await signedIn()
  await using _ = world
  const { email } = owner
  const stranger = world.browser()
  const { uuid: loginUuid } = await stranger.call(sendToken, { body: { email } })
  const right = await world.passcode(email)
  const token = right === '000000' ? '000001' : '000000'
  expect(await code(stranger.call(redeemToken, { body: { loginUuid, token } }))).toBe('code-wrong')
  const { events } = await browser.call(readSecurity, {})
  expect(events[0]?.kind).toBe('passcode-refused')
})

test('9 the mail about a first password has its own text', async () => {
  await using world = await aWorld()
  const owner = newPerson('new')
  await world.browser().register(owner)
  const [mail] = await world.mail(owner.email)
  expect(mail?.subject).toBe('Welcome to Figure')
  expect(mail?.text).not.toContain('logged out')
})

test('3 a password with control characters is refused', async () => {
  const { world, browser, owner } = await signedIn()
  await using _ = world
  for (const unseen of ['\u0000', '\u0007', '\n']) {
    const newPassword = `${OTHER_PASSWORD}${unseen}`
    expect(await code(browser.call(setPassword, { body: { newPassword } }))).toBe('invalid-request')
    const { email } = owner
    const attempt = world.browser().call(login, { body: { email, password: `a${unseen}` } })
    expect(await code(attempt)).toBe('invalid-request')
  }
})
