// @module-tag database
/** Members that are added and removed on the chain are invited to the account of their organization, and lose it (6). */
import { randomBytes, randomUUID } from 'node:crypto'
import { updateMembersMessage, updateThresholdMessage } from '@portico/chain-client/group-messages'
import { deleteOwnAccount, exportAccountData } from '@portico/contracts/account-security'
import { readIdentity } from '@portico/contracts/identity'
import {
  DAY_MS,
  MAX_ORGANIZATION_INVITATIONS_PER_INVITER,
  MAX_WALLETS,
} from '@portico/contracts/limits'
import {
  acceptOrganization,
  beginOrganization,
  completeOrganization,
  declineOrganization,
  readOrganizationInvitations,
} from '@portico/contracts/organization-account'
import {
  createPassport,
  readCreatorPassport,
  readCreatorPassportStatus,
  readPassport,
  readPassportStatus,
  savePassportSection,
} from '@portico/contracts/passport'
import { createPassportFile } from '@portico/contracts/passport-files'
import {
  readAccountAccess,
  readAccounts,
  readWalletJwt,
  selectAccount,
} from '@portico/contracts/wallet'
import { tokenClaims } from '@portico/rules/token-claims'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aChainAccount, askNode } from '../support/chain-account.ts'
import { outcomes } from '../support/race.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { attach, walletOf } from '../support/test-wallet.ts'
import { aWorld, newPerson, refusal } from '../support/world.ts'

type World = Awaited<ReturnType<typeof aWorld>>

/** After the time during which a session is not rechecked. */
const CHECKED_AGAIN_MS = 6000

let world: World
beforeAll(async () => {
  world = await aWorld().withNodes(ON_POSTGRES ? 2 : 1)
})
afterAll(() => world[Symbol.asyncDispose]())

const anyOf = (base64: string) => Any.decode(Buffer.from(base64, 'base64'))

/** A person with an attached wallet and its key, which can send transactions. */
async function aPerson({ isAttached = true, of = world } = {}) {
  const key = randomBytes(32)
  const credentials = newPerson()
  const browser = of.browser()
  await browser.register(credentials)
  const person = {
    ...aChainAccount(`${of.url}/chain`, key),
    credentials,
    browser,
    attach: () => attach(browser, walletOf(key, of.clock.now), { walletName: 'Own wallet' }),
    /** The names of the organizations in 'Choose an Account' (2.7). */
    organizations: async () =>
      (await browser.call(readAccounts, {})).flatMap(({ account, authorizedWallets }) =>
        authorizedWallets.some(({ authorizationType }) => authorizationType === 'Group')
          ? [account.name]
          : [],
      ),
    invitations: async () =>
      (await browser.call(readOrganizationInvitations, { query: {} })).map(
        ({ account: { name }, declined }) => (declined ? `${name}, declined` : name),
      ),
    accept: (accountAddress: string) =>
      browser.call(acceptOrganization, { body: { accountAddress } }),
    decline: (accountAddress: string) =>
      browser.call(declineOrganization, { body: { accountAddress } }),
    async actFor(groupPolicyAddress: string) {
      const query = { walletAddress: person.address, groupPolicyAddress }
      const { jwt } = await browser.call(readWalletJwt, { query })
      browser.jwt.write(jwt)
      return tokenClaims(jwt).grp
    },
  }
  if (isAttached) await person.attach()
  return person
}

type Person = Awaited<ReturnType<typeof aPerson>>

/** An organization in which the first member decides alone. */
async function anOrganization(
  first: Person,
  others: readonly { readonly address: string }[],
  name = 'Willow Partners',
) {
  const { organizationId, message } = await first.browser.call(beginOrganization, {
    body: {
      walletAddress: first.address,
      name,
      members: others.map(({ address }) => ({ address, name: '' })),
      threshold: 1,
    },
  })
  expect(await first.send([anyOf(message)])).toMatchObject({ code: 0 })
  const { account } = await first.browser.call(completeOrganization, { body: { organizationId } })
  const group = account.address
  const policy = await askNode(`${world.url}/chain`, `/cosmos/group/v1/group_policy_info/${group}`)
  const { group_id: groupId } = policy['info'] as { group_id: string }
  const propose = async (message: string) =>
    expect(await first.send([first.proposal(group, [anyOf(message)])])).toMatchObject({ code: 0 })
  return {
    group,
    setMember: ({ address }: { readonly address: string }, weight: '0' | '1') =>
      propose(updateMembersMessage({ groupId, admin: group, members: [{ address, weight }] })),
    setThreshold: (threshold: number) =>
      propose(updateThresholdMessage({ policyAddress: group, threshold })),
  }
}

test('6 a member added on the chain is invited, and acts for the account after accepting', async () => {
  const [ana, ben] = [await aPerson(), await aPerson()]
  const { group, setMember } = await anOrganization(ana, [])
  expect(await ben.invitations()).toEqual([])
  expect((await refusal(ben.accept(group))).code).toBe('not-found')
  await setMember(ben, '1')
  expect(await ben.organizations()).toEqual([])
  expect(await ben.invitations()).toEqual(['Willow Partners'])
  expect((await refusal(ben.actFor(group))).code).toBe('account-not-authorized')
  expect(await ben.accept(group)).toEqual({ account: { name: 'Willow Partners', address: group } })
  expect(await ben.organizations()).toEqual(['Willow Partners'])
  expect(await ben.invitations()).toEqual([])
  expect(await ben.actFor(group)).toBe(group)
  const { account } = await ben.browser.call(readAccountAccess, { query: {} })
  expect(account.address).toBe(group)
})

test('6 an added member can accept without a list of invitations', async () => {
  const [ana, ben] = [await aPerson(), await aPerson()]
  const { group, setMember } = await anOrganization(ana, [])
  await setMember(ben, '1')
  await ben.accept(group)
  expect(await ben.actFor(group)).toBe(group)
})

test('6 the invited member gets a mail without the name that others chose', async () => {
  const [ana, ben] = [await aPerson(), await aPerson()]
  const { group, setMember } = await anOrganization(ana, [], 'Call 1-800-REFUND')
  await setMember(ben, '1')
  expect(await ben.invitations()).toEqual(['Call 1-800-REFUND'])
  const invitations = async () =>
    (await world.mail(ben.credentials.email)).filter(({ subject }) =>
      subject.startsWith('You were invited to an organization'),
    )
  const [mail] = await invitations()
  expect(mail?.text).toContain('appears among your accounts only if you accept')
  expect(mail?.text).not.toContain('REFUND')
  expect(mail?.text).not.toContain(group)
  // One mail a day, however many invitations there are.
  await (await anOrganization(await aPerson(), [ben])).setMember(ben, '1')
  expect(await ben.invitations()).toHaveLength(2)
  expect(await invitations()).toHaveLength(1)
})

test('6 a declined invitation stays declined when the group adds the member again, and can be accepted later', async () => {
  const [ana, ben] = [await aPerson(), await aPerson()]
  const { group, setMember } = await anOrganization(ana, [ben])
  await ben.decline(group)
  expect(await ben.invitations()).toEqual(['Willow Partners, declined'])
  await setMember(ben, '0')
  expect((await refusal(ben.accept(group))).code).toBe('not-found')
  await setMember(ben, '1')
  expect(await ben.invitations()).toEqual(['Willow Partners, declined'])
  await ben.accept(group)
  expect(await ben.organizations()).toEqual(['Willow Partners'])
})

test('6 a member hides the account of an organization: sessions act for the member alone', async () => {
  const [ana, ben] = [await aPerson(), await aPerson()]
  const { group } = await anOrganization(ana, [ben])
  await ben.accept(group)
  expect(await ben.actFor(group)).toBe(group)
  await ben.decline(group)
  expect(await ben.organizations()).toEqual([])
  expect(await ben.invitations()).toEqual(['Willow Partners, declined'])
  world.clock.pass(CHECKED_AGAIN_MS)
  const { account } = await ben.browser.call(readAccountAccess, { query: {} })
  expect(account.address).toBe(ben.address)
  expect((await refusal(ben.actFor(group))).code).toBe('account-not-authorized')
  // Another person's or invitation cannot be declined.
  expect(await ana.organizations()).toEqual(['Willow Partners'])
  expect((await refusal((await aPerson()).decline(group))).code).toBe('not-found')
})

test('6 one inviter cannot fill the invitations of a person, and invitations take no place', async () => {
  const [ana, ben, cleo] = [await aPerson(), await aPerson(), await aPerson()]
  const groups = []
  for (let index = 0; index < MAX_ORGANIZATION_INVITATIONS_PER_INVITER + 2; index += 1) {
    groups.push(await anOrganization(ana, [ben], `Spam ${index}`))
  }
  expect(await ben.invitations()).toHaveLength(MAX_ORGANIZATION_INVITATIONS_PER_INVITER)
  const { group } = await anOrganization(cleo, [ben], 'Real one')
  expect(await ben.invitations()).toContain('Real one')
  // Declined ones count too, so that declining does not make room for more of the same.
  for (const each of groups.slice(0, MAX_ORGANIZATION_INVITATIONS_PER_INVITER)) {
    await ben.decline(each.group)
  }
  expect((await ben.invitations()).filter((name) => !name.includes('declined'))).toEqual([
    'Real one',
  ])
  await ben.accept(group)
  expect(await ben.organizations()).toEqual(['Real one'])
})

/** More organizations than one inviter may invite the same person to. */
async function manyOrganizations(first: Person, others: readonly Person[] = []) {
  const organizations = []
  for (let index = 0; index < MAX_ORGANIZATION_INVITATIONS_PER_INVITER + 2; index += 1) {
    organizations.push(await anOrganization(first, others, `Spam ${index}`))
  }
  return organizations
}

async function deleteAccount({ browser, credentials: { email } }: Person) {
  await browser.confirmByMail(email)
  await browser.call(deleteOwnAccount, { body: { email } })
}

test('6 limits on invitations outlive the account of the inviter, and members from before keep theirs', async () => {
  const [ana, ben, cleo] = [await aPerson(), await aPerson(), await aPerson()]
  const organizations = await manyOrganizations(ana)
  const { group } = await anOrganization(ana, [cleo])
  await cleo.accept(group)
  await deleteAccount(ana)
  // The key still controls the groups.
  for (const { setMember } of organizations) await setMember(ben, '1')
  expect(await ben.invitations()).toHaveLength(MAX_ORGANIZATION_INVITATIONS_PER_INVITER)
  expect(await ben.invitations()).toHaveLength(MAX_ORGANIZATION_INVITATIONS_PER_INVITER)
  expect(await cleo.organizations()).toEqual(['Willow Partners'])
  expect(await cleo.actFor(group)).toBe(group)
})

test('6 an organization without a known creator invites no one, and its members keep the account', async () => {
  const [ana, ben, cleo] = [await aPerson(), await aPerson(), await aPerson()]
  const { message } = await ana.browser.call(beginOrganization, {
    body: {
      walletAddress: ana.address,
      name: 'Willow Partners',
      members: [ben, cleo].map(({ address }) => ({ address, name: '' })),
    },
  })
  expect(await ana.send([anyOf(message)])).toMatchObject({ code: 0 })
  const path = `/cosmos/group/v1/groups_by_member/${ana.address}`
  const { groups } = await askNode(`${world.url}/chain`, path)
  const [{ admin: group } = { admin: '' }] = groups as { admin: string }[]
  const at = world.clock.now()
  const { accounts } = world.server.stores
  await accounts.insert({ address: group, name: 'Willow Partners', createdAt: at })
  for (const { address: walletAddress } of [ana, cleo]) {
    await accounts.insertAuthorization({ walletAddress, accountAddress: group, type: 'Group', at })
  }
  expect(await ben.invitations()).toEqual([])
  expect((await refusal(ben.accept(group))).code).toBe('not-found')
  expect(await cleo.organizations()).toEqual(['Willow Partners'])
  expect(await ana.actFor(group)).toBe(group)
  // Hiding the account and showing it again needs no invitation by others.
  await cleo.decline(group)
  await cleo.accept(group)
  expect(await cleo.actFor(group)).toBe(group)
})

test('6 newer and declined invitations never hide one that waits', async () => {
  const [ana, ben] = [await aPerson(), await aPerson()]
  const { group } = await anOrganization(ana, [ben], 'Real one')
  const [{ identity_id: identityId } = {}] = await world.query(
    `select identity_id from wallets where address = '${ben.address}'`,
  )
  const { accounts, organizationInvitations } = world.server.stores
  async function fill(
    kind: string,
    {
      creatorId,
      ...times
    }: { creatorId: string | null; createdAt: number; declinedAt: number | null },
  ) {
    for (let index = 0; index < 100; index += 1) {
      const accountAddress = `tp1${kind}${index}`
      await accounts.insert({ address: accountAddress, name: kind, createdAt: 0, creatorId })
      const walletAddress = ben.address
      const invitation = { walletAddress, accountAddress, identityId: String(identityId) }
      await organizationInvitations.insert({ ...invitation, ...times })
    }
  }
  const at = world.clock.now() + 1
  await fill('newer', { creatorId: 'others', createdAt: at, declinedAt: null })
  await fill('declined', { creatorId: 'others', createdAt: at, declinedAt: at })
  // From before limits outlived the creators.
  await fill('unlimited', { creatorId: null, createdAt: 0, declinedAt: null })
  const invitations = await ben.invitations()
  expect(invitations[0]).toBe('Real one')
  expect(invitations.slice(1, 100)).toEqual(Array(99).fill('newer'))
  expect(invitations.slice(100)).toEqual(Array(100).fill('declined, declined'))
  await ben.accept(group)
  expect(await ben.organizations()).toEqual(['Real one'])
})

test('6 every waiting invitation is reachable, and strangers are listed after people of the lender and members of the same organization', async () => {
  const [ana, ben, cleo] = [await aPerson(), await aPerson(), await aPerson()]
  const { group: shared } = await anOrganization(cleo, [ben], 'Shared one')
  await ben.accept(shared)
  const { accounts, identities, organizationInvitations } = world.server.stores
  const identityOf = async ({ credentials }: Person) => {
    const identity = await identities.findByEmail(credentials.email)
    if (identity === undefined) throw new Error('The person was not registered')
    return identity
  }
  const [{ id: benId }, { id: anaId }] = [await identityOf(ben), await identityOf(ana)]
  // Each inviter sent as many as one may, long before: strangers, and accounts at the same lender.
  async function fill(kind: string, inviters: readonly string[]) {
    for (const [inviter, creatorId] of inviters.entries()) {
      for (let each = 0; each < MAX_ORGANIZATION_INVITATIONS_PER_INVITER; each += 1) {
        const accountAddress = `tp1reach${kind}${inviter}x${each}`
        await accounts.insert({ address: accountAddress, name: kind, createdAt: 0, creatorId })
        await organizationInvitations.insert({
          walletAddress: ben.address,
          accountAddress,
          identityId: benId,
          createdAt: 0,
          declinedAt: null,
        })
      }
    }
  }
  await fill(
    'stranger',
    Array.from({ length: 70 }, () => randomUUID()),
  )
  await fill(
    'neighbor',
    Array.from({ length: 40 }, () => anaId),
  )
  const { group: known } = await anOrganization(cleo, [ben], 'From a member')
  const { group: real } = await anOrganization(await aPerson(), [ben], 'Real one')

  const list = (after?: string) =>
    ben.browser.call(readOrganizationInvitations, { query: after === undefined ? {} : { after } })
  async function all() {
    const found = []
    let after: string | undefined
    do {
      const page = await list(after)
      expect(page.length).toBeLessThanOrEqual(100)
      found.push(...page)
      after = page.at(-1)?.next
    } while (after !== undefined)
    return found
  }
  const found = await all()
  const names = found.map(({ account: { name } }) => name)
  expect(names).toEqual([
    'From a member',
    ...Array(120).fill('neighbor'),
    'Real one',
    ...Array(210).fill('stranger'),
  ])
  expect(new Set(found.map(({ account: { address } }) => address)).size).toBe(names.length)
  expect((await refusal(list('waiting.1'))).code).toBe('invalid-request')
  // Invitations of strangers that arrive meanwhile displace none of the next pages.
  const [{ next } = {}] = (await list()).slice(-1)
  await fill('late', [randomUUID()])
  expect((await list(next)).filter(({ account }) => account.name === 'Real one')).toHaveLength(1)
  await outcomes([ben.accept(real), ben.accept(known), ben.accept(real), list(), list(next)])
  expect(await ben.organizations()).toEqual(
    expect.arrayContaining(['Shared one', 'From a member', 'Real one']),
  )
  expect((await all()).map(({ account: { name } }) => name).slice(0, 2)).toEqual([
    'neighbor',
    'neighbor',
  ])
})

test("6 accepted invitations count toward the inviter's limit for a day", async () => {
  const [ana, ben] = [await aPerson(), await aPerson()]
  const organizations = await manyOrganizations(ana, [ben])
  for (const { group } of organizations.slice(0, MAX_ORGANIZATION_INVITATIONS_PER_INVITER)) {
    await ben.accept(group)
  }
  expect(await ben.invitations()).toEqual([])
  expect(await ben.organizations()).toHaveLength(MAX_ORGANIZATION_INVITATIONS_PER_INVITER)
  world.clock.pass(DAY_MS)
  await ben.browser.signIn(ben.credentials)
  expect(await ben.invitations()).toHaveLength(2)
})

test('6 invitations that are made and accepted at the same time stay within the limit of the inviter', async () => {
  const [ana, ben] = [await aPerson(), await aPerson()]
  const organizations = await manyOrganizations(ana)
  for (const { setMember } of organizations) await setMember(ben, '1')
  await outcomes([
    ben.invitations(),
    ...organizations.map(({ group }) => ben.accept(group)),
    ben.invitations(),
    ...organizations.map(({ group }) => ben.accept(group)),
    ben.invitations(),
  ])
  await ben.invitations()
  const groups = organizations.map(({ group }) => `'${group}'`).join(', ')
  const rows = await world.query(
    `select account_address from authorizations where wallet_address = '${ben.address}' and account_address in (${groups})
     union all
     select account_address from organization_invitations where wallet_address = '${ben.address}' and account_address in (${groups})`,
  )
  expect(rows).toHaveLength(MAX_ORGANIZATION_INVITATIONS_PER_INVITER)
})

test('6 a member removed on the chain loses the account at once, in an open session and with its old token too', async () => {
  const [ana, ben] = [await aPerson(), await aPerson()]
  const { group, setMember } = await anOrganization(ana, [ben])
  await ben.accept(group)
  expect(await ben.actFor(group)).toBe(group)
  world.clock.pass(CHECKED_AGAIN_MS)
  await setMember(ben, '0')
  // The open session: the next call acts for the member alone, and the token is replaced.
  const { identity } = await ben.browser.call(readIdentity, {})
  expect(identity.aliases).not.toEqual([])
  expect(tokenClaims(ben.browser.jwt.read())).toMatchObject({ addr: ben.address })
  expect(tokenClaims(ben.browser.jwt.read()).grp).toBeUndefined()
  const { account } = await ben.browser.call(readAccountAccess, { query: {} })
  expect(account.address).toBe(ben.address)
  const query = { principal: group }
  expect((await refusal(ben.browser.call(readAccountAccess, { query }))).code).toBe(
    'account-not-authorized',
  )
  expect(await ben.organizations()).toEqual([])
  expect((await refusal(ben.actFor(group))).code).toBe('account-not-authorized')
  // The others keep it.
  expect(await ana.organizations()).toEqual(['Willow Partners'])
  const events = await world.query(
    "select kind from audit_events where kind in ('organization-left', 'organization-joined')",
  )
  expect(events).toContainEqual({ kind: 'organization-left' })
})

test('6 a member removed on the chain neither reads, writes, exports nor lists the passport that they created for the group', async () => {
  const [ana, ben] = [await aPerson(), await aPerson()]
  const { group, setMember } = await anOrganization(ana, [ben])
  await ben.accept(group)
  await ben.actFor(group)
  const { passportUuid } = await ben.browser.call(createPassport, {
    body: { passportStructureType: 'ENTITY' },
  })
  const own = { walletAddress: ben.address }
  ben.browser.jwt.write((await ben.browser.call(readWalletJwt, { query: own })).jwt)
  const save = () =>
    ben.browser.call(savePassportSection, {
      body: { passportUuid, section: 'kyc', version: 0, changes: {} },
    })
  expect(await save()).toMatchObject({ isSaved: true })
  world.clock.pass(CHECKED_AGAIN_MS)
  await setMember(ben, '0')
  // Without anyone else using the group meanwhile.
  const query = { passportUuid }
  const { browser } = ben
  const file = { passportUuid, name: 'proof.pdf', bytes: 10, modifiedAt: 0 }
  for (const call of [
    () => save(),
    () => browser.call(readPassport, { query }),
    () => browser.call(readPassportStatus, { query }),
    () => browser.call(createPassportFile, { body: file }),
  ]) {
    expect((await refusal(call())).code).toBe('not-found')
  }
  expect(await browser.call(readCreatorPassport, {})).toEqual([])
  // Each kind of call compares with the chain itself.
  for (const list of [readCreatorPassport, readCreatorPassportStatus]) {
    await setMember(ben, '1')
    await ben.accept(group)
    world.clock.pass(CHECKED_AGAIN_MS)
    await setMember(ben, '0')
    expect(await browser.call(list, {})).toEqual([])
  }
  await setMember(ben, '1')
  await ben.accept(group)
  world.clock.pass(CHECKED_AGAIN_MS)
  await setMember(ben, '0')
  const later = world.browser()
  await later.signIn(ben.credentials)
  await later.confirmByMail(ben.credentials.email)
  expect((await later.call(exportAccountData, {})).passports).toEqual([])
})

test('6 a removed member has no call left on the passport of the group, right after calls that were allowed', async () => {
  const [ana, ben] = [await aPerson(), await aPerson()]
  const { group, setMember } = await anOrganization(ana, [ben])
  const { browser } = ben
  const body = { passportStructureType: 'ENTITY' } as const
  // The first call after the removal, in the session that still acts for the group.
  async function remove() {
    await setMember(ben, '1')
    await ben.accept(group)
    await ben.actFor(group)
    await browser.call(readPassportStatus, { query: {} })
    await setMember(ben, '0')
  }
  await remove()
  expect((await refusal(browser.call(createPassport, { body }))).code).toBe(
    'passport-type-not-possible',
  )
  await ana.actFor(group)
  const { passportUuid } = await ana.browser.call(createPassport, { body })
  await remove()
  expect((await browser.call(readPassportStatus, { query: {} })).passportUuid).toBeUndefined()
  const query = { passportUuid }
  const change = { passportUuid, section: 'kyc', version: 0, changes: {} } as const
  const file = { passportUuid, name: 'proof.pdf', bytes: 10, modifiedAt: 0 }
  for (const call of [
    () => browser.call(readPassport, { query }),
    () => browser.call(readPassport, { query: {} }),
    () => browser.call(readPassportStatus, { query }),
    () => browser.call(savePassportSection, { body: change }),
    () => browser.call(createPassportFile, { body: file }),
  ]) {
    await remove()
    expect((await refusal(call())).code).toBe('not-found')
  }
})

test('6 a reviewer who is invited to the group cannot review its passport before accepting', async () => {
  const [ana, ben] = [await aPerson(), await aPerson()]
  const { group, setMember } = await anOrganization(ana, [])
  await ana.actFor(group)
  const body = { passportStructureType: 'ENTITY' } as const
  const query = await ana.browser.call(createPassport, { body })
  const { identities, identityRoles } = world.server.stores
  const identity = await identities.findByEmail(ben.credentials.email)
  if (identity === undefined) throw new Error('The person was not registered')
  const { id: identityId, organizationCode } = identity
  const createdAt = world.clock.now()
  await identityRoles.insert({ identityId, role: 'reviewer', organizationCode, createdAt })
  const read = () => ben.browser.call(readPassport, { query })
  expect(await read()).toMatchObject({ access: 'reviewer' })
  await setMember(ben, '1')
  expect((await refusal(read())).code).toBe('not-found')
  await setMember(ben, '0')
  expect(await read()).toMatchObject({ access: 'reviewer' })
})

test('6 while the chain does not respond, members read the passport of their group and change nothing', async () => {
  await using offline = await aWorld().withSettings({ CHAIN_URL: 'http://127.0.0.1:9' })
  const ana = await aPerson({ of: offline })
  const { accounts, identities, passports } = offline.server.stores
  const { address: group } = aChainAccount(offline.url, randomBytes(32))
  const at = offline.clock.now()
  const identity = await identities.findByEmail(ana.credentials.email)
  if (identity === undefined) throw new Error('The person was not registered')
  const { browser, address: walletAddress } = ana
  await accounts.insert({ address: group, name: 'Larch Partners', createdAt: at })
  await accounts.insertAuthorization({ walletAddress, accountAddress: group, type: 'Group', at })
  await ana.actFor(group)
  const body = { passportStructureType: 'ENTITY' } as const
  expect((await refusal(browser.call(createPassport, { body }))).code).toBe('chain-not-available')
  const passportUuid = randomUUID()
  await passports.insert({
    id: passportUuid,
    structureType: 'ENTITY',
    ownerWalletAddress: group,
    creatorId: identity.id,
    organizationCode: identity.organizationCode,
    createdAt: at,
  })
  const change = { passportUuid, section: 'kyc', version: 0, changes: {} } as const
  expect((await refusal(browser.call(savePassportSection, { body: change }))).code).toBe(
    'chain-not-available',
  )
  expect(await browser.call(readPassport, { query: {} })).toMatchObject({ passportUuid })
  // A passport of a wallet does not depend on the chain.
  await browser.call(selectAccount, { body: { walletAddress } })
  const own = { passportStructureType: 'INDIVIDUAL' } as const
  const { passportUuid: ownUuid } = await browser.call(createPassport, { body: own })
  const ownChange = { ...change, passportUuid: ownUuid }
  expect(await browser.call(savePassportSection, { body: ownChange })).toMatchObject({
    isSaved: true,
  })
})

test('6 a member who links the wallet after the organization was created is invited', async () => {
  const ana = await aPerson()
  const ben = await aPerson({ isAttached: false })
  const { group } = await anOrganization(ana, [ben])
  expect(await ben.organizations()).toEqual([])
  await ben.attach()
  expect(await ben.invitations()).toEqual(['Willow Partners'])
  await ben.accept(group)
  expect(await ben.organizations()).toEqual(['Willow Partners'])
  expect(await ben.actFor(group)).toBe(group)
})

test('6 a changed threshold leaves the members their account', async () => {
  const [ana, ben] = [await aPerson(), await aPerson()]
  const { group, setThreshold } = await anOrganization(ana, [ben])
  await ben.accept(group)
  await setThreshold(2)
  expect(await ben.organizations()).toEqual(['Willow Partners'])
  expect(await ana.actFor(group)).toBe(group)
})

test('6 membership that ends while the account is chosen: no session acts for the organization afterwards', async () => {
  const [ana, ben] = [await aPerson(), await aPerson()]
  const { group, setMember } = await anOrganization(ana, [ben])
  await ben.accept(group)
  const browsers = await Promise.all(
    Array.from({ length: 6 }, async (_, index) => {
      const browser = world.browser({ node: () => world.nodes[index % world.nodes.length] })
      await browser.signIn(ben.credentials)
      return browser
    }),
  )
  for (let round = 0; round < 4; round += 1) {
    const choice = { walletAddress: ben.address, groupPolicyAddress: group }
    const ends = await outcomes([
      ...browsers.map((browser) => browser.call(readWalletJwt, { query: choice })),
      ...browsers.map((browser) => browser.call(selectAccount, { body: choice })),
      setMember(ben, '0'),
      ...browsers.map((browser) => browser.call(readAccounts, {})),
    ])
    const allowed = ['answered', 'account-not-authorized']
    expect(Object.keys(ends).filter((end) => !allowed.includes(end))).toEqual([])
    for (const browser of browsers) {
      expect((await refusal(browser.call(readWalletJwt, { query: choice }))).code).toBe(
        'account-not-authorized',
      )
    }
    const open = await world.query(
      `select id from sessions where group_policy_address = '${group}' and wallet_address = '${ben.address}'`,
    )
    expect(open, `round ${round}`).toEqual([])
    await setMember(ben, '1')
    await ben.accept(group)
  }
})

test('6 simultaneous comparisons with an earlier and a later state of the group end with the later one', async () => {
  const [ana, ben] = [await aPerson(), await aPerson()]
  const { group, setMember } = await anOrganization(ana, [ben])
  await ben.accept(group)
  const list = () => [ben.organizations(), ana.organizations(), ben.organizations()]
  for (const weight of ['0', '1', '0', '1', '0'] as const) {
    await Promise.all([...list(), setMember(ben, weight), ...list()])
    expect(await ben.organizations()).toEqual([])
    expect(await ben.invitations()).toEqual(weight === '1' ? ['Willow Partners'] : [])
    const rows = await world.query(
      `select wallet_address from organization_invitations where account_address = '${group}' and wallet_address = '${ben.address}'`,
    )
    expect(rows).toHaveLength(Number(weight))
  }
})

test('6 organizations of others have their own limit, and do not count toward those that a person creates', async () => {
  const [ana, ben] = [await aPerson(), await aPerson()]
  const { accounts } = world.server.stores
  const at = world.clock.now()
  async function fill(count: number, isAdded: boolean) {
    for (let index = 0; index < count; index += 1) {
      const accountAddress = `tp1${isAdded ? 'added' : 'own'}${index}`
      await accounts.insert({ address: accountAddress, name: 'Filler', createdAt: at })
      const walletAddress = ben.address
      await accounts.insertAuthorization({
        walletAddress,
        accountAddress,
        type: 'RBAC',
        at,
        isAdded,
      })
    }
  }
  await fill(MAX_WALLETS / 2 - 1, true)
  await fill(MAX_WALLETS - 1, false)

  const begin = (name: string) =>
    ben.browser.call(beginOrganization, { body: { walletAddress: ben.address, name } })
  await begin('Last')
  expect((await refusal(begin('One more'))).code).toBe('too-many-accounts')

  const [first, second] = [await anOrganization(ana, [ben]), await anOrganization(ana, [])]
  await second.setMember(ben, '1')
  expect(await ben.invitations()).toHaveLength(2)
  // Of simultaneous acceptances, as many succeed as there are places.
  const ends = await outcomes([ben.accept(first.group), ben.accept(second.group)])
  expect(ends).toEqual({ answered: 1, 'too-many-accounts': 1 })
  expect(await ben.organizations()).toEqual(['Willow Partners'])
  // A member who leaves or hides one makes room for another.
  const rows = await world.query(
    `select account_address from authorizations where wallet_address = '${ben.address}' and type = 'Group'`,
  )
  const [joined, other] =
    rows[0]?.['account_address'] === first.group ? [first, second] : [second, first]
  expect(await ben.actFor(joined.group)).toBe(joined.group)
  await joined.setMember(ben, '0')
  expect(await ben.organizations()).toEqual([])
  await ben.accept(other.group)
  expect(await ben.actFor(other.group)).toBe(other.group)
})

test('6 an invitation that is accepted and declined at the same time ends as one of both', async () => {
  const [ana, ben] = [await aPerson(), await aPerson()]
  for (let round = 0; round < 3; round += 1) {
    const { group } = await anOrganization(ana, [ben])
    await outcomes([ben.accept(group), ben.decline(group), ben.accept(group), ben.decline(group)])
    const rows = await world.query(
      `select account_address from authorizations where account_address = '${group}' and wallet_address = '${ben.address}'
       union all
       select account_address from organization_invitations where account_address = '${group}' and wallet_address = '${ben.address}'`,
    )
    expect(rows).toHaveLength(1)
  }
})
