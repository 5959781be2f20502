// @module-tag database
/**
 * Limits per person, each tested by many simultaneous calls. What a call reads may have changed by the time it writes,
 * unless the person's calls are serialized.
 */
import { createHash } from 'node:crypto'
import {
  beginPhone,
  beginTotp,
  confirmTotp,
  makeRecoveryCodes,
  QUESTION_CATALOG,
  removeTotp,
  setQuestions,
} from '@portico/contracts/account-security'
import { logout } from '@portico/contracts/identity'
import { MAX_WALLETS } from '@portico/contracts/limits'
import { beginOrganization } from '@portico/contracts/organization-account'
import { createHostedAccount } from '@portico/contracts/wallet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authenticatorCode } from '../support/authenticator.ts'
import type { Browser } from '../support/browser.ts'
import { outcomes } from '../support/race.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { attach, aWallet } from '../support/test-wallet.ts'
import { aWorld, newPerson } from '../support/world.ts'

type World = Awaited<ReturnType<typeof aWorld>>

/** A signed-in person with the same session on each node. */
interface Person {
  readonly id: string
  readonly browsers: readonly Browser[]
}

/** A race: the simultaneous calls, their allowed outcomes, and what must hold afterwards. */
interface Race {
  readonly rule: string
  readonly prepare?: (world: World, person: Person) => Promise<void>
  readonly calls: (world: World, person: Person) => Promise<readonly Promise<unknown>[]>
  readonly ends: unknown
  readonly counted: (person: Person) => string
  readonly holds: number
}

const RACERS = 20
const ROOM = 3
const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')
const number = (index: number) => String(index).padStart(4, '0')

const race =
  (call: (browser: Browser, index: number) => Promise<unknown>) =>
  async (_world: World, { browsers }: Person) =>
    Array.from({ length: RACERS }, (_, index) => {
      const browser = browsers[index % browsers.length]
      if (browser === undefined) throw new Error('A race needs a browser')
      return call(browser, index)
    })

/** Fills a person's list of wallets, leaving room for a few. */
async function fillWallets({ server, clock }: World, { id }: Person): Promise<void> {
  for (let index = 0; index < MAX_WALLETS - ROOM; index += 1) {
    await server.stores.wallets.insert({
      identityId: id,
      address: `tp1${id}${number(index)}`,
      name: 'Wallet',
      type: 'SELF_CUSTODY',
      defaultAt: null,
      convertedAt: null,
      createdAt: clock.now(),
    })
  }
}

/** Gives a person a wallet that can create organizations. */
async function giveWallet(_world: World, { id, browsers }: Person): Promise<void> {
  const [browser] = browsers
  const created = await browser?.call(createHostedAccount, { body: { name: 'Signs' } })
  signingWallets.set(id, created?.address ?? '')
}
const signingWallets = new Map<string, string>()

/** Gives a person a wallet with almost the maximum number of organizations. */
async function fillAccounts(world: World, person: Person): Promise<void> {
  await giveWallet(world, person)
  const { accounts } = world.server.stores
  const walletAddress = signingWallets.get(person.id) ?? ''
  for (let index = 0; index < MAX_WALLETS - ROOM; index += 1) {
    const address = `tp1group${person.id}${number(index)}`
    const at = world.clock.now()
    await accounts.insert({ address, name: 'Group', createdAt: at })
    await accounts.insertAuthorization({
      walletAddress,
      accountAddress: address,
      type: 'Group',
      at,
    })
  }
}

/** Names organizations: a different one per racer, or all the same. */
const nameOrganizations = (name: (index: number) => string) => (world: World, person: Person) =>
  race((browser, index) => {
    const walletAddress = signingWallets.get(person.id) ?? ''
    return browser.call(beginOrganization, { body: { walletAddress, name: name(index) } })
  })(world, person)

const RACES: readonly Race[] = [
  {
    rule: 'a logout is audited once',
    calls: race((browser) => browser.call(logout, {})),
    ends: { answered: RACERS },
    counted: ({ id }) =>
      `select count(*) as n from audit_events where kind = 'signed-out' and identity_id = '${id}'`,
    holds: 1,
  },
  {
    rule: 'ten recovery codes exist, the latest ones',
    calls: race((browser) => browser.call(makeRecoveryCodes, {})),
    ends: { answered: RACERS },
    counted: ({ id }) =>
      `select count(*) as n from recovery_codes where identity_id = '${id}' and used_at is null`,
    holds: 10,
  },
  {
    rule: 'three recovery questions exist',
    calls: race((browser, index) => {
      const from = index % (QUESTION_CATALOG.length - 2)
      const answers = QUESTION_CATALOG.slice(from, from + 3).map(({ uuid }, position) => ({
        securityQuestionUuid: uuid,
        answer: `answer ${position}`,
      }))
      return browser.call(setQuestions, { body: { answers } })
    }),
    ends: { answered: RACERS },
    counted: ({ id }) => `select count(*) as n from security_answers where identity_id = '${id}'`,
    holds: 3,
  },
  {
    rule: 'one unconfirmed phone exists, whatever the numbers',
    calls: race((browser, index) =>
      browser.call(beginPhone, { body: { phone: `(201) 555-0${100 + index}` } }),
    ),
    // A code was mailed to confirm the session.
    ends: { answered: 4, 'too-many-requests': RACERS - 4 },
    counted: ({ id }) =>
      `select count(*) as n from aliases where identity_id = '${id}' and type = 'Phone'`,
    holds: 1,
  },
  {
    rule: 'an authenticator app is listed only if its secret is stored',
    async calls({ clock }, { browsers }) {
      const [one, other = one] = browsers
      if (one === undefined || other === undefined) throw new Error('A race needs a browser')
      const { secret } = await one.call(beginTotp, {})
      const code = authenticatorCode(secret, clock.now())
      return [one.call(confirmTotp, { body: { code } }), other.call(removeTotp, {})]
    },
    ends: expect.toBeOneOf([
      { answered: 2 },
      { answered: 1, 'code-used': 1 },
      { answered: 1, 'method-not-available': 1 },
    ]),
    counted: ({ id }) =>
      `select count(*) as n from aliases where identity_id = '${id}' and type = 'TOTP' and not exists (select 1 from totp where identity_id = '${id}' and secret is not null)`,
    holds: 0,
  },
  {
    rule: 'fifty wallets exist, created or attached',
    prepare: fillWallets,
    async calls(world, person) {
      const makes = await race((browser, index) =>
        browser.call(createHostedAccount, { body: { name: `Wallet ${index}` } }),
      )(world, person)
      const attaches = person.browsers.map((browser) => attach(browser, aWallet(world.clock.now)))
      return [...makes, ...attaches]
    },
    ends: { answered: ROOM, 'too-many-accounts': expect.any(Number) },
    counted: ({ id }) => `select count(*) as n from wallets where identity_id = '${id}'`,
    holds: MAX_WALLETS,
  },
  {
    rule: 'an organization named twice has one draft',
    prepare: giveWallet,
    calls: nameOrganizations(() => 'Willow Partners'),
    ends: { answered: RACERS },
    counted: ({ id }) =>
      `select count(*) as n from organization_drafts where identity_id = '${id}'`,
    holds: 1,
  },
  {
    rule: 'fifty organizations exist, drafts included',
    prepare: fillAccounts,
    calls: nameOrganizations((index) => `Willow ${index}`),
    ends: { answered: ROOM, 'too-many-accounts': RACERS - ROOM },
    counted: ({ id }) =>
      `select count(*) as n from organization_drafts where identity_id = '${id}'`,
    holds: ROOM,
  },
]

let world: World

beforeAll(async () => {
  world = await aWorld().withNodes(ON_POSTGRES ? 2 : 1)
})
afterAll(() => world[Symbol.asyncDispose]())

async function aPerson(): Promise<Person> {
  const owner = newPerson('raced')
  const first = world.browser({ node: () => world.nodes[0] })
  await first.register(owner)
  await first.confirmByMail(owner.email)
  const browsers = world.nodes.map((node, index) => {
    if (index === 0) return first
    const browser = world.browser({ node: () => node })
    browser.jwt.write(first.jwt.read() ?? '')
    for (const [name, value] of first.cookies) browser.cookies.set(name, value)
    return browser
  })
  const identity = await world.server.stores.identities.findByEmail(owner.email)
  return { id: identity?.id ?? '', browsers }
}

test.each(RACES.map((each) => [each.rule, each] as const))(
  'simultaneous calls: %s',
  async (_, { prepare, calls, ends, counted, holds }) => {
    const person = await aPerson()
    await prepare?.(world, person)
    expect(await outcomes(await calls(world, person))).toEqual(ends)
    const [row] = await world.query(counted(person))
    expect(Number(row?.['n'])).toBe(holds)
  },
)

test('simultaneous logins of two people, each in browsers that only the other has used, all succeed and share the new device IDs', async () => {
  const people = [newPerson('one'), newPerson('other')] as const
  const devices: string[] = []
  for (const person of people) {
    const browser = world.browser()
    await browser.register(person)
    devices.push(browser.cookies.get('portico-device') ?? '')
  }
  for (let round = 0; round < 3; round += 1) {
    const browsers: Browser[] = []
    const logins = Array.from({ length: 10 }, (_, index) => {
      const browser = world.browser({ node: () => world.nodes[index % world.nodes.length] })
      browsers.push(browser)
      browser.cookies.set('portico-device', devices[(index + 1) % 2] ?? '')
      return browser.signIn(people[index % 2 === 0 ? 0 : 1])
    })
    expect(await outcomes(logins)).toEqual({ answered: logins.length })
    for (const { cookies } of browsers) {
      const idHash = sha256(cookies.get('portico-device') ?? '')
      const users = await world.query(`select identity_id from devices where id_hash = '${idHash}'`)
      expect(users).toHaveLength(people.length)
    }
  }
})

test('simultaneous first links to set up an identity provider are for one provider', async () => {
  const { nodes } = world
  const links = Array.from({ length: 8 }, (_, index) => {
    const { server } = nodes[index % nodes.length] ?? world
    return server.mailSetupLink(['HARBORLINE', 'agent', `ida.${index}@harborline.example`])
  })
  await Promise.all(links)
  const [row] = await world.query(
    `select count(*) as links, count(distinct provider_id) as providers from setup_links
     join identity_providers on identity_providers.id = provider_id
     where organization_code = 'HARBORLINE' and user_type = 'agent'`,
  )
  expect([Number(row?.['links']), Number(row?.['providers'])]).toEqual([8, 1])
})
