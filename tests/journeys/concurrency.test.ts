/** @module-tag database */
import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { ApiError } from '@portico/client/api-error'
import {
  beginTotp,
  confirmTotp,
  deleteOwnAccount,
  endSessions,
  setEmailFactor,
} from '@portico/contracts/account-security'
import {
  login,
  readIdentity,
  redeemToken,
  register,
  sendToken,
  setPassword,
} from '@portico/contracts/identity'
import { redeemTotp } from '@portico/contracts/two-factor'
import { expect, test } from 'vitest'
import { plainClient } from '../attacks/support/plain-client.ts'
import { authenticatorCode } from '../support/authenticator.ts'
import type { Browser } from '../support/browser.ts'
import { PEOPLE } from '../support/people.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { aWorld, newPerson, OTHER_PASSWORD, refusal } from '../support/world.ts'

const HOUR_MS = 60 * 60 * 1000
const IDENTITY = '/identity/secure/api/v1/identity'
const RACERS = Array.from({ length: 50 }, (_, index) => index)

/** Counts outcomes by error status, or by value. */
async function outcomes(calls: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const ends = await Promise.all(
    calls.map((call) =>
      call.then(
        () => 'answered',
        (error: unknown) =>
          error instanceof ApiError ? `${error.status} ${error.reason}` : String(error),
      ),
    ),
  )
  return Object.fromEntries(
    [...Map.groupBy(ends, (end) => end)].map(([end, all]) => [end, all.length]),
  )
}

test('4 exactly one of fifty simultaneous redemptions of one code succeeds', async () => {
  const owner = newPerson('raced')
  await using world = await aWorld()
    .withNodes(ON_POSTGRES ? 2 : 1)
    .withCustomer(owner)
  const { uuid } = await world.browser().call(sendToken, { body: { email: owner.email } })
  const token = await world.passcode(owner.email)
  const counts = await outcomes(
    RACERS.map((racer) =>
      world
        .browser({ node: () => world.nodes[racer % world.nodes.length] })
        .call(redeemToken, { body: { loginUuid: uuid, token } }),
    ),
  )
  const {
    answered,
    '400 code-used': used = 0,
    '429 too-many-requests': early = 0,
    ...rest
  } = counts
  expect([answered, used + early, rest]).toEqual([1, 49, {}])
  const sessions = await world.query("select id from sessions where method = 'passcode'")
  // One of them is the customer's, from the registration.
  expect(sessions).toHaveLength(2)
})

test('5 ten of fifty simultaneous wrong attempts are verified, and all are counted', async () => {
  const owner = newPerson('guessed')
  await using world = await aWorld()
    .withNodes(ON_POSTGRES ? 2 : 1)
    .withCustomer(owner)
  const counts = await outcomes(
    RACERS.map((racer) =>
      world
        .browser({ node: () => world.nodes[racer % world.nodes.length] })
        .call(login, { body: { email: owner.email, password: 'wrong' } }),
    ),
  )
  expect(counts).toEqual({ '400 wrong-credentials': 10, '429 too-many-requests': 40 })
  // The network's limit applies first, so refused attempts do not count for the address.
  const countedBy = async (name: 'network' | 'address') =>
    (
      await world.query(`select count as made, refused from attempts where key like '${name} %'`)
    ).map(({ made, refused }) => [Number(made), Number(refused)])
  expect([await countedBy('network'), await countedBy('address')]).toEqual([[[10, 40]], [[10, 0]]])
})

test('5 five of fifty simultaneous sends to one recipient are made', async () => {
  const owner = newPerson('flooded')
  await using world = await aWorld().withCustomer(owner)
  // A lockout link for the owner may be mailed in addition.
  const codes = async () =>
    (await world.mail(owner.email)).filter(({ text }) => /^\d{6}$/m.test(text)).length
  const before = await codes()
  const counts = await outcomes(
    RACERS.map(() => world.browser().call(sendToken, { body: { email: owner.email } })),
  )
  expect(counts).toEqual({ answered: 5, '429 too-many-requests': 45 })
  expect(await codes()).toBe(before + 5)
})

test('5 fifty simultaneous registrations of one address create one identity', async () => {
  await using world = await aWorld()
  const { email } = newPerson('wanted')
  expect(
    await outcomes(RACERS.map(() => world.browser().call(register, { body: { email } }))),
  ).toEqual({ answered: 50 })
  const tickets = []
  for (let each = 0; each < 5; each += 1) {
    const { uuid } = await world.browser().call(sendToken, { body: { email } })
    tickets.push({ loginUuid: uuid, token: await world.passcode(email) })
  }
  expect(
    await outcomes(tickets.map((body) => world.browser().call(redeemToken, { body }))),
  ).toEqual({ answered: 5 })
  expect(await world.query(`select id from identities where email = '${email}'`)).toHaveLength(1)
  expect(await world.query(`select id from aliases where value = '${email}'`)).toHaveLength(1)
})

test('5 the codes of a new address, redeemed moments apart, are all answered', async () => {
  await using world = await aWorld()
  for (const round of RACERS.slice(0, 8)) {
    const { email } = newPerson(`raced-${round}`)
    await world.browser().call(register, { body: { email } })
    const codes = []
    for (let each = 0; each < 5; each += 1) {
      const { uuid } = await world.browser().call(sendToken, { body: { email } })
      codes.push({ loginUuid: uuid, token: await world.passcode(email) })
    }
    // A redemption that begins just after the first one created the identity must not wait for one that began just before.
    const redemptions = codes.map(async (body, index) => {
      await wait(index * (2 + round))
      return world.browser().call(redeemToken, { body })
    })
    expect(await outcomes(redemptions)).toEqual({ answered: 5 })
  }
})

test('11 nodes that start together agree, and a session opened on one works and ends on all', async () => {
  const owner = newPerson('traveling')
  // The embedded database allows only one node.
  await using world = await aWorld()
    .withNodes(ON_POSTGRES ? 4 : 1)
    .withCustomer(owner)
  const keys = await Promise.all(
    world.nodes.map(async ({ url }) => (await fetch(`${url}/.well-known/jwks.json`)).text()),
  )
  expect(new Set(keys).size).toBe(1)
  expect(await world.query('select id from signing_keys')).toHaveLength(1)

  let [here] = world.nodes
  const browser = world.browser({ node: () => here })
  await browser.signIn(owner)
  for (const node of world.nodes) {
    here = node
    expect((await browser.call(readIdentity, {})).passwordExpired).toBe(false)
  }
  const token = browser.jwt.read() ?? ''
  const cookie = browser.cookies.get('portico-session') ?? ''
  await browser.logOut()
  for (const node of world.nodes) {
    const holder = world.browser({ node: () => node })
    holder.jwt.write(token)
    holder.cookies.set('portico-session', cookie)
    expect((await refusal(holder.call(readIdentity, {}))).status).toBe(401)
  }
})

test('5 a sign-in in progress does not survive a password change', async () => {
  const owner = newPerson('hurried')
  await using world = await aWorld()
    .withNodes(ON_POSTGRES ? 2 : 1)
    .withCustomer(owner)
  const onNode = (racer: number) =>
    world.browser({ node: () => world.nodes[racer % world.nodes.length] })
  const [own, byCode] = [onNode(0), onNode(1)]
  const byPassword = RACERS.slice(0, 9).map(onNode)
  await own.signIn(owner)
  await own.confirm(owner)
  const { uuid } = await byCode.call(sendToken, { body: { email: owner.email } })
  const token = await world.passcode(owner.email)
  // The change commits while the passwords are being verified.
  await outcomes([
    own.call(setPassword, { body: { newPassword: OTHER_PASSWORD } }),
    ...byPassword.map((each) => each.signIn(owner)),
    byCode
      .call(redeemToken, { body: { loginUuid: uuid, token } })
      .then(({ jwt = '' }) => byCode.jwt.write(jwt)),
  ])
  const signedIn = async (browsers: readonly Browser[]) =>
    (await outcomes(browsers.map((each) => each.call(readIdentity, {}))))['answered'] ?? 0
  expect([await signedIn([...byPassword, byCode]), await signedIn([own])]).toEqual([0, 1])
})

test('5 a login that waits for its second step ends when a factor or the password changes, the sessions end, or the account is locked', async () => {
  await using world = await aWorld().withNodes(ON_POSTGRES ? 2 : 1)
  const { email, secret } = PEOPLE.totp
  let password: string = PEOPLE.totp.password
  const [own, waiting] = [world.browser(), world.browser({ node: () => world.nodes.at(-1) })]
  const first = async (from: Browser) =>
    (await from.call(login, { body: { email, password } })).twoFactorOptions?.loginUuid ?? ''
  const redeem = (from: Browser, loginUuid: string) => {
    world.clock.pass(60_000)
    const code = authenticatorCode(secret, world.clock.now())
    return from.call(redeemTotp, { body: { loginUuid, code } })
  }
  const changes = [
    () => own.call(setEmailFactor, { body: { enabled: true } }),
    () => own.call(endSessions, { body: { which: 'others' } }),
    () => own.call(setPassword, { body: { newPassword: OTHER_PASSWORD } }),
    () => world.lock(email),
  ]
  for (const [index, change] of changes.entries()) {
    own.jwt.write((await redeem(own, await first(own))).jwt)
    await own.confirm({ email, password })
    const pendingLogin = await first(waiting)
    await change()
    expect((await refusal(redeem(waiting, pendingLogin))).code, `${index}`).toBe(
      'first-factor-expired',
    )
    if (index === 2) password = OTHER_PASSWORD
  }
})

test('5 a change that a session began before its end is not applied afterwards', async () => {
  const owner = newPerson('contested')
  await using world = await aWorld()
    .withNodes(ON_POSTGRES ? 2 : 1)
    .withCustomer(owner)
  const browsers = RACERS.slice(0, 4).map((racer) =>
    world.browser({ node: () => world.nodes[racer % world.nodes.length] }),
  )
  for (const each of browsers) {
    await each.signIn(owner)
    await each.confirm(owner)
  }
  const counts = await outcomes(
    browsers.map((each, index) =>
      each.call(setPassword, { body: { newPassword: `${OTHER_PASSWORD}-${index}` } }),
    ),
  )
  expect(counts).toEqual({ answered: 1, '401 session-ended': 3 })
})

test('10 lockout links opened while another account of the browser is deleted succeed, and so does the deletion', async () => {
  await using world = await aWorld().withNodes(ON_POSTGRES ? 2 : 1)
  const { lockoutLinks } = world.server.stores
  for (let round = 0; round < 3; round += 1) {
    const [owner, another] = [newPerson('leaving'), newPerson('another')]
    const browser = world.browser()
    await browser.register(owner)
    const device = browser.cookies.get('portico-device') ?? ''
    const tokens = Array.from({ length: 15 }, (_, index) => `link ${round} ${index}`)
    for (const token of tokens) {
      const tokenHash = createHash('sha256').update(token).digest('base64url')
      await lockoutLinks.insert({
        tokenHash,
        email: another.email,
        expiresAt: world.clock.now() + HOUR_MS,
      })
    }
    const open = async (token: string, index: number) => {
      const own = world.browser({ node: () => world.nodes[index % world.nodes.length] })
      own.cookies.set('portico-device', device)
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const path = `/auth/lockout?${new URLSearchParams({ token })}`
      return (await own.fetch(path, { method: 'POST', headers })).status
    }
    await browser.confirmByMail(owner.email)
    const opened = tokens.map(open)
    await browser.call(deleteOwnAccount, { body: { email: owner.email } })
    expect(await Promise.all(opened)).toEqual(tokens.map(() => 303))
    expect(await world.query(`select id from identities where email = '${owner.email}'`)).toEqual(
      [],
    )
    expect(
      await world.query(
        'select id_hash from devices where identity_id not in (select id from identities)',
      ),
    ).toEqual([])
  }
})

test('5 exactly one of fifty simultaneous confirmations of one new authenticator app succeeds', async () => {
  const owner = newPerson('careful')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
  await browser.confirm(owner)
  const { secret } = await browser.call(beginTotp, {})
  const shown = authenticatorCode(secret, world.clock.now())
  const ends = await outcomes(
    Array.from({ length: 50 }, () => browser.call(confirmTotp, { body: { code: shown } })),
  )
  expect(ends['answered']).toBe(1)
  const aliases = await world.query(
    `select aliases.id from aliases join identities on identities.id = aliases.identity_id
     where type = 'TOTP' and email = '${owner.email}'`,
  )
  expect(aliases).toHaveLength(1)
  const notices = (await world.mail(owner.email)).filter(({ subject }) =>
    subject.startsWith('The security'),
  )
  expect(notices).toHaveLength(1)
})

test('4.4 simultaneous calls are each answered for their own session, and those of ended sessions are refused', async () => {
  const people = Array.from({ length: 9 }, (_, number) => newPerson(`together.${number}`))
  const described = people.reduce((world, person) => world.withCustomer(person), aWorld())
  await using world = await described
  const callers = await Promise.all(
    people.map(async (person) => {
      const browser = world.browser()
      await browser.signIn(person)
      const headers = {
        authorization: browser.jwt.read() ?? '',
        cookie: `portico-session=${browser.cookies.get('portico-session')}`,
      }
      return { browser, email: person.email, headers }
    }),
  )
  const ended = callers.slice(0, 3)
  for (const { browser } of ended) await browser.logOut()
  // Three connections each, so that different calls share a query on the server.
  const ends = await Promise.all(
    [...callers, ...callers, ...callers].map(async ({ email, headers }) => {
      using client = plainClient(world.url)
      const seen: string[] = []
      for (let call = 0; call < 8; call += 1) {
        const { status, text } = await client.send('GET', IDENTITY, undefined, headers)
        seen.push(status === 200 ? (/"value":"([^"]*)"/.exec(text)?.[1] ?? '') : `${status}`)
      }
      return { email, seen: [...new Set(seen)] }
    }),
  )
  const left = ended.map(({ email }) => email)
  for (const { email, seen } of ends) expect(seen).toEqual([left.includes(email) ? '401' : email])
})
