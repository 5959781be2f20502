import {
  addPasskey,
  beginPasskey,
  confirmIdentity,
  readPasskeyConfirmation,
  readSecurity,
  removePasskey,
  renamePasskey,
  setEmailFactor,
} from '@portico/contracts/account-security'
import { lockHostedWallet, readHostedAccounts } from '@portico/contracts/hosted-wallet'
import { login, readIdentity } from '@portico/contracts/identity'
import {
  passkeyLogin,
  readPasskeyLogin,
  readPasskeySecondFactor,
  redeemPasskeySecondFactor,
} from '@portico/contracts/two-factor'
import { expect, test } from 'vitest'
import type { Browser, Credentials } from '../support/browser.ts'
import { passkeyDevice } from '../support/passkey-device.ts'
import { PEOPLE } from '../support/people.ts'
import { outcomes } from '../support/race.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { aWorld, newPerson, refusal } from '../support/world.ts'

const MINUTE_MS = 60_000
const UNKNOWN = '6d1f2c0e-8f5c-4b55-9d3b-0d6a3a3d7a10'

const code = async (call: Promise<unknown>) => (await refusal(call)).code

type Device = ReturnType<typeof passkeyDevice>

async function signedIn() {
  const owner = newPerson('keyed')
  const world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
  await browser.confirm(owner)
  return { world, browser, owner }
}

async function addTo(browser: Browser, device: Device, name = 'My laptop'): Promise<void> {
  const { challengeUuid, options } = await browser.call(beginPasskey, {})
  await browser.call(addPasskey, {
    body: { challengeUuid, name, response: device.make(options) },
  })
}

async function signInWith(browser: Browser, device: Device, wrong = {}) {
  const { challengeUuid, options } = await browser.call(readPasskeyLogin, { body: {} })
  const response = device.sign(options, wrong)
  return browser.call(passkeyLogin, { body: { challengeUuid, response } })
}

async function begin(browser: Browser, { email, password }: Credentials) {
  const { twoFactorOptions } = await browser.call(login, { body: { email, password } })
  if (twoFactorOptions === undefined) throw new Error('No second factor is required')
  return twoFactorOptions
}

test('4.5 a passkey is created, named, listed, used to sign in, and removed', {
  tags: 'database',
}, async () => {
  const { world, browser, owner } = await signedIn()
  await using _ = world
  const device = passkeyDevice({ origin: world.origin })
  const { challengeUuid, options } = await browser.call(beginPasskey, {})
  expect(options).toMatchObject({
    rp: { name: 'Figure', id: '127.0.0.1' },
    user: { name: owner.email },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  const response = device.make(options)
  await browser.call(addPasskey, { body: { challengeUuid, name: 'My laptop', response } })
  const [passkey] = (await browser.call(readSecurity, {})).passkeys
  expect(passkey).toMatchObject({ name: 'My laptop', lastUsedAt: null })
  const uuid = passkey?.uuid ?? ''

  const other = world.browser()
  const challenge = await other.call(readPasskeyLogin, { body: {} })
  expect(challenge.options).toMatchObject({ rpId: '127.0.0.1', userVerification: 'required' })
  expect(challenge.options['allowCredentials'] ?? []).toEqual([])
  const { jwt = '' } = await signInWith(other, device)
  other.jwt.write(jwt)
  expect((await other.call(readIdentity, {})).identity.aliases[0]?.value).toBe(owner.email)
  const { sessions } = await other.call(readSecurity, {})
  expect(sessions.find(({ current }) => current)?.method).toBe('passkey')
  expect((await other.fetch('/dashboard')).status).toBe(200)

  await browser.call(renamePasskey, { body: { uuid, name: 'Old laptop' } })
  const [renamed] = (await browser.call(readSecurity, {})).passkeys
  expect(renamed).toMatchObject({ name: 'Old laptop', lastUsedAt: expect.any(Number) })
  await browser.call(removePasskey, { body: { uuid } })
  expect((await browser.call(readSecurity, {})).passkeys).toEqual([])
  expect(await code(signInWith(world.browser(), device))).toBe('passkey-refused')
  const mailText = (await world.mail(owner.email)).map(({ text }) => text).join()
  expect(mailText).toContain('a passkey was added.')
  expect(mailText).toContain('a passkey was removed.')
})

test('9 a passkey of another origin, domain or key, or without its owner, is refused', async () => {
  const { world, browser } = await signedIn()
  await using _ = world
  const device = passkeyDevice({ origin: world.origin })
  await addTo(browser, device)
  for (const wrong of [
    { origin: 'https://evil.example' },
    { domain: 'evil.example' },
    { userVerified: false },
    { challenge: 'AAAA' },
    { framed: true },
  ]) {
    expect(await code(signInWith(world.browser(), device, wrong))).toBe('passkey-refused')
    const { challengeUuid, options } = await browser.call(beginPasskey, {})
    const response = passkeyDevice({ origin: world.origin }).make(options, wrong)
    const add = browser.call(addPasskey, { body: { challengeUuid, name: 'x', response } })
    expect(await code(add), JSON.stringify(wrong)).toBe('passkey-refused')
  }
  expect(await code(signInWith(world.browser(), passkeyDevice({ origin: world.origin })))).toBe(
    'passkey-refused',
  )
  for (const response of [{}, { id: 7 }, { id: '../', response: null }, { id: 'x'.repeat(9000) }]) {
    const body = { challengeUuid: UNKNOWN, response }
    expect(await code(world.browser().call(passkeyLogin, { body }))).toBe('passkey-refused')
    const add = browser.call(addPasskey, { body: { ...body, name: 'x' } })
    expect(await code(add)).toBe('passkey-refused')
  }
})

test('9 a challenge works once, for a short time, and only for its purpose', async () => {
  const { world, browser } = await signedIn()
  await using _ = world
  const device = passkeyDevice({ origin: world.origin })
  await addTo(browser, device)
  const { challengeUuid, options } = await browser.call(readPasskeyLogin, { body: {} })
  const other = await browser.call(readPasskeyLogin, { body: {} })
  const response = device.sign(options)
  const signIn = (uuid: string) =>
    world.browser().call(passkeyLogin, { body: { challengeUuid: uuid, response } })
  expect(await code(signIn(other.challengeUuid))).toBe('passkey-refused')
  expect((await signIn(challengeUuid)).jwt).toMatch(/^ey/)
  expect(await code(signIn(challengeUuid))).toBe('passkey-refused')

  const late = await browser.call(readPasskeyLogin, { body: {} })
  world.clock.pass(5 * MINUTE_MS)
  const body = { challengeUuid: late.challengeUuid, response: device.sign(late.options) }
  expect(await code(world.browser().call(passkeyLogin, { body }))).toBe('passkey-refused')
})

test('9 a counter that does not grow reveals a copied key', async () => {
  const { world, browser } = await signedIn()
  await using _ = world
  const device = passkeyDevice({ origin: world.origin, counter: 5 })
  await addTo(browser, device)
  expect((await signInWith(world.browser(), device)).jwt).toMatch(/^ey/)
  device.rewind(5)
  expect(await code(signInWith(world.browser(), device))).toBe('passkey-refused')
  expect((await signInWith(world.browser(), device)).jwt).toMatch(/^ey/)
})

test('6 the passkey of a locked account is refused with the reason', async () => {
  const { world, browser, owner } = await signedIn()
  await using _ = world
  const device = passkeyDevice({ origin: world.origin })
  await addTo(browser, device)
  await world.lock(owner.email)
  expect(await signInWith(world.browser(), device)).toEqual({ isAccountManuallyLocked: true })
})

test('4.5 an eleventh passkey is refused, even when added simultaneously', {
  tags: 'database',
}, async () => {
  const { world, browser } = await signedIn()
  await using _ = world
  const device = () => passkeyDevice({ origin: world.origin })
  for (let each = 0; each < 8; each += 1) await addTo(browser, device())
  const ends = await outcomes(Array.from({ length: 6 }, () => addTo(browser, device())))
  expect(ends).toEqual({ answered: 2, 'too-many-factors': 4 })
  expect(await code(browser.call(beginPasskey, {}))).toBe('too-many-factors')
  const { passkeys } = await browser.call(readSecurity, {})
  expect(passkeys).toHaveLength(10)
  await browser.call(removePasskey, { body: { uuid: passkeys[0]?.uuid ?? '' } })
  await addTo(browser, device())
})

test('4.5 a passkey alone does not require a second step, and is offered when one is required', async () => {
  const { world, browser, owner } = await signedIn()
  await using _ = world
  const device = passkeyDevice({ origin: world.origin })
  await addTo(browser, device)
  expect(await world.browser().signIn(owner)).toEqual({ jwt: expect.any(String) })

  const identity = await world.server.stores.identities.findByEmail(owner.email)
  await world.server.stores.identities.updateEmailFactor(identity?.id ?? '', world.clock.now())
  const other = world.browser()
  const options = await begin(other, owner)
  expect(options.passkeyEnabled).toBe(true)
  const { loginUuid } = options
  const challenge = await other.call(readPasskeySecondFactor, { body: { loginUuid } })
  expect(challenge.options['allowCredentials']).toHaveLength(1)
  const response = device.sign(challenge.options)
  const body = { loginUuid, response, rememberDevice: true }
  other.jwt.write((await other.call(redeemPasskeySecondFactor, { body })).jwt)
  expect((await other.call(readIdentity, {})).identity.twoFactorEnabled).toBe(true)
  expect(await other.signIn(owner)).toEqual({ jwt: expect.any(String) })

  // A passkey alone counts as both factors.
  expect((await signInWith(world.browser(), device)).jwt).toMatch(/^ey/)
})

test('4.5 the second step refuses another person’s passkey', async () => {
  const { world, browser } = await signedIn()
  await using _ = world
  const device = passkeyDevice({ origin: world.origin })
  await addTo(browser, device)
  const other = world.browser()
  const { loginUuid } = await begin(other, PEOPLE.totp)
  const none = other.call(readPasskeySecondFactor, { body: { loginUuid } })
  expect(await code(none)).toBe('method-not-available')
  const { options } = await browser.call(readPasskeyLogin, { body: {} })
  const body = { loginUuid, response: device.sign(options) }
  expect(await code(other.call(redeemPasskeySecondFactor, { body }))).toBe('method-not-available')
  const unknownLogin = { loginUuid: UNKNOWN, response: body.response }
  for (const call of [
    () => other.call(readPasskeySecondFactor, { body: { loginUuid: UNKNOWN } }),
    () => other.call(redeemPasskeySecondFactor, { body: unknownLogin }),
  ]) {
    expect(await code(call())).toBe('first-factor-expired')
  }

  // Another person's passkey does not open the account.
  const stranger = newPerson('stranger')
  const theirs = world.browser()
  await theirs.register(stranger)
  await theirs.confirmByMail(stranger.email)
  await addTo(theirs, passkeyDevice({ origin: world.origin }))
  const identity = await world.server.stores.identities.findByEmail(stranger.email)
  await world.server.stores.identities.updateEmailFactor(identity?.id ?? '', world.clock.now())
  const waiting = await begin(other, stranger)
  const challenge = await other.call(readPasskeySecondFactor, {
    body: { loginUuid: waiting.loginUuid },
  })
  const stolen = { loginUuid: waiting.loginUuid, response: device.sign(challenge.options) }
  expect(await code(other.call(redeemPasskeySecondFactor, { body: stolen }))).toBe(
    'passkey-refused',
  )
})

test('8 a passkey is added and removed only soon after a confirmation, and only by its owner', async () => {
  const { world, browser } = await signedIn()
  await using _ = world
  const device = passkeyDevice({ origin: world.origin })
  await addTo(browser, device)
  const registration = await browser.call(beginPasskey, {})
  const [passkey] = (await browser.call(readSecurity, {})).passkeys
  const uuid = passkey?.uuid ?? ''
  const stranger = world.browser()
  const person = newPerson('stranger')
  await stranger.register(person)
  await stranger.confirmByMail(person.email)
  await stranger.call(renamePasskey, { body: { uuid, name: 'Stolen' } })
  await stranger.call(removePasskey, { body: { uuid } })
  expect((await browser.call(readSecurity, {})).passkeys).toEqual([passkey])

  // A passkey cannot be registered twice, or with another session's challenge.
  const { challengeUuid, options } = await stranger.call(beginPasskey, {})
  const twice = { challengeUuid, name: 'x', response: device.make(options) }
  expect(await code(stranger.call(addPasskey, { body: twice }))).toBe('passkey-refused')
  const foreign = passkeyDevice({ origin: world.origin }).make(registration.options)
  const crossed = { challengeUuid: registration.challengeUuid, name: 'x', response: foreign }
  expect(await code(stranger.call(addPasskey, { body: crossed }))).toBe('passkey-refused')

  world.clock.pass(5 * MINUTE_MS)
  const response = device.make(registration.options)
  for (const call of [
    () => browser.call(beginPasskey, {}),
    () => browser.call(addPasskey, { body: { ...crossed, response } }),
    () => browser.call(removePasskey, { body: { uuid } }),
  ]) {
    expect(await code(call())).toBe('confirmation-needed')
  }
})

/** A device's response to a confirmation request in a browser's session. */
async function proof(browser: Browser, device: Device, wrong = {}) {
  const { options } = await browser.call(readPasskeyConfirmation, {})
  return device.sign(options, wrong)
}

const confirm = (browser: Browser, passkey: Record<string, unknown>) =>
  browser.call(confirmIdentity, { body: { passkey } })

test('8 a passkey confirms a change, for five minutes, and opens a locked wallet', async () => {
  const { world, browser, owner } = await signedIn()
  await using _ = world
  expect(await code(browser.call(readPasskeyConfirmation, {}))).toBe('method-not-available')
  const device = passkeyDevice({ origin: world.origin, counter: 5 })
  await addTo(browser, device)
  // The passkey does not confirm the session that added it.
  expect(await code(confirm(browser, await proof(browser, device)))).toBe('factor-too-new')
  await browser.signIn(owner)
  await browser.call(lockHostedWallet, {})
  const change = () => browser.call(setEmailFactor, { body: { enabled: true } })
  expect(await code(change())).toBe('confirmation-needed')
  expect(await code(browser.call(readHostedAccounts, {}))).toBe('wallet-locked')

  const { options } = await browser.call(readPasskeyConfirmation, {})
  expect(options).toMatchObject({ rpId: '127.0.0.1', userVerification: 'required' })
  expect(options['allowCredentials']).toHaveLength(1)
  await confirm(browser, device.sign(options))
  await change()
  expect(await browser.call(readHostedAccounts, {})).toEqual([])
  const { events, passkeys } = await browser.call(readSecurity, {})
  expect(events.map(({ kind }) => kind)).toContain('confirmed')
  expect(passkeys[0]?.lastUsedAt).toEqual(expect.any(Number))
  world.clock.pass(6 * MINUTE_MS)
  expect((await browser.call(readSecurity, {})).confirmed).toBe(false)
})

test('8 a passkey confirms only for its owner, with user verification, in the requesting session, for a short time', async () => {
  const { world, browser, owner } = await signedIn()
  await using _ = world
  const device = passkeyDevice({ origin: world.origin, counter: 5 })
  await addTo(browser, device)
  const stranger = world.browser()
  const person = newPerson('stranger')
  await stranger.register(person)
  await stranger.confirmByMail(person.email)
  const theirs = passkeyDevice({ origin: world.origin })
  await addTo(stranger, theirs)
  await browser.signIn(owner)
  const other = world.browser()
  await other.signIn(owner)

  const late = await proof(browser, device)
  world.clock.pass(5 * MINUTE_MS)
  const signIn = await other.call(readPasskeyLogin, { body: {} })
  const refused = [
    late,
    await proof(browser, device, { origin: 'https://evil.example' }),
    await proof(browser, device, { domain: 'evil.example' }),
    await proof(browser, device, { challenge: 'AAAA' }),
    await proof(browser, device, { framed: true }),
    await proof(browser, device, { userVerified: false }),
    await proof(browser, theirs),
    await proof(other, device),
    device.sign(signIn.options),
    {},
  ]
  for (const passkey of refused)
    expect(await code(confirm(browser, passkey))).toBe('passkey-refused')
  // A confirmation response cannot sign in either.
  const response = await proof(browser, device)
  const body = { challengeUuid: signIn.challengeUuid, response }
  expect(await code(world.browser().call(passkeyLogin, { body }))).toBe('passkey-refused')
  const { confirmed, events } = await browser.call(readSecurity, {})
  expect(confirmed).toBe(false)
  expect(events.filter(({ kind }) => kind === 'confirmation-refused')).toHaveLength(refused.length)

  await confirm(browser, response)
  expect(await code(confirm(browser, response))).toBe('passkey-refused')
  device.rewind(5)
  expect(await code(confirm(browser, await proof(browser, device)))).toBe('passkey-refused')
})

test('8 exactly one of 50 simultaneous uses of one passkey response confirms, and no attempt is counted', {
  tags: 'database',
}, async () => {
  const owner = newPerson('keyed')
  await using world = await aWorld()
    .withNodes(ON_POSTGRES ? 2 : 1)
    .withSettings({ PUBLIC_URL: 'http://login.lender.example' })
    .withCustomer(owner)
  let calls = 0
  const browser = world.browser({ node: () => world.nodes[calls++ % world.nodes.length] })
  await browser.signIn(owner)
  await browser.confirm(owner)
  // Synced passkeys have no counter, so only the challenge prevents a replay.
  const device = passkeyDevice({ origin: world.origin })
  await addTo(browser, device)
  await browser.signIn(owner)
  for (let each = 0; each < 10; each += 1) {
    const wrong = browser.call(confirmIdentity, { body: { password: 'not the password' } })
    expect(await code(wrong)).toBe('wrong-password')
  }
  const right = browser.call(confirmIdentity, { body: { password: owner.password } })
  expect(await code(right)).toBe('too-many-requests')

  const passkey = await proof(browser, device)
  const ends = await outcomes(Array.from({ length: 50 }, () => confirm(browser, passkey)))
  expect(ends).toEqual({ answered: 1, 'passkey-refused': 49 })
  expect((await browser.call(readSecurity, {})).confirmed).toBe(true)
})
