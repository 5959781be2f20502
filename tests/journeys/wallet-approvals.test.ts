import { confirmIdentity, readSecurity } from '@portico/contracts/account-security'
import {
  type ApprovalRequest,
  approveRequest,
  readHostedAccounts,
  rejectRequest,
  requestApproval,
} from '@portico/contracts/hosted-wallet'
import { readAccounts } from '@portico/contracts/wallet'
import { bytesOfBase64, bytesOfHex, hexOf } from '@portico/keys/bytes'
import { unsignedJwt, verifyJwt } from '@portico/keys/jwt'
import { verify } from '@portico/keys/signature'
import { spellingsOf } from '@portico/rules/testing'
import { SignDoc, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { aChain } from '../support/fake-chain.ts'
import { PEOPLE } from '../support/people.ts'
import { aWorld, refusal } from '../support/world.ts'

const MINUTE_MS = 60_000
/** A published message: 100000 nhash from one address to another (protocol 17.5). */
const MSG_SEND =
  'ChwvY29zbW9zLmJhbmsudjFiZXRhMS5Nc2dTZW5kEmcKKXRwMWtuc3hmbm4wbHE0OG1tbmtmbmtndGtrOHFueHhkdTB5MnRrbGtoEil0cDEzZGtoNmxoZTV6emZlNHF3a2w0ZnF5Zm1oNThwMzV3NXFheHd4eRoPCgVuaGFzaBIGMTAwMDAw'
const FROM = 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh'
const TO = 'tp13dkh6lhe5zzfe4qwkl4fqyfmh58p35w5qaxwxy'

/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9'

const textHex = (text: string) => hexOf(new TextEncoder().encode(text))
const code = async (call: Promise<unknown>) => (await refusal(call)).code

/** A signed-in demonstration person and their first hosted account. */
async function hosted(settings: Readonly<Record<string, string>> = {}) {
  const world = await aWorld().withSettings(settings)
  const browser = world.browser()
  await browser.signIn(PEOPLE.organizations)
  const [account] = await browser.call(readHostedAccounts, {})
  if (account === undefined) throw new Error('The person has no hosted account')
  return { world, browser, account, key: bytesOfBase64(account.publicKey) ?? new Uint8Array() }
}

const ask = (browser: Browser, body: ApprovalRequest) => browser.call(requestApproval, { body })
const prove = (browser: Browser, approvalId: string) =>
  browser.call(confirmIdentity, {
    query: { approval: approvalId },
    body: { password: PEOPLE.organizations.password },
  })
const approve = (browser: Browser, approvalId: string) =>
  browser.call(approveRequest, { body: { approvalId } })

test('protocol 7: connecting returns the account, its key, and a token with the requested lifetime', async () => {
  const { world, browser, account } = await hosted()
  await using _ = world
  const { address } = account
  const pending = await ask(browser, { kind: 'connect', address, jwtExpirationS: 600 })
  expect(pending.words).toEqual({ kind: 'connect', lifetimeS: 600 })
  const approval = await approve(browser, pending.approvalId)
  if (approval.kind !== 'connect') throw new Error('Something else was approved')
  expect(approval.account).toEqual({
    address,
    publicKey: account.publicKey,
    jwt: expect.any(String),
    walletInfo: { id: address, name: 'Olga', coin: 'testNet' },
    attributes: [],
    representedGroupPolicy: null,
  })
  const now = Math.floor(world.clock.now() / 1000)
  const checked = { now, issuer: '127.0.0.1', prefix: 'tp' }
  expect(verifyJwt(approval.account.jwt, checked)).toMatchObject({
    ok: true,
    claims: { addr: address },
  })
  expect(verifyJwt(approval.account.jwt, { ...checked, now: now + 601 }).ok).toBe(false)
})

test('protocol 9.4: switching to a group returns a token with grp; an unauthorized group is refused', async () => {
  const { world, browser, account } = await hosted()
  await using _ = world
  const { address } = account
  const [group] = account.groups
  expect(group?.name).toBe('Larch Partners')
  const { approvalId, words } = await ask(browser, {
    kind: 'switch-group',
    address,
    group: group?.address,
  })
  expect(words).toEqual({ kind: 'switch-group', group })
  const approval = await approve(browser, approvalId)
  if (approval.kind !== 'switch-group') throw new Error('Something else was approved')
  expect(approval.account.representedGroupPolicy).toEqual({
    address: group?.address,
    metadata: { name: 'Larch Partners' },
  })
  const now = Math.floor(world.clock.now() / 1000)
  expect(verifyJwt(approval.account.jwt, { now })).toMatchObject({
    ok: true,
    claims: { addr: address, grp: group?.address },
  })
  // RBAC and Shared sign with the wallet's own address (§6).
  for (const { account: other, authorizedWallets } of await browser.call(readAccounts, {})) {
    if (authorizedWallets[0]?.authorizationType === 'Group') continue
    const wrong = ask(browser, { kind: 'switch-group', address, group: other.address })
    expect(await code(wrong)).toBe('account-not-authorized')
  }
})

test('protocol 9.1: a message’s bytes are signed unchanged, once, and verify with the account’s key', async () => {
  const { world, browser, account, key } = await hosted()
  await using _ = world
  const { address } = account
  for (const [messageHex, words] of [
    ['deadbeef', { kind: 'bytes', hex: 'deadbeef', length: 4 }],
    [textHex('Hello,\nworld'), { kind: 'text', text: 'Hello,\nworld' }],
    // Text with bidirectional control characters is shown as bytes.
    [textHex('pay \u202e001'), { kind: 'bytes', hex: textHex('pay \u202e001'), length: 10 }],
  ] as const) {
    const pending = await ask(browser, { kind: 'sign', address, messageHex })
    expect(pending.words).toEqual(words)
    const approval = await approve(browser, pending.approvalId)
    if (approval.kind !== 'sign') throw new Error('Something else was approved')
    const signature = bytesOfHex(approval.signature) ?? new Uint8Array()
    expect(verify(key, bytesOfHex(messageHex) ?? new Uint8Array(), signature)).toBe(true)
    expect(await code(approve(browser, pending.approvalId))).toBe('approval-over')
  }
})

test('protocol 9.2: a token is shown as one, whatever its description, and signed for its own account only', async () => {
  const { world, browser, account } = await hosted()
  await using _ = world
  const { address, publicKey: sub } = account
  const claims = { sub, iss: 'page.example', iat: 1_700_000_000, exp: 1_700_001_440 }
  const messageHex = textHex(unsignedJwt({ ...claims, addr: address }))
  const words = {
    kind: 'token',
    issuer: 'page.example',
    address,
    group: null,
    issuedAt: 1_700_000_000,
    expiresAt: 1_700_001_440,
  }
  for (const kind of ['sign', 'sign-jwt'] as const) {
    expect((await ask(browser, { kind, address, messageHex })).words).toEqual(words)
  }
  const foreign = textHex(unsignedJwt({ ...claims, addr: TO }))
  expect(await code(ask(browser, { kind: 'sign-jwt', address, messageHex: foreign }))).toBe(
    'message-unreadable',
  )
  expect(await code(ask(browser, { kind: 'sign-jwt', address, messageHex: 'deadbeef' }))).toBe(
    'message-unreadable',
  )
})

test('protocol 11: for another page no token that the installation would accept is signed', async () => {
  const { world, browser, account } = await hosted({
    WALLET_TOKEN_ISSUERS: 'provenance.io, wallet.example',
  })
  await using _ = world
  const { address, publicKey: sub } = account
  const claims = { sub, iat: 1_700_000_000, exp: 1_700_001_440, addr: address }
  const tokenOf = (iss: string, origin?: string) =>
    textHex(unsignedJwt({ ...claims, iss, ...(origin === undefined ? {} : { origin }) }))
  const stranger = 'https://stranger.example'
  for (const kind of ['sign', 'sign-jwt'] as const) {
    for (const iss of ['provenance.io', 'wallet.example', '127.0.0.1']) {
      for (const page of [{ pageOrigin: stranger }, { pageOrigin: 'null' }, {}]) {
        const asked = ask(browser, { kind, address, messageHex: tokenOf(iss), ...page })
        expect(await code(asked), iss).toBe('message-for-other-site')
      }
    }
    // The stranger's own token, and one that is accepted at the stranger's only.
    for (const messageHex of [tokenOf('stranger.example'), tokenOf('provenance.io', stranger)]) {
      await ask(browser, { kind, address, messageHex, pageOrigin: stranger })
    }
  }
})

test('7.4 a sign-in text for another site than the asking page is not signed, however it is written', async () => {
  const { world, browser, account, key } = await hosted()
  await using _ = world
  const { address } = account
  const lender = 'https://lender.example'
  for (const [spelling, bytes] of spellingsOf(`Sign in to ${lender} with this wallet: 0d3c`)) {
    const request = { kind: 'sign', address, messageHex: hexOf(bytes) } as const
    for (const page of [{ pageOrigin: 'https://stranger.example' }, { pageOrigin: 'null' }, {}]) {
      expect(await code(ask(browser, { ...request, ...page })), spelling).toBe(
        'message-for-other-site',
      )
    }
    const { approvalId } = await ask(browser, { ...request, pageOrigin: lender })
    const result = await approve(browser, approvalId)
    const signature = bytesOfHex(result.kind === 'sign' ? result.signature : '')
    expect(verify(key, bytes, signature ?? new Uint8Array()), spelling).toBe(true)
  }
})

test('protocol 9.3: a transaction is shown from the signed bytes, sent, and returned in the protocol’s names', async () => {
  await using chain = await aChain()
  const { world, browser, account, key } = await hosted({ CHAIN_URL: chain.url })
  await using _ = world
  const { address } = account
  const pending = await ask(browser, {
    kind: 'send',
    address,
    messages: [MSG_SEND],
    memo: 'rent',
    timeoutHeight: 7,
    gasPrice: { gasPrice: 2, gasPriceDenom: 'nhash' },
  })
  expect(pending.words).toEqual({
    kind: 'transaction',
    effect: 'Send 0.0001 hash to tp13d...axwxy',
    amount: '0.0001 hash',
    total: '0.00036 hash',
    usualFee: null,
    votesOnly: false,
    network: 'Provenance test network',
    messages: [
      {
        level: 0,
        typeUrl: '/cosmos.bank.v1beta1.MsgSend',
        title: 'Send',
        understood: true,
        fields: [
          { kind: 'text', label: 'Amount', value: '0.0001 hash' },
          { kind: 'address', label: 'From', address: FROM, name: null },
          { kind: 'address', label: 'To', address: TO, name: null },
        ],
      },
    ],
    fee: '0.00026 hash',
    gasLimit: '130000',
    feePayer: null,
    feeGranter: null,
    memo: 'rent',
    timeoutHeight: '7',
    extensions: 0,
    hex: expect.stringMatching(/^[0-9a-f]+$/),
  })
  expect(pending.proof).toBe('new-recipient')
  expect(chain.received).toEqual([])
  await prove(browser, pending.approvalId)
  expect(await approve(browser, pending.approvalId)).toEqual({
    kind: 'send',
    txResponse: { code: 0, txhash: 'A1B2', rawLog: '', logsList: [], height: '9' },
  })
  const sent = TxRaw.decode(Buffer.from(chain.received[0] ?? '', 'base64'))
  const { bodyBytes, authInfoBytes } = sent
  const document = SignDoc.encode({
    bodyBytes,
    authInfoBytes,
    chainId: 'pio-testnet-1',
    accountNumber: 7n,
  }).finish()
  expect(verify(key, document, sent.signatures[0] ?? new Uint8Array())).toBe(true)

  // The same document is not signed as a message: that signature would be valid for the transaction.
  for (const kind of ['sign', 'sign-jwt'] as const) {
    const disguised = ask(browser, { kind, address, messageHex: hexOf(document) })
    expect(await code(disguised)).toBe('message-is-transaction')
  }
})

test('2.8 on a network with message fees a page cannot set the fee', async () => {
  await using chain = await aChain()
  chain.messageFee = '50000000'
  const { world, browser, account } = await hosted({ CHAIN_URL: chain.url })
  await using _ = world
  for (const gasPrice of [1905, 7_000_000]) {
    const { words } = await ask(browser, {
      kind: 'send',
      address: account.address,
      messages: [MSG_SEND],
      gasPrice: { gasPrice, gasPriceDenom: 'nhash' },
    })
    expect(words).toMatchObject({ fee: '0.05 hash', usualFee: null })
  }
})

test('protocol 9.1: nothing that could be a transaction is signed as a message', async () => {
  const { world, browser, account } = await hosted()
  await using _ = world
  for (const messageHex of [
    textHex('{ "fee": {}, "msgs": [], "memo": "", "chain_id": "pio-testnet-1" }'),
    // With an explicit empty field; in another order; and the CBOR of SIGN_MODE_TEXTUAL.
    '0a04120200011204120200011a00',
    '120412020001200a0a0412020001',
    'a10181a10168436861696e206964',
  ]) {
    const pending = ask(browser, { kind: 'sign', address: account.address, messageHex })
    expect(await code(pending), messageHex).toBe('message-is-transaction')
  }
})

test('5 a nonzero code of the chain is returned with its raw log', async () => {
  await using chain = await aChain()
  const { world, browser, account } = await hosted({ CHAIN_URL: chain.url })
  await using _ = world
  chain.answer = { code: 5, raw_log: 'insufficient funds' }
  const { address } = account
  const { approvalId } = await ask(browser, { kind: 'send', address, messages: [MSG_SEND] })
  await prove(browser, approvalId)
  expect(await approve(browser, approvalId)).toMatchObject({
    txResponse: { code: 5, rawLog: 'insufficient funds' },
  })
})

test('6 for a group a transaction is its member’s proposal, and the proposed messages are shown', async () => {
  await using chain = await aChain()
  const { world, browser, account } = await hosted({ CHAIN_URL: chain.url })
  await using _ = world
  const { address } = account
  const group = account.groups[0]?.address
  const unknown = Buffer.from([10, 2, 47, 120, 18, 1, 9]).toString('base64')
  const { words } = await ask(browser, {
    kind: 'send',
    address,
    group,
    messages: [MSG_SEND, unknown],
  })
  if (words.kind !== 'transaction') throw new Error('Something else was shown')
  expect(words.messages.map(({ level, title, understood }) => [level, title, understood])).toEqual([
    [0, 'Propose to a group', true],
    [1, 'Send', true],
    [1, 'A message this wallet does not recognize', false],
  ])
  expect(words.effect).toMatch(/^Propose to Larch Partners: send 0.0001 hash to .*, and 1 more$/)
  const [proposal] = words.messages
  expect(proposal?.fields).toContainEqual({
    kind: 'address',
    label: 'Group',
    address: group,
    name: 'Larch Partners',
  })
  expect(proposal?.fields).toContainEqual({
    kind: 'address',
    label: 'Proposed by',
    address,
    name: 'Olga',
  })
})

test('protocol 9.3: a page that proposes by its own message receives the transaction with the proposal’s id at once', async () => {
  await using chain = await aChain()
  const { world, browser, account } = await hosted({ CHAIN_URL: chain.url })
  await using _ = world
  const event = {
    type: 'cosmos.group.v1.EventSubmitProposal',
    attributes: [{ key: 'proposal_id', value: '"7"' }],
  }
  chain.answer = { ...chain.answer, events: [event] }
  const { address, groups } = account
  const sent = async (group: string | null) => {
    const body: ApprovalRequest = { kind: 'send', address, group, messages: [MSG_SEND] }
    const { approvalId } = await ask(browser, body)
    await prove(browser, approvalId)
    return approve(browser, approvalId)
  }
  expect(await sent(null)).toMatchObject({
    kind: 'send',
    txResponse: { code: 0, eventsList: [{}] },
  })
  expect(await sent(groups[0]?.address ?? '')).toMatchObject({ kind: 'proposed', proposalId: '7' })
})

test('protocol 9.3: extension options are signed with the transaction and marked as not understood', async () => {
  await using chain = await aChain()
  const { world, browser, account } = await hosted({ CHAIN_URL: chain.url })
  await using _ = world
  const { address } = account
  const send = (extension: string) =>
    ask(browser, {
      kind: 'send',
      address,
      messages: [MSG_SEND],
      nonCriticalExtensionOptions: [extension],
    })
  const { words, proof } = await send(MSG_SEND)
  expect(words).toMatchObject({ kind: 'transaction', extensions: 1 })
  expect(proof).toBe('unclear')
  expect(await code(send('AAAA'))).toBe('message-unreadable')
})

test('8 without a chain nothing is sent, and an invalid message is not shown', async () => {
  const { world, browser, account } = await hosted({ CHAIN_URL: NOWHERE })
  await using _ = world
  const { address } = account
  const send = (message: string) => ask(browser, { kind: 'send', address, messages: [message] })
  expect(await code(send(MSG_SEND))).toBe('chain-not-available')
  expect(await code(send('AAAA'))).toBe('message-unreadable')
})

test('a rejected or expired request can no longer be approved; each decision is recorded', async () => {
  const { world, browser, account } = await hosted()
  await using _ = world
  const { address } = account
  const pending = () => ask(browser, { kind: 'sign', address, messageHex: 'deadbeef' })
  const { approvalId: rejected } = await pending()
  await browser.call(rejectRequest, { body: { approvalId: rejected } })
  expect(await code(approve(browser, rejected))).toBe('approval-over')
  expect(await code(browser.call(rejectRequest, { body: { approvalId: rejected } }))).toBe(
    'approval-over',
  )
  const { approvalId: late } = await pending()
  world.clock.pass(6 * MINUTE_MS)
  expect(await code(approve(browser, late))).toBe('approval-over')
  await approve(browser, (await pending()).approvalId)
  const kinds = await world.query(
    "select kind, details from audit_events where kind like 'approval-%' order by created_at",
  )
  expect(kinds.map(({ kind }) => kind)).toEqual([
    'approval-asked',
    'approval-rejected',
    'approval-asked',
    'approval-asked',
    'approval-given',
  ])
  expect(String(kinds[4]?.['details'])).toContain('sign')
})

test('9 frequent use of a wallet does not push the sign-in out of the recent events', async () => {
  const { world, browser, account } = await hosted()
  await using _ = world
  for (let message = 0; message < 25; message++) {
    const pending = await ask(browser, {
      kind: 'sign',
      address: account.address,
      messageHex: textHex(String(message)),
    })
    await approve(browser, pending.approvalId)
  }
  const { events } = await browser.call(readSecurity, {})
  const kinds = events.map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind.startsWith('approval-'))).toEqual(
    Array.from({ length: 5 }, () => 'approval-given'),
  )
  expect(kinds).toContain('signed-in')
})
