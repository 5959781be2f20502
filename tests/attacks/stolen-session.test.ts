/** What a stolen session can do with an account and its hosted wallet by calling the API directly (2.8, 7.4, 8). */
import {
  addPasskey,
  beginEmailChange,
  beginPasskey,
  beginTotp,
  confirmEmailChange,
  confirmIdentity,
  confirmTotp,
  endSessions,
  readSecurity,
  sendConfirmation,
} from '@portico/contracts/account-security'
import {
  type ApprovalRequest,
  approveRequest,
  readHostedAccounts,
  renameHostedAccount,
  requestApproval,
  restoreHostedAccount,
} from '@portico/contracts/hosted-wallet'
import { setPassword } from '@portico/contracts/identity'
import { passkeyLogin, readPasskeyLogin } from '@portico/contracts/two-factor'
import { createHostedAccount } from '@portico/contracts/wallet'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { MsgVote } from 'cosmjs-types/cosmos/group/v1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { expect, test } from 'vitest'
import { authenticatorCode } from '../support/authenticator.ts'
import type { Browser } from '../support/browser.ts'
import { aChain } from '../support/fake-chain.ts'
import { passkeyDevice } from '../support/passkey-device.ts'
import { PEOPLE } from '../support/people.ts'
import { outcomes } from '../support/race.ts'
import { aWorld, newPerson, OTHER_PASSWORD, refusal } from '../support/world.ts'

const PERSON = PEOPLE.organizations
const PAYEE = 'tp13dkh6lhe5zzfe4qwkl4fqyfmh58p35w5qaxwxy'
const STRANGER = 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh'
const HASH = 1_000_000_000n
const WORDS =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'
const DAY_MS = 24 * 60 * 60_000

const code = async (call: Promise<unknown>) => (await refusal(call)).code

const packed = <Message>(
  codec: { typeUrl: string; encode(message: Message): { finish(): Uint8Array } },
  message: Message,
) =>
  Buffer.from(
    Any.encode({ typeUrl: codec.typeUrl, value: codec.encode(message).finish() }).finish(),
  ).toString('base64')

const payment = (to: string, hash: bigint, denom = 'nhash') =>
  packed(MsgSend, {
    fromAddress: STRANGER,
    toAddress: to,
    amount: [{ denom, amount: `${hash * HASH}` }],
  })

/** A person with a hosted account, on a chain that accepts everything with almost no fees. */
async function victim(settings: Readonly<Record<string, string>> = {}) {
  const chain = await aChain()
  const world = await aWorld().withSettings({ CHAIN_URL: chain.url, ...settings })
  const browser = world.browser()
  await browser.signIn(PERSON)
  const [account] = await browser.call(readHostedAccounts, {})
  if (account === undefined) throw new Error('The person has no hosted account')
  const { address, groups } = account
  type Send = Partial<Extract<ApprovalRequest, { kind: 'send' }>>
  const ask = (messages: string[], more: Send = {}) =>
    browser.call(requestApproval, {
      body: {
        kind: 'send',
        address,
        messages,
        gasPrice: { gasPrice: 0.0001, gasPriceDenom: 'nhash' },
        ...more,
      },
    })
  const approve = (approvalId: string) => browser.call(approveRequest, { body: { approvalId } })
  const send = async (messages: string[], more?: Send) =>
    approve((await ask(messages, more)).approvalId)
  return {
    world,
    browser,
    chain,
    address,
    group: groups[0]?.address,
    ask,
    approve,
    send,
    /** Pays with a proof, which makes the recipient known. */
    async pay(to: string, hash: bigint) {
      const { approvalId } = await ask([payment(to, hash)])
      await prove(browser, approvalId)
      await approve(approvalId)
    },
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]()
      await chain[Symbol.asyncDispose]()
    },
  }
}

const prove = (browser: Browser, approval?: string) =>
  browser.call(confirmIdentity, {
    ...(approval === undefined ? {} : { query: { approval } }),
    body: { password: PERSON.password },
  })

test('7.4 nothing is sent to a new recipient without a fresh proof', async () => {
  await using thief = await victim()
  const { browser, chain, address, group, ask, send } = thief
  for (const [messages, more] of [
    [[payment(STRANGER, 1n)]],
    [[payment(STRANGER.toUpperCase(), 1n)]],
    // A group's proposed transfers count as sent, and own accounts count as new, because a thief can create them.
    [[payment(STRANGER, 1n)], { group }],
    [[payment(address, 1n)]],
  ] as const) {
    expect((await ask([...messages], more)).proof).toBe('new-recipient')
    expect(await code(send([...messages], more))).toBe('approval-unproven')
  }
  const { address: made } = await browser.call(createHostedAccount, { body: { name: 'New' } })
  // The owner has just confirmed something else in the stolen session.
  await prove(browser)
  const { address: restored } = await browser.call(restoreHostedAccount, {
    body: { name: 'Restored', words: WORDS },
  })
  for (const own of [made, restored]) {
    expect(await code(send([payment(own, 1n)]))).toBe('approval-unproven')
  }
  expect(chain.received).toEqual([])
})

test('7.4 a recipient is known once its sender has paid it with a proof, and only for that person', async () => {
  await using owner = await victim()
  const { chain, pay, ask, send, world } = owner
  await pay(PAYEE, 1n)
  expect((await ask([payment(PAYEE, 1n)])).proof).toBeNull()
  await send([payment(PAYEE.toUpperCase(), 1n)])
  expect(chain.received).toHaveLength(2)
  const other = world.browser()
  await other.signIn(PEOPLE.several)
  const [account] = await other.call(readHostedAccounts, {})
  const { proof } = await other.call(requestApproval, {
    body: { kind: 'send', address: account?.address ?? '', messages: [payment(PAYEE, 1n)] },
  })
  expect(proof).toBe('new-recipient')
})

test('7.4 no more than the limit is sent per day without a proof, however it is split, fees included', async () => {
  await using thief = await victim()
  const { chain, pay, ask, send, world } = thief
  await pay(PAYEE, 1000n)
  expect((await ask([payment(PAYEE, 101n)])).proof).toBe('above-limit')
  expect(await code(send([payment(PAYEE, 60n), payment(PAYEE, 60n)]))).toBe('approval-unproven')
  const dear = { gasPrice: { gasPrice: 1e6, gasPriceDenom: 'nhash' } }
  expect(await code(send([payment(PAYEE, 1n)], dear))).toBe('approval-unproven')
  expect(await code(send([payment(PAYEE, 1n, 'uusd')]))).toBe('approval-unproven')
  // Requested before anything was sent, decided afterwards.
  const early = await ask([payment(PAYEE, 60n)])
  expect(early.proof).toBeNull()
  await send([payment(PAYEE, 60n)])
  expect(await code(thief.approve(early.approvalId))).toBe('approval-unproven')
  await send([payment(PAYEE, 39n)])
  expect(chain.received).toHaveLength(3)
  world.clock.pass(DAY_MS + 60_000)
  await thief.browser.signIn(PERSON)
  await send([payment(PAYEE, 99n)])
})

test('7.4 simultaneous approvals cannot exceed the limit', async () => {
  await using thief = await victim()
  await thief.pay(PAYEE, 1n)
  const approvals = []
  for (let index = 0; index < 12; index += 1) approvals.push(await thief.ask([payment(PAYEE, 30n)]))
  const racers = approvals.map(({ approvalId }) => thief.approve(approvalId))
  expect(await outcomes(racers)).toEqual({ answered: 3, 'approval-unproven': 9 })
})

test('7.4 a transaction with an unclear effect needs a proof: unknown messages, votes, a limit of zero', async () => {
  await using thief = await victim({ HOSTED_TRANSFER_LIMIT: '0' })
  const unknown = Buffer.from([10, 2, 47, 120, 18, 1, 9]).toString('base64')
  const vote = packed(MsgVote, MsgVote.fromPartial({ proposalId: 1n, voter: STRANGER, option: 1 }))
  for (const message of [unknown, vote]) {
    expect((await thief.ask([message])).proof).toBe('unclear')
    expect(await code(thief.send([message]))).toBe('approval-unproven')
  }
  await thief.pay(PAYEE, 1n)
  expect(await code(thief.send([payment(PAYEE, 1n)]))).toBe('approval-unproven')
})

test('7.4 a proof is valid for one approval of the same session, and only if made for it', async () => {
  await using thief = await victim()
  const { browser, world, ask, approve } = thief
  const [planted, meant] = [await ask([payment(STRANGER, 1n)]), await ask([payment(PAYEE, 1n)])]
  // The person unlocks the wallet, and confirms something else.
  await prove(browser)
  await prove(browser, meant.approvalId)
  expect(await code(approve(planted.approvalId))).toBe('approval-unproven')
  await approve(meant.approvalId)
  expect(await code(approve((await ask([payment(STRANGER, 1n)])).approvalId))).toBe(
    'approval-unproven',
  )
  const other = world.browser()
  await other.signIn(PERSON)
  expect(await code(prove(other, planted.approvalId))).toBe('approval-over')
  expect(await code(prove(browser, meant.approvalId))).toBe('approval-over')
  expect(await code(approve(planted.approvalId))).toBe('approval-unproven')
})

test('2.8 reading every nine and a half minutes does not keep a stolen wallet open', async () => {
  await using thief = await victim()
  thief.world.clock.pass(9.5 * 60_000)
  await thief.browser.call(readHostedAccounts, {})
  await thief.ask([payment(PAYEE, 1n)])
  thief.world.clock.pass(9.5 * 60_000)
  expect(await code(thief.browser.call(readHostedAccounts, {}))).toBe('wallet-locked')
})

test('9 every transaction is mailed to the owner with full addresses, whatever its result', async () => {
  await using owner = await victim()
  const { chain, pay, send, world } = owner
  chain.answer = { code: 5, raw_log: 'insufficient funds' }
  await pay(PAYEE, 900n)
  await send([payment(PAYEE, 2n)])
  const mails = (await world.mail(PERSON.email)).filter(({ subject }) =>
    subject.includes('transaction'),
  )
  expect(mails).toHaveLength(2)
  const [second, first] = mails
    .toSorted((a, b) => b.text.indexOf('900') - a.text.indexOf('900'))
    .toReversed()
  expect(first?.text).toContain('Send 900 hash to tp13d...axwxy.')
  expect(first?.text).toContain(`Recipient: ${PAYEE}`)
  expect(first?.text).toContain('with your wallet account Olga')
  expect(second?.text).toContain('Send 2 hash to tp13d...axwxy.')
})

test('8 a page cannot claim an origin: an origin in the request is refused', async () => {
  await using thief = await victim()
  const body = { kind: 'connect', address: thief.address, origin: 'https://bank.example' }
  expect(await code(thief.browser.call(requestApproval, { body: body as ApprovalRequest }))).toBe(
    'invalid-request',
  )
})

test('8 a stolen session restores no account from words; with a confirmation the owner is mailed', {
  tags: 'database',
}, async () => {
  await using thief = await victim()
  const { browser, world, address } = thief
  const restore = (name: string) =>
    browser.call(restoreHostedAccount, { body: { name, words: WORDS, default: true } })
  expect(await code(restore('Savings'))).toBe('confirmation-needed')
  const listed = async () =>
    (await browser.call(readHostedAccounts, {})).map((each) => each.address)
  expect(await listed()).toEqual([address])

  await browser.confirm(PERSON)
  const restored = await restore('Savings')
  expect(await listed()).toEqual(expect.arrayContaining([address, restored.address]))
  const mails = (await world.mail(PERSON.email)).map(({ text }) => text).join('\n')
  expect(mails).toContain(`the wallet account ${restored.address} was restored from recovery words`)
})

test('8 no two wallet accounts of a person have the same name, created, restored or renamed, even at once', {
  tags: 'database',
}, async () => {
  await using owner = await victim()
  const { browser, world } = owner
  const [account] = await browser.call(readHostedAccounts, {})
  const { name = '', address = '' } = account ?? {}
  await browser.confirm(PERSON)
  const create = (called: string) => browser.call(createHostedAccount, { body: { name: called } })
  for (const used of [name, `  ${name.toUpperCase()} `]) {
    expect(await code(create(used))).toBe('account-name-used')
    const body = { name: used, words: WORDS }
    expect(await code(browser.call(restoreHostedAccount, { body }))).toBe('account-name-used')
  }
  const other = await create('Rainy days')
  const rename = (body: { address: string; name: string }) =>
    browser.call(renameHostedAccount, { body })
  expect(await code(rename({ address, name: 'rainy  days' }))).toBe('account-name-used')
  await rename({ address, name: name.toUpperCase() })
  // Another person may use the name.
  const stranger = world.browser()
  await stranger.signIn(PEOPLE.plain)
  await stranger.call(createHostedAccount, { body: { name } })

  const races = await outcomes([
    ...[1, 2, 3].map(() => create('Savings')),
    ...[address, other.address].map((each) => rename({ address: each, name: 'Savings' })),
  ])
  expect(races).toEqual({ answered: 1, 'account-name-used': 4 })
})

/** Adds an authenticator app in a browser that may; returns its secret. */
async function addAuthenticator(browser: Browser, now: () => number): Promise<string> {
  const { secret } = await browser.call(beginTotp, {})
  await browser.call(confirmTotp, { body: { code: authenticatorCode(secret, now()) } })
  return secret
}

test('8 a stolen session, however new, adds no factor, sets no password and ends no other session', {
  tags: 'database',
}, async () => {
  await using thief = await victim()
  const { browser } = thief
  for (const change of [
    () => browser.call(beginTotp, {}),
    () => browser.call(beginPasskey, {}),
    () => browser.call(beginEmailChange, { body: { email: newPerson('thief').email } }),
    () => browser.call(endSessions, { body: { which: 'others' } }),
  ]) {
    expect(await code(change())).toBe('confirmation-needed')
  }
  expect(await code(browser.call(setPassword, { body: { newPassword: OTHER_PASSWORD } }))).toBe(
    'sign-in-too-old',
  )
})

test('8 a factor does not confirm the session that added it, and pays nothing for a day', {
  tags: 'database',
}, async () => {
  await using thief = await victim({ PUBLIC_URL: 'http://login.lender.example' })
  const { browser, world, ask, approve } = thief
  // The owner has just confirmed something else in the stolen session.
  await browser.confirm(PERSON)
  const secret = await addAuthenticator(browser, world.clock.now)
  const device = passkeyDevice({ origin: world.origin })
  const { challengeUuid, options } = await browser.call(beginPasskey, {})
  const body = { challengeUuid, name: 'Mine', response: device.make(options) }
  await browser.call(addPasskey, { body })
  const totp = () => {
    world.clock.pass(60_000)
    return { totp: authenticatorCode(secret, world.clock.now()) }
  }
  const confirm = (approval?: string) =>
    browser.call(confirmIdentity, {
      ...(approval === undefined ? {} : { query: { approval } }),
      body: totp(),
    })
  const { approvalId } = await ask([payment(STRANGER, 1n)])
  expect(await code(confirm())).toBe('factor-too-new')
  expect(await code(confirm(approvalId))).toBe('factor-too-new')
  expect((await browser.call(readSecurity, {})).confirmWith).toEqual({
    change: ['password', 'passcode'],
    payment: ['password', 'passcode'],
  })

  // A new session is younger than the factor, which still does not pay.
  const login = await browser.call(readPasskeyLogin, { body: {} })
  const { jwt = '' } = await browser.call(passkeyLogin, {
    body: { challengeUuid: login.challengeUuid, response: device.sign(login.options) },
  })
  browser.jwt.write(jwt)
  await confirm()
  const second = await ask([payment(STRANGER, 1n)])
  expect(await code(confirm(second.approvalId))).toBe('factor-too-new')
  expect(await code(approve(second.approvalId))).toBe('approval-unproven')
  expect(thief.chain.received).toEqual([])
  expect((await browser.call(readSecurity, {})).confirmWith).toEqual({
    change: ['password', 'passkey', 'totp', 'passcode'],
    payment: ['password', 'passcode'],
  })

  // What is stored says how the factor came about.
  const origins = await world.query('select proved_by from totp where added_in is not null')
  expect(origins).toEqual([{ proved_by: 'password' }])
})

test('8 a password that a login asked for confirms nothing for a day, even after a new login', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const { email } = PEOPLE.passwordless
  world.clock.pass(60 * 60_000)
  await browser.signInByPasscode(email)
  const set = (newPassword: string) => browser.call(setPassword, { body: { newPassword } })
  await set(OTHER_PASSWORD)
  const planted = { email, password: OTHER_PASSWORD }
  expect(await code(browser.confirm(planted))).toBe('factor-too-new')
  await browser.signIn(planted)
  expect(await code(browser.confirm(planted))).toBe('factor-too-new')
  expect(await code(browser.call(beginTotp, {}))).toBe('confirmation-needed')
  world.clock.pass(DAY_MS)
  await browser.signIn(planted)
  await browser.confirm(planted)
})

test('8 a session stolen right after a registration cannot confirm with the password it sets; the mailbox can', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const planted = newPerson('registered')
  await browser.register(planted)
  const chosen = (await world.mail(planted.email)).map(({ text }) => text).join()
  expect(chosen).toContain('If this was not you, reset your password now')

  world.clock.pass(60_000)
  await browser.signIn(planted)
  expect(await code(browser.confirm(planted))).toBe('factor-too-new')
  expect(await code(browser.call(beginTotp, {}))).toBe('confirmation-needed')

  // The owner reads the mailbox, which confirms at once and replaces the password.
  const owner = world.browser()
  await owner.signInByPasscode(planted.email)
  expect((await owner.call(readSecurity, {})).confirmWith.change).toEqual(['passcode'])
  await owner.confirmByMail(planted.email)
  await owner.call(setPassword, { body: { newPassword: `${OTHER_PASSWORD}-own` } })
  expect(await code(browser.signIn(planted))).toBe('wrong-credentials')
})

test('8 of two tabs that set the password that a login asks for, exactly one does', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  const browser = world.browser()
  await browser.signInByPasscode(PEOPLE.passwordless.email)
  const set = (each: number) =>
    browser.call(setPassword, { body: { newPassword: `${OTHER_PASSWORD}-${each}` } })
  expect(await outcomes([1, 2, 3, 4].map(set))).toEqual({ answered: 1, 'sign-in-too-old': 3 })
})

test('8 a new address does not confirm the session that changed it, and pays nothing for a day', async () => {
  await using thief = await victim()
  const { browser, world, ask } = thief
  const { email } = newPerson('thief')
  await browser.confirm(PERSON)
  const { changeUuid } = await browser.call(beginEmailChange, { body: { email } })
  const currentToken = await world.passcode(PERSON.email)
  const newToken = await world.passcode(email)
  await browser.call(confirmEmailChange, { body: { changeUuid, currentToken, newToken } })
  expect(await code(browser.call(sendConfirmation, {}))).toBe('factor-too-new')
  expect((await browser.call(readSecurity, {})).confirmWith.change).toEqual(['password'])

  world.clock.pass(60_000)
  await browser.signInByPasscode(email)
  const { approvalId } = await ask([payment(STRANGER, 1n)])
  const { loginUuid } = await browser.call(sendConfirmation, {})
  const token = await world.passcode(email)
  const pay = browser.call(confirmIdentity, {
    query: { approval: approvalId },
    body: { loginUuid, token },
  })
  expect(await code(pay)).toBe('factor-too-new')
  await browser.confirmByMail(email)
})

test('8 factors from before their ages were stored count as older', async () => {
  await using owner = await victim()
  const { browser, ask, approve } = owner
  const { approvalId } = await ask([payment(STRANGER, 1n)])
  await prove(browser, approvalId)
  await approve(approvalId)
  const stored = `select password_set_at from identities where email = '${PERSON.email}'`
  expect(await owner.world.query(stored)).toEqual([{ password_set_at: null }])
})
