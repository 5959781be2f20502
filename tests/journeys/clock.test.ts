/** A clock that was briefly a year ahead: nothing written at that time may outlive the correction. */
import { randomUUID } from 'node:crypto'
import { login, readIdentity, redeemToken, sendToken } from '@portico/contracts/identity'
import {
  ATTEMPTS_PER_HOUR,
  INQUIRY_LIFETIME_MS,
  ORGANIZATION_DRAFT_LIFETIME_MS,
  PASSCODE_LIFETIME_MS,
  REGISTRATION_LIFETIME_MS,
  REMEMBERED_DEVICE_MS,
  SENDS_PER_RECIPIENT,
  WALLET_NONCE_LIFETIME_MS,
} from '@portico/contracts/limits'
import { SHORT_LINK_LIFETIME_MS } from '@portico/contracts/short-links'
import { redeemTotp } from '@portico/contracts/two-factor'
import { createHostedAccount, readAccountAccess } from '@portico/contracts/wallet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authenticatorCode } from '../support/authenticator.ts'
import { PEOPLE } from '../support/people.ts'
import { aWorld, newPerson, refusal } from '../support/world.ts'

const YEAR_MS = 365 * 24 * 60 * 60 * 1000
const MINUTE_MS = 60_000

type World = Awaited<ReturnType<typeof aWorld>>
type Stores = World['server']['stores']

/** Runs work while the clock is wrong. */
async function ahead<Result>(world: World, work: () => Promise<Result>): Promise<Result> {
  world.clock.pass(YEAR_MS)
  try {
    return await work()
  } finally {
    world.clock.pass(-YEAR_MS)
  }
}

const owner = newPerson('timeless')
let world: World
let ownerId: string

beforeAll(async () => {
  world = await aWorld().withCustomer(owner)
  ownerId = (await world.server.stores.identities.findByEmail(owner.email))?.id ?? ''
})
afterAll(() => world[Symbol.asyncDispose]())

test('codes sent while the clock was wrong are expired and do not count towards later limits', async () => {
  const browser = world.browser()
  const known = new Set<string>()
  /** Sends a code and reads it from its mail, which may not be the newest by its timestamp. */
  const send = async () => {
    const { uuid: loginUuid } = await browser.call(sendToken, { body: { email: owner.email } })
    const sent = (await world.mail(owner.email)).find(({ id }) => !known.has(id))
    for (const { id } of await world.mail(owner.email)) known.add(id)
    return { loginUuid, token: /^\d{6}$/m.exec(sent?.text ?? '')?.[0] ?? '' }
  }
  const [early] = await ahead(world, async () => {
    const all = []
    for (let each = 0; each < SENDS_PER_RECIPIENT; each += 1) all.push(await send())
    return all
  })
  const right = await send()
  expect((await browser.call(redeemToken, { body: right })).jwt).toBeDefined()
  const wrong = browser.call(redeemToken, { body: early ?? right })
  expect((await refusal(wrong)).code).toBe('code-expired')
})

test('attempts made while the clock was wrong cause no lockout', async () => {
  const guess = (password: string) =>
    world.browser().call(login, { body: { email: owner.email, password } })
  await ahead(world, async () => {
    for (let each = 0; each < ATTEMPTS_PER_HOUR + 2; each += 1) await refusal(guess('wrong'))
  })
  expect((await guess(owner.password)).jwt).toBeDefined()
  // The lockout of attempts that began before the clock was wrong is bounded too.
  await refusal(guess('wrong'))
  world.clock.pass(2 * MINUTE_MS)
  expect((await guess(owner.password)).jwt).toBeDefined()
})

test('a session that began while the clock was wrong has ended', async () => {
  const browser = world.browser()
  await ahead(world, () => browser.signIn(owner))
  expect((await refusal(browser.call(readIdentity, {}))).code).toBe('session-ended')
  const open = await world.server.stores.sessions.listOpen(ownerId, world.clock.now())
  expect(open.every(({ createdAt }) => createdAt <= world.clock.now())).toBe(true)
})

test('an authenticator code used while the clock was wrong does not block later ones', async () => {
  const { email, password, secret } = PEOPLE.totp
  const signIn = async () => {
    const browser = world.browser()
    const { twoFactorOptions } = await browser.call(login, { body: { email, password } })
    const code = authenticatorCode(secret, world.clock.now())
    const loginUuid = twoFactorOptions?.loginUuid ?? ''
    return browser.call(redeemTotp, { body: { loginUuid, code } })
  }
  await ahead(world, signIn)
  expect((await signIn()).jwt).toBeDefined()
})

test('a default wallet that was chosen while the clock was wrong can be changed', async () => {
  const make = async (name: string) => {
    const browser = world.browser()
    await browser.signIn(owner)
    const { address } = await browser.call(createHostedAccount, { body: { name, default: true } })
    return { browser, address }
  }
  await ahead(world, () => make('First'))
  const { browser, address } = await make('Second')
  const { account } = await browser.call(readAccountAccess, { query: {} })
  expect(account.address).toBe(address)
})

/** Data with an expiry: how to store it at one time and check it at another. */
const LASTING: readonly (readonly [
  string,
  (stores: Stores, at: number) => Promise<(at: number) => Promise<boolean>>,
])[] = [
  [
    'a passcode',
    async ({ passcodes }, at) => {
      const id = randomUUID()
      const passcode = { id, email: owner.email, codeMac: '', organizationCode: 'FIGURE', at }
      await passcodes.insert({ ...passcode, expiresAt: at + PASSCODE_LIFETIME_MS })
      return (later) => passcodes.consume(id, later)
    },
  ],
  [
    'a registration',
    async ({ registrations }, at) => {
      const email = newPerson().email
      const expiresAt = at + REGISTRATION_LIFETIME_MS
      await registrations.upsert({ email, organizationCode: 'FIGURE', at, expiresAt })
      return async (later) => (await registrations.findOpen(email, later)) !== undefined
    },
  ],
  [
    'a referral',
    async ({ inquiries }, at) => {
      const email = newPerson().email
      const expiresAt = at + INQUIRY_LIFETIME_MS
      await inquiries.upsert({ email, organizationCode: 'FIGURE', at, expiresAt })
      return async (later) => (await inquiries.listOrganizations(email, later)).length > 0
    },
  ],
  [
    'a second-factor code',
    async ({ factorCodes }, at) => {
      const [purposeId, aliasId] = [randomUUID(), randomUUID()]
      const expiresAt = at + PASSCODE_LIFETIME_MS
      await factorCodes.insert({ purposeId, aliasId, codeMac: 'mac', at, expiresAt })
      const code = await factorCodes.find(purposeId, 'mac')
      return (later) => factorCodes.consume(code?.id ?? '', later)
    },
  ],
  [
    'a passkey challenge',
    async ({ passkeys }, at) => {
      const challenge = randomUUID()
      await passkeys.insertChallenge('test', challenge, at + 5 * MINUTE_MS)
      return (later) => passkeys.consumeChallenge('test', challenge, later)
    },
  ],
  [
    'a wallet nonce',
    async ({ walletNonces }, at) => {
      const nonce = randomUUID()
      await walletNonces.insert(nonce, 'session', at + WALLET_NONCE_LIFETIME_MS)
      return (later) => walletNonces.consume(nonce, 'session', later)
    },
  ],
  [
    'an organization draft',
    async ({ organizationDrafts }, at) => {
      const id = randomUUID()
      await organizationDrafts.insert({
        id,
        identityId: ownerId,
        walletAddress: 'tp1',
        name: 'Willow',
        accountAddress: null,
        members: '[]',
        threshold: 1,
        createdAt: at,
        expiresAt: at + ORGANIZATION_DRAFT_LIFETIME_MS,
      })
      return async (later) =>
        (await organizationDrafts.listUnfinished(ownerId, later)).some((draft) => draft.id === id)
    },
  ],
  [
    'an email change',
    async ({ emailChanges }, at) => {
      const id = randomUUID()
      await emailChanges.insert({
        id,
        identityId: ownerId,
        email: newPerson().email,
        currentCodeMac: '',
        newCodeMac: '',
        createdAt: at,
        expiresAt: at + PASSCODE_LIFETIME_MS,
        completedAt: null,
      })
      return (later) => emailChanges.consume(id, later)
    },
  ],
  [
    'an unproven transfer',
    async ({ transfers }, at) => {
      const denom = `coin${at}`
      await transfers.insertUnproven(ownerId, [{ denom, amount: '1' }], at)
      return async (later) => {
        const sent = await transfers.listUnproven(ownerId, { since: later - 1, at: later })
        return sent.some((coin) => coin.denom === denom)
      }
    },
  ],
  [
    'a short link',
    async ({ shortLinks }, at) => {
      const idHash = randomUUID()
      await shortLinks.insert({ idHash, wrapped: 'x', expiresAt: at + SHORT_LINK_LIFETIME_MS })
      return async (later) => (await shortLinks.find(idHash, later)) !== undefined
    },
  ],
  [
    'a remembered browser',
    async ({ devices }, at) => {
      const idHash = randomUUID()
      await devices.upsert(idHash, ownerId, at)
      await devices.updateTrust(idHash, ownerId, at + REMEMBERED_DEVICE_MS)
      return (later) => devices.isTrusted(idHash, ownerId, later)
    },
  ],
]

test.each(LASTING)('%s from the future counts as expired', async (_, store) => {
  const { stores } = world.server
  const now = world.clock.now()
  const right = await store(stores, now)
  expect(await right(now)).toBe(true)
  const wrong = await store(stores, now + YEAR_MS)
  expect(await wrong(now)).toBe(false)
})

test('mail that was delayed while the clock was wrong is sent', async () => {
  const { messages } = world.server.stores
  const add = (at: number) =>
    messages.insert({
      channel: 'sms',
      kind: 'clock',
      recipient: `${at}`,
      content: 'x',
      at,
      sentAt: null,
      droppedAt: null,
    })
  const now = world.clock.now()
  await add(now)
  await add(now + MINUTE_MS)
  await add(now + YEAR_MS)
  const due = await messages.claim({
    channels: ['sms'],
    limit: 10,
    at: now,
    until: now + MINUTE_MS,
    latest: now + 60 * MINUTE_MS,
  })
  expect(due.map(({ createdAt }) => createdAt - now).sort((a, b) => a - b)).toEqual([0, YEAR_MS])
})
