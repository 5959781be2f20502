import { bytesOfHex, hexOf } from '@portico/keys/bytes'
import { readJwt, unsignedJwt, verifyJwt } from '@portico/keys/jwt'
import { verify } from '@portico/keys/signature'
import { afterEach, expect, test, vi } from 'vitest'
import reference from '../../vectors/reference.json' with { type: 'json' }
import { parseAccounts } from '../protocol/account.ts'
import { open } from '../protocol/envelope.ts'
import { WalletError } from '../protocol/errors.ts'
import { parseSessionUpdate, sessionEnd } from '../protocol/handshake.ts'
import { rpcRequest } from '../protocol/json-rpc.ts'
import {
  sendTransactionRequest,
  signRequest,
  type WalletAction,
  walletActionRequest,
} from '../protocol/methods.ts'
import type { ConnectOptions } from '../protocol/uri.ts'
import type { Approver } from './approver.ts'
import { ACCOUNT, aWalletWorld, GROUP, rejects, signs } from './testing.ts'
import {
  joinSession,
  resumeSession,
  type WalletOptions,
  type WalletSession,
} from './wallet-session.ts'

// Longer than the default of one second, for machines under load.
const WAITS = { timeout: 30_000 }

const ends: (() => Promise<unknown>)[] = []

afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()))
})

async function aWorld(connectOptions: ConnectOptions = {}) {
  const world = await aWalletWorld(connectOptions)
  ends.push(world.close)
  return world
}

type World = Awaited<ReturnType<typeof aWorld>>

async function join(
  world: World,
  approver: Partial<Approver> = {},
  others: Partial<WalletOptions> = {},
) {
  const session = await joinSession(world.page.uri, world.options(approver, others))
  ends.push(() => session.leave())
  return session
}

async function connected(
  approver: Partial<Approver> = {},
  connectOptions: ConnectOptions = {},
  others: Partial<WalletOptions> = {},
) {
  const world = await aWorld(connectOptions)
  const session = await join(world, approver, others)
  const outcome = await world.page.handshake
  if (outcome?.kind !== 'approved') return expect.fail(`not approved: ${outcome?.message}`)
  return {
    ...world,
    session,
    approval: outcome.approval,
    account: parseAccounts(outcome.approval.accounts),
  }
}

const METADATA = { id: 5, description: 'test', address: ACCOUNT.address, date: 1 }
const signing = (hex: string, others: { id?: number; customId?: string; address?: string } = {}) =>
  signRequest({ ...METADATA, hex, ...others })
const sending = () => sendTransactionRequest({ ...METADATA, messages: [reference.send.b64] })
const acting = (action: WalletAction, id = 5) => walletActionRequest({ ...METADATA, ...action, id })
const never = () => new Promise<never>(() => undefined)

test('protocol 6: the wallet approves with its network, its account in object form and its own topic', async () => {
  const { approval, account, session } = await connected()
  expect(approval).toMatchObject({
    chainId: 'pio-testnet-1',
    networkId: 0,
    rpcUrl: '',
    peerId: 'wallet',
    peerMeta: { name: 'Wallet' },
  })
  expect(account).toMatchObject({
    address: ACCOUNT.address,
    walletInfo: { id: ACCOUNT.address, name: 'Ada', coin: 'testNet' },
    attributes: [],
    representedGroupPolicy: null,
  })
  expect(bytesOfHex(hexOf(ACCOUNT.publicKey))).toHaveLength(33)
  expect(session.state()).toMatchObject({
    step: 'connected',
    page: { peerId: 'page', peerMeta: { name: 'Page' } },
  })
})

test('protocol 11: the session token has subject, issuer and 86400 s lifetime, and verifies', async () => {
  const { account, time } = await connected()
  const now = time.now() / 1000
  expect(verifyJwt(account.jwt, { now, issuer: 'wallet.example', prefix: 'tp' })).toMatchObject({
    ok: true,
    claims: { iss: 'wallet.example', iat: now - 60, exp: now + 86_400, addr: ACCOUNT.address },
  })
  expect(readJwt(account.jwt)?.claims.grp).toBeUndefined()
})

test('protocol 8: jwtExpiration of the URI is the lifetime of the session token', async () => {
  const { account, time } = await connected({}, { jwtExpirationS: 77 })
  expect(readJwt(account.jwt)?.claims.exp).toBe(time.now() / 1000 + 77)
})

test('protocol 11: acting for a group, addr stays the individual and grp is the group', async () => {
  const world = await aWorld({ groupAddress: GROUP.address })
  await join(world, { connect: async () => world.approved(GROUP) })
  const outcome = await world.page.handshake
  if (outcome?.kind !== 'approved') return expect.fail()
  const account = parseAccounts(outcome.approval.accounts)
  expect(account).toMatchObject({ address: ACCOUNT.address, representedGroupPolicy: GROUP })
  expect(readJwt(account.jwt)?.claims).toMatchObject({ addr: ACCOUNT.address, grp: GROUP.address })
})

test('protocol 14: a URI in any encoding is joined, and anything else is refused', async () => {
  const world = await aWorld()
  const wrapped = `https://figure.com/wallet/connect?data=${encodeURIComponent(encodeURIComponent(world.page.uri))}`
  const session = await joinSession(wrapped, world.options())
  ends.push(() => session.leave())
  expect(await world.page.handshake).toMatchObject({ kind: 'approved' })
  for (const text of ['', 'hello', 'wc:x@2?bridge=x&key=y', 'https://figure.com/?data=x']) {
    await expect(joinSession(text, world.options()), text).rejects.toMatchObject({
      code: 'uri-invalid',
    })
  }
})

test('protocol 6: the approver receives the page, its requirements and its redirect URL', async () => {
  const connect = vi.fn<Approver['connect']>(rejects)
  const world = await aWorld({ connectionDurationS: 60 })
  await join(world, { connect })
  await world.page.handshake
  expect(connect.mock.calls[0]?.[0]).toMatchObject({
    page: { peerId: 'page', peerMeta: { url: 'https://dapp.example' } },
    connectOptions: { connectionDurationS: 60 },
    accounts: [{ address: ACCOUNT.address }],
  })
})

test('protocol 9.5: a declined connection is an error with a message, and nothing is stored', async () => {
  const world = await aWorld()
  const keep = vi.fn<(stored: string | undefined) => void>()
  const session = await join(world, { connect: rejects }, { store: keep })
  expect(await world.page.handshake).toEqual({
    kind: 'rejected',
    message: 'Connection rejected by user',
  })
  expect(await session.ended).toEqual({ how: 'rejected', message: 'Connection rejected by user' })
  expect(keep).not.toHaveBeenCalled()
})

test('protocol 8: an account that the wallet does not have is refused without prompting the user', async () => {
  const connect = vi.fn<Approver['connect']>()
  const world = await aWorld({ individualAddress: 'tp1other' })
  await join(world, { connect })
  expect(await world.page.handshake).toEqual({
    kind: 'rejected',
    message: 'Requested account is not available',
  })
  expect(connect).not.toHaveBeenCalled()
})

test('protocol 8: a choice that violates the group requirements is refused', async () => {
  const cases = [
    [{ groupAddress: 'tp1other' }, GROUP, 'Requested group is not available'],
    [{ groupAddress: GROUP.address }, null, 'Requested group is not available'],
    [{ prohibitGroups: true }, GROUP, 'Groups are prohibited'],
  ] as const
  for (const [connectOptions, group, message] of cases) {
    const world = await aWorld(connectOptions)
    await join(world, { connect: async () => world.approved(group) })
    expect(await world.page.handshake).toEqual({ kind: 'rejected', message })
  }
})

test('protocol 9.1: a message is signed over its bytes, in hex without 0x', async () => {
  const { page } = await connected()
  const answer = await page.request(signing('deadbeef'))
  if (answer.kind !== 'success') return expect.fail(answer.message)
  const signature = bytesOfHex(String(answer.result)) ?? expect.fail()
  expect(signature).toHaveLength(64)
  expect(verify(ACCOUNT.publicKey, bytesOfHex('deadbeef') ?? expect.fail(), signature)).toBe(true)
})

test('protocol 9.2: a token to sign is passed with its claims, and the signature completes it', async () => {
  const sign = vi.fn<Approver['sign']>(signs)
  const { page, time } = await connected({ sign })
  const now = time.now() / 1000
  const unsigned = unsignedJwt({
    sub: 'key',
    iss: 'page',
    iat: now,
    exp: now + 60,
    addr: ACCOUNT.address,
  })
  await page.request(signing(hexOf(new TextEncoder().encode(unsigned))))
  await page.request(signing('deadbeef', { id: 6 }))
  expect(sign.mock.calls.map(([{ token }]) => token?.iss)).toEqual(['page', undefined])
})

test('protocol 9.5: declined requests get an error with a message', async () => {
  const { page } = await connected({
    sign: rejects,
    sendTransaction: rejects,
    switchToGroup: rejects,
  })
  expect(await page.request(signing('00'))).toMatchObject({
    code: -32000,
    message: 'Sign request rejected by user',
  })
  expect(await page.request({ ...sending(), id: 6 })).toMatchObject({
    code: -32000,
    message: 'Sign request rejected by user',
  })
  expect(
    await page.request(acting({ action: 'switchToGroup', payload: { address: GROUP.address } }, 7)),
  ).toMatchObject({ message: 'Request rejected' })
})

test('protocol 9.4, 9.5: unknown methods and invalid requests get different errors', async () => {
  const { page } = await connected()
  expect(await page.request(rpcRequest(1, 'eth_sign', []))).toMatchObject({
    code: -32601,
    message: 'Method not found',
  })
  expect(await page.request(rpcRequest(2, 'wc_other', []))).toMatchObject({ code: -32601 })
  expect(await page.request(rpcRequest(3, 'provenance_sign', ['{', '00']))).toMatchObject({
    code: -32700,
  })
  expect(await page.request(rpcRequest(4, 'provenance_sign', ['{}', 'xyz']))).toMatchObject({
    code: -32602,
  })
})

test('protocol 9.1: a page can only use the account it is connected to', async () => {
  const sign = vi.fn<Approver['sign']>(signs)
  const { page } = await connected({ sign })
  expect(await page.request(signing('00', { address: 'tp1other' }))).toMatchObject({ code: -32602 })
  expect(sign).not.toHaveBeenCalled()
})

test('a transaction disguised as a message is refused without prompting the user', async () => {
  const sign = vi.fn<Approver['sign']>(signs)
  const { page } = await connected({ sign })
  const amino = hexOf(
    new TextEncoder().encode(
      '{"account_number":"1","chain_id":"x","fee":{},"memo":"","msgs":[],"sequence":"0"}',
    ),
  )
  const direct = `0a020801120208011a03${hexOf(new TextEncoder().encode('pio'))}2005`
  expect(await page.request(signing(amino))).toMatchObject({ code: -32602 })
  expect(await page.request(signing(direct, { id: 6 }))).toMatchObject({ code: -32602 })
  expect(sign).not.toHaveBeenCalled()
})

test('protocol 9.3: an approved transaction is broadcast, and its outcome is sent to the page', async () => {
  const sendTransaction = vi.fn<Approver['sendTransaction']>(async () => ({
    txhash: 'AB',
    code: 5,
    rawLog: 'out of gas',
  }))
  const { page } = await connected({ sendTransaction })
  expect(await page.request(sending())).toMatchObject({
    result: { txResponse: { txhash: 'AB', code: 5, rawLog: 'out of gas' } },
  })
  expect(sendTransaction.mock.calls[0]?.[0]).toMatchObject({
    request: { messages: [{ typeUrl: '/cosmos.bank.v1beta1.MsgSend' }] },
  })
})

test('protocol 9.5: an unreachable chain is sent to the page, an unexpected error is reported and sent without details', async () => {
  const unreachable = async () =>
    Promise.reject(new WalletError('refused', 'The chain cannot be reached'))
  const failing = await connected({ sendTransaction: unreachable })
  expect(await failing.page.request(sending())).toMatchObject({
    kind: 'error',
    message: 'The chain cannot be reached',
  })
  const broken = await connected({
    sendTransaction: async () => Promise.reject(new Error('secret')),
  })
  expect(await broken.page.request(sending())).toMatchObject({
    code: -32603,
    message: 'Internal error',
  })
  expect([failing.reports.length, broken.reports.length]).toEqual([0, 1])
})

test('protocol 9.4: a switch to a group gets a response, after the update with the new accounts', async () => {
  const { page, session } = await connected()
  expect(
    await page.request(acting({ action: 'switchToGroup', payload: { address: GROUP.address } })),
  ).toMatchObject({ result: { address: GROUP.address } })
  const [update] = page.received.map(parseSessionUpdate)
  if (update?.kind !== 'updated') return expect.fail()
  const account = parseAccounts(update.accounts)
  expect(account.representedGroupPolicy).toEqual(GROUP)
  expect(readJwt(account.jwt)?.claims).toMatchObject({ addr: ACCOUNT.address, grp: GROUP.address })
  expect(session.state()).toMatchObject({ acting: { group: GROUP } })

  expect(await page.request(acting({ action: 'switchToGroup' }, 6))).toMatchObject({
    result: { address: ACCOUNT.address },
  })
  expect(session.state()).toMatchObject({ acting: { group: null } })
})

test('protocol 9.4: a group other than the requested one, or any if groups are prohibited, is refused', async () => {
  const request = acting({ action: 'switchToGroup', payload: { address: 'tp1other' } })
  const wrong = await connected()
  expect(await wrong.page.request(request)).toMatchObject({ message: 'Request rejected' })
  const prohibited = await connected({}, { prohibitGroups: true })
  expect(await prohibited.page.request(request)).toMatchObject({ message: 'Groups are prohibited' })
  expect(wrong.page.received).toEqual([])
})

test('protocol 9.4: a pending request is withdrawn by its customId, also while it is queued', async () => {
  const signals: AbortSignal[] = []
  const { page } = await connected({
    sign(_, { signal }) {
      signals.push(signal)
      return never()
    },
  })
  const first = page.request(signing('00', { id: 11, customId: 'one' }))
  const second = page.request(signing('01', { id: 12, customId: 'two' }))
  await vi.waitFor(() => expect(signals).toHaveLength(1), WAITS)
  expect(
    await page.request(acting({ action: 'removePendingMethod', payload: { customId: 'two' } }, 13)),
  ).toMatchObject({ result: { customId: 'two' } })
  expect(await second).toMatchObject({ message: 'Request withdrawn' })
  await page.request(acting({ action: 'removePendingMethod', payload: { customId: 'one' } }, 14))
  expect(await first).toMatchObject({ message: 'Request withdrawn' })
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  expect(
    await page.request(acting({ action: 'removePendingMethod', payload: { customId: 'one' } }, 15)),
  ).toMatchObject({ result: { customId: 'one' } })
})

test('protocol 9.4: an approved request cannot be withdrawn, and the page gets an error', async () => {
  const { promise: response, resolve: respond } =
    Promise.withResolvers<Awaited<ReturnType<Approver['sendTransaction']>>>()
  const broadcast = vi.fn<() => typeof response>(() => response)
  const { page } = await connected({
    async sendTransaction(_, { commit }) {
      commit()
      return broadcast()
    },
  })
  const sent = page.request({
    ...sendTransactionRequest({ ...METADATA, messages: [reference.send.b64], customId: 'tx' }),
    id: 11,
  })
  await vi.waitFor(() => expect(broadcast).toHaveBeenCalled(), WAITS)
  expect(
    await page.request(acting({ action: 'removePendingMethod', payload: { customId: 'tx' } }, 12)),
  ).toMatchObject({ message: 'The request is already being carried out' })
  respond({ txhash: 'A1', code: 0, rawLog: '' })
  expect(await sent).toMatchObject({ kind: 'success' })
})

test('protocol 9.3: the user decides about an extension option that is not an Any', async () => {
  const sendTransaction = vi.fn<Approver['sendTransaction']>(rejects)
  const { page } = await connected({ sendTransaction })
  await page.request({
    ...sendTransactionRequest({
      ...METADATA,
      messages: [reference.send.b64],
      extensionOptions: ['AAAA', '?'],
    }),
    id: 11,
  })
  expect(sendTransaction.mock.calls[0]?.[0].request).toMatchObject({
    extensionOptions: ['AAAA', '?'],
  })
})

test('a withdrawn prompt that never settles does not block the next one', async () => {
  let prompts = 0
  const { page } = await connected({
    sign(request, prompt) {
      prompts += 1
      return prompts === 1 ? never() : signs(request, prompt)
    },
  })
  void page.request(signing('00', { id: 11, customId: 'one' }))
  await page.request(acting({ action: 'removePendingMethod', payload: { customId: 'one' } }, 12))
  expect(await page.request(signing('01', { id: 13 }))).toMatchObject({ kind: 'success' })
})

test('a transaction that is withdrawn while the user approves it is not sent', async () => {
  const broadcast = vi.fn<() => Promise<never>>()
  const { promise: yes, resolve: sayYes } = Promise.withResolvers<void>()
  const sendTransaction = vi.fn<Approver['sendTransaction']>(async (_, { commit }) => {
    await yes
    commit()
    return broadcast()
  })
  const { page } = await connected({ sendTransaction })
  const sent = page.request({
    ...sendTransactionRequest({ ...METADATA, messages: [reference.send.b64], customId: 'tx' }),
    id: 11,
  })
  await vi.waitFor(() => expect(sendTransaction).toHaveBeenCalled(), WAITS)
  await page.request(acting({ action: 'removePendingMethod', payload: { customId: 'tx' } }, 12))
  sayYes()
  expect(await sent).toMatchObject({ message: 'Request withdrawn' })
  expect(broadcast).not.toHaveBeenCalled()
})

test('protocol 5: a repeated request gets the same response without prompting again', async () => {
  const { promise: yes, resolve: sayYes } = Promise.withResolvers<void>()
  const sign = vi.fn<Approver['sign']>(async (...request) => {
    await yes
    return signs(...request)
  })
  const { page, relay } = await connected({ sign })
  const firstAnswer = page.request(signing('00'))
  page.peer.send('wallet', JSON.stringify(signing('00')))
  page.peer.send('wallet', JSON.stringify(signing('00')))
  await vi.waitFor(() => expect(sign).toHaveBeenCalled(), WAITS)
  sayYes()
  const first = await firstAnswer
  expect(first.kind).toBe('success')
  const before = relay.frames.filter(({ topic, type }) => topic === 'page' && type === 'pub').length
  expect(before).toBe(2) // The approval and one answer.
  expect(await page.request(signing('00'))).toEqual(first)
  expect(sign).toHaveBeenCalledOnce()
})

test('protocol 5: an id above 2^53 is repeated digit by digit', async () => {
  const { page, relay } = await connected()
  const text = JSON.stringify(signing('00')).replace('"id":5', '"id":9223372036854775807')
  page.peer.send('wallet', text)
  await vi.waitFor(async () => {
    const answers = relay.frames.filter(({ topic, type }) => topic === 'page' && type === 'pub')
    const texts = await Promise.all(answers.map(({ payload }) => open(page.key, payload)))
    expect(texts.at(-1)).toMatch(
      /^\{"id":9223372036854775807,"jsonrpc":"2\.0","result":"[0-9a-f]{128}"\}$/,
    )
  }, WAITS)
})

test('too many pending requests are refused', async () => {
  const { page } = await connected({ sign: never })
  const answers = Array.from({ length: 33 }, (_, index) =>
    page.request(signing('00', { id: 100 + index })),
  )
  expect(await answers[32]).toMatchObject({ message: 'Request rejected' })
})

test('protocol 9.4: a page withdraws requests even while it has as many pending as it may have', async () => {
  const { page } = await connected({ sign: never })
  const asked = Array.from({ length: 32 }, (_, index) =>
    page.request(signing('00', { id: 100 + index, customId: `request-${index}` })),
  )
  expect(await page.request(signing('00', { id: 200 }))).toMatchObject({
    message: 'Request rejected',
  })
  for (const index of asked.keys()) {
    const payload = { customId: `request-${index}` }
    expect(
      await page.request(acting({ action: 'removePendingMethod', payload }, 300 + index)),
    ).toMatchObject({ result: payload })
  }
  for (const answer of await Promise.all(asked))
    expect(answer).toMatchObject({ message: 'Request withdrawn' })
})

test("protocol 9: after a response the user is taken to the page's redirect URL", async () => {
  const goTo = vi.fn<(url: string) => void>()
  const { page } = await connected({ goTo })
  const metadata = JSON.stringify({
    address: ACCOUNT.address,
    redirectUrl: 'https://dapp.example/back',
  })
  await page.request(rpcRequest(5, 'provenance_sign', [metadata, '00']))
  await page.request(
    rpcRequest(6, 'provenance_sign', [metadata.replace('https', 'javascript'), '00']),
  )
  expect(goTo.mock.calls).toEqual([['https://dapp.example/back']])
})

test("protocol 6.1: the wallet sends account changes and enforces the page's requirements", async () => {
  const { page, session, approved } = await connected({}, { prohibitGroups: true })
  await session.update(approved())
  await vi.waitFor(
    () =>
      expect(page.received.map(parseSessionUpdate)).toMatchObject([
        { kind: 'updated', chainId: 'pio-testnet-1' },
      ]),
    WAITS,
  )
  await expect(session.update(approved(GROUP))).rejects.toMatchObject({
    code: 'account-mismatch',
  })
})

test('protocol 6.1: the wallet ends the session, and the page is notified', async () => {
  const { page, session, stored, approved } = await connected()
  expect(stored()).toBeDefined()
  await session.end()
  expect(session.state()).toMatchObject({ step: 'ended', how: 'ended-by-wallet' })
  await vi.waitFor(
    () => expect(page.received.map(parseSessionUpdate)).toEqual([{ kind: 'ended' }]),
    WAITS,
  )
  expect(stored()).toBeUndefined()
  await expect(session.update(approved())).rejects.toMatchObject({ code: 'not-connected' })
})

test('protocol 6.1: the page ends the session: pending requests are withdrawn and nothing more is sent', async () => {
  const signals: AbortSignal[] = []
  const { page, session, relay, stored } = await connected({
    sign(_, { signal }) {
      signals.push(signal)
      return never()
    },
  })
  void page.request(signing('00'))
  await vi.waitFor(() => expect(signals).toHaveLength(1), WAITS)
  page.peer.send('wallet', JSON.stringify(sessionEnd(9)))
  expect(await session.ended).toMatchObject({ how: 'ended-by-page' })
  expect(signals[0]?.aborted).toBe(true)
  expect(stored()).toBeUndefined()
  expect(relay.frames.filter(({ topic, type }) => topic === 'page' && type === 'pub')).toHaveLength(
    1,
  )
})

test('protocol 6: ending while the user is still deciding rejects the connection', async () => {
  const world = await aWorld()
  const connect = vi.fn<Approver['connect']>(never)
  const session = await join(world, { connect })
  await vi.waitFor(() => expect(connect).toHaveBeenCalled(), WAITS)
  await session.end()
  expect(await world.page.handshake).toMatchObject({
    kind: 'rejected',
    message: 'Connection rejected by user',
  })
})

test('protocol 3.3: a wallet that waits for the request subscribes to both topics again after a reconnect', async () => {
  const world = await aWorld()
  const { page } = await aWorld()
  // There is no request on this handshake topic, so the wallet keeps waiting.
  const session = await joinSession(page.uri.replace('wc:handshake', 'wc:later'), world.options())
  ends.push(() => session.leave())
  const subscribed = () =>
    world.relay.frames
      .filter(({ type, topic }) => type === 'sub' && topic !== 'page')
      .map(({ topic }) => topic)
  await vi.waitFor(() => expect(subscribed()).toEqual(['wallet', 'later']), WAITS)
  world.relay.cut()
  await vi.waitFor(() => {
    world.time.pass(1000)
    expect(subscribed().slice(2)).toEqual(['wallet', 'later'])
  }, WAITS)
})

test('protocol 3.3: a connected wallet subscribes to its own topic only, and serves again after a reconnect', async () => {
  const { page, relay, time } = await connected()
  relay.cut()
  const firstAnswer = page.request(signing('00'))
  await vi.waitFor(() => expect(relay.connections()).toBe(0), WAITS)
  await vi.waitFor(() => {
    time.pass(1000)
    expect(relay.connections()).toBe(2)
  }, WAITS)
  expect(await firstAnswer).toMatchObject({ kind: 'success' })
  const subscribed = relay.frames.filter(({ type }) => type === 'sub').map(({ topic }) => topic)
  expect(subscribed.filter((topic) => topic === 'handshake')).toHaveLength(1)
  expect(subscribed.filter((topic) => topic === 'wallet')).toHaveLength(2)
})

test('protocol 3.3: a response created while offline is sent after the reconnect', async () => {
  const { promise: yes, resolve: sayYes } = Promise.withResolvers<void>()
  const sign = vi.fn<Approver['sign']>(async (...request) => {
    await yes
    return signs(...request)
  })
  const { page, relay, time } = await connected({ sign })
  const firstAnswer = page.request(signing('00'))
  await vi.waitFor(() => expect(sign).toHaveBeenCalled(), WAITS)
  relay.down()
  sayYes()
  await vi.waitFor(() => expect(relay.connections()).toBe(0), WAITS)
  relay.up()
  await vi.waitFor(() => {
    time.pass(1000)
    expect(relay.connections()).toBe(2)
  }, WAITS)
  expect(await firstAnswer).toMatchObject({ kind: 'success' })
})

test('joining with an abandoned code times out after a minute', async () => {
  const world = await aWorld()
  const session = await joinSession(
    world.page.uri.replace('wc:handshake', 'wc:used'),
    world.options(),
  )
  await vi.waitFor(() => expect(world.relay.connections()).toBe(2), WAITS)
  world.time.pass(60_000)
  expect(await session.ended).toMatchObject({ how: 'unanswered' })
})

test('protocol 6.2: a stored session resumes with the same topic, page and account', async () => {
  const { page, session, stored, options } = await connected()
  await session.leave()
  const storedSession = stored() ?? expect.fail('nothing was stored')
  const resumed = await resumeSession(storedSession, options())
  ends.push(() => resumed.leave())
  expect(resumed.state()).toMatchObject({
    step: 'connected',
    page: { peerId: 'page' },
    acting: { account: ACCOUNT },
  })
  expect(await page.request(signing('00'))).toMatchObject({ kind: 'success' })
})

test('protocol 6.2: a request sent while the wallet was offline is served when it is back', async () => {
  const { page, session, stored, options, relay } = await connected()
  await session.leave()
  await vi.waitFor(() => expect(relay.connections()).toBe(1), WAITS)
  const firstAnswer = page.request(signing('00'))
  const resumed = await resumeSession(stored() ?? '', options())
  ends.push(() => resumed.leave())
  expect(await firstAnswer).toMatchObject({ kind: 'success' })
})

test('protocol 6.2: requests that were unanswered when the wallet was closed are refused when it is back', async () => {
  const { page, session, stored, options } = await connected({ sign: never })
  const firstAnswer = page.request(signing('00'))
  await vi.waitFor(() => expect(stored()).toContain('"unanswered":["'), WAITS)
  await session.leave()
  const prompts: unknown[] = []
  const resumed = await resumeSession(
    stored() ?? '',
    options({
      sign(request, prompt) {
        prompts.push(request)
        return signs(request, prompt)
      },
    }),
  )
  ends.push(() => resumed.leave())
  expect(resumed.interrupted).toBe(true)
  expect(await firstAnswer).toMatchObject({
    kind: 'error',
    message: 'The wallet was closed before it answered',
  })
  expect(prompts).toEqual([])
  expect(stored()).toContain('"unanswered":[]')
})

test('protocol 6.2: a wallet closed during a session request prompts again until it is decided', async () => {
  const { page, options } = await aWorld()
  let storedRequest: string | undefined
  const requestStorage = { storeRequest: (text: string | undefined) => void (storedRequest = text) }
  const first = await joinSession(page.uri, options({ connect: never }, requestStorage))
  await vi.waitFor(() => expect(first.state().step).toBe('asking'), WAITS)
  await first.leave()
  const refusing = options({ connect: rejects }, { ...requestStorage, storedRequest })
  const second = await joinSession(page.uri, refusing)
  expect(await page.handshake).toMatchObject({ kind: 'rejected' })
  expect(await second.ended).toMatchObject({ how: 'rejected' })
  expect(storedRequest).toBeUndefined()
})

test('protocol 6.2: invalid text or a missing account is not a session', async () => {
  const { stored, options } = await connected()
  const storedSession = stored() ?? ''
  const damaged = [
    '',
    '{}',
    'null',
    storedSession.slice(1),
    storedSession.replace('"bridge":"ws:', '"bridge":"javascript:'),
    storedSession.replace(/"key":"\w\w/, '"key":"'),
  ]
  for (const text of damaged)
    await expect(resumeSession(text, options()), text).rejects.toMatchObject({
      code: 'stored-session-invalid',
    })
  await expect(resumeSession(storedSession, options({}, { accounts: [] }))).rejects.toMatchObject({
    code: 'stored-session-invalid',
  })
})

test('protocol 8: connectionDuration ends the session; every operation restarts it', async () => {
  const { page, session, time } = await connected({}, { connectionDurationS: 100 })
  time.pass(99_000)
  await page.request(signing('00'))
  await vi.waitFor(() => expect(session.state().step).toBe('connected'), WAITS)
  time.pass(99_000)
  expect(session.state().step).toBe('connected')
  await vi.waitFor(() => {
    time.pass(1000)
    expect(session.state()).toMatchObject({ step: 'ended', how: 'expired' })
  }, WAITS)
  await vi.waitFor(
    () => expect(page.received.map(parseSessionUpdate)).toEqual([{ kind: 'ended' }]),
    WAITS,
  )
})

test('protocol 8: a page cannot keep a connection without an operation for more than a month', async () => {
  const month = 30 * 86_400
  const { session, time } = await connected({}, { connectionDurationS: 2 ** 50 })
  const expiresAt = time.now() + month * 1000
  expect(session.state()).toMatchObject({ step: 'connected', expiresAt })
  session.resetTimeout(2 ** 50)
  expect(session.state()).toMatchObject({ step: 'connected', expiresAt })
})

test('protocol 13: a timeout reset outside the session applies immediately', async () => {
  const { session, time } = await connected({}, { connectionDurationS: 100 })
  session.resetTimeout(1000)
  time.pass(900_000)
  await Promise.resolve()
  expect(session.state().step).toBe('connected')
})

test('4.1 a stored session that has expired is ended on load, and the page is notified', async () => {
  const { page, session, stored, options, time } = await connected({}, { connectionDurationS: 100 })
  await session.leave()
  time.pass(100_000)
  const resumed = await resumeSession(stored() ?? '', options())
  expect(await resumed.ended).toMatchObject({ how: 'expired' })
  await vi.waitFor(
    () => expect(page.received.map(parseSessionUpdate)).toEqual([{ kind: 'ended' }]),
    WAITS,
  )
  expect(stored()).toBeUndefined()
})

test('protocol 6: an error while connecting rejects the connection and is reported', async () => {
  const world = await aWorld()
  const session = await join(world, { connect: async () => Promise.reject(new Error('broken')) })
  expect(await world.page.handshake).toMatchObject({ kind: 'rejected', message: 'Internal error' })
  expect(await session.ended).toMatchObject({ how: 'failed' })
  expect(world.reports).toMatchObject([{ message: 'broken' }])
})

test('the session notifies its subscribers of changes', async () => {
  const world = await aWorld()
  const session: WalletSession = await join(world)
  const steps: string[] = []
  const stop = session.subscribe(() => steps.push(session.state().step))
  await world.page.handshake
  stop()
  await session.end()
  expect(steps).toEqual(['asking', 'connected'])
})

/** A wallet that may be stopped at any time, with storage that takes as long as the test wants. */
async function aServingWorld(approver: Partial<Approver> = {}) {
  const world = await aWorld()
  const stored: { session?: string | undefined; request?: string | undefined } = {}
  const { promise: isOpen, resolve: openStorage } = Promise.withResolvers<void>()
  let writing = Promise.resolve()
  const others: Partial<WalletOptions> = {
    onResume: 'serve',
    async store(session) {
      await writing
      stored.session = session
    },
    async storeRequest(request) {
      await writing
      stored.request = request
    },
  }
  const session = await join(world, approver, others)
  return {
    ...world,
    session,
    saved: stored,
    others,
    /** Lets writes wait until `openStorage` is called. */
    blockStorage() {
      writing = isOpen
    },
    openStorage,
    /** Lets writes fail until the restart, as those of a process that is being stopped. */
    failStorage() {
      writing = Promise.reject(new Error('the storage is closing'))
      writing.catch(() => undefined)
    },
    /** Resumes the session as it was stored at this moment, as after the process was stopped. */
    async restart(next: Partial<Approver> = {}) {
      const text = stored.session ?? expect.fail('nothing was stored')
      await session.leave()
      writing = Promise.resolve()
      const resumed = await resumeSession(text, world.options(next, others))
      ends.push(() => resumed.leave())
      return resumed
    },
  }
}

const sentTo = ({ relay }: World, topic: string) =>
  relay.frames.filter((frame) => frame.topic === topic && frame.type === 'pub').length

test('onResume serve: a request is stored before it is prompted, and an answer before it is sent', async () => {
  const sign = vi.fn<Approver['sign']>(signs)
  const world = await aServingWorld({ sign })
  await world.page.handshake
  await vi.waitFor(() => expect(world.saved.session).toContain('"outbox":[]'), WAITS)
  world.blockStorage()
  const answer = world.page.request(signing('00'))
  await vi.waitFor(() => expect(world.session.state()).toMatchObject({ unanswered: ['5'] }), WAITS)
  expect(sign).not.toHaveBeenCalled()
  world.openStorage()
  expect(await answer).toMatchObject({ kind: 'success' })
  expect(world.saved.session).toContain('\\"result\\"')
})

test('onResume serve: the session is stored before the approval is sent', async () => {
  const { promise: yes, resolve: sayYes } = Promise.withResolvers<void>()
  const world = await aServingWorld({
    async connect() {
      await yes
      return world.approved()
    },
  })
  await vi.waitFor(() => expect(world.session.state().step).toBe('asking'), WAITS)
  await vi.waitFor(() => expect(world.saved.request).toContain('wc_sessionRequest'), WAITS)
  world.blockStorage()
  sayYes()
  await vi.waitFor(() => expect(world.session.state().step).toBe('connected'), WAITS)
  expect(sentTo(world, 'page')).toBe(0)
  world.openStorage()
  expect(await world.page.handshake).toMatchObject({ kind: 'approved' })
})

test('onResume serve: a session that cannot be stored is not approved', async () => {
  const world = await aWorld()
  const session = await join(
    world,
    {},
    {
      onResume: 'serve',
      store: (text) =>
        text === undefined ? undefined : Promise.reject(new Error('the storage is full')),
    },
  )
  expect(await world.page.handshake).toMatchObject({ kind: 'rejected', message: 'Internal error' })
  expect(await session.ended).toMatchObject({ how: 'failed' })
  expect(world.reports).toMatchObject([{ message: 'the storage is full' }])
})

test('onResume serve: unanswered requests are prompted again in order, with their ids', async () => {
  const world = await aServingWorld({ sign: never })
  await world.page.handshake
  const answers = [
    world.page.request(signing('01', { id: 11 })),
    world.page.request(signing('02', { id: 12 })),
  ]
  await vi.waitFor(() => expect(world.saved.session).toContain('\\"id\\":12'), WAITS)
  const ids: string[] = []
  await world.restart({
    sign(request, prompt) {
      ids.push(prompt.requestId)
      return signs(request, prompt)
    },
  })
  expect(await Promise.all(answers)).toMatchObject([{ kind: 'success' }, { kind: 'success' }])
  expect(ids).toEqual(['11', '12'])
})

test('onResume serve: a request delivered again after a restart gets its stored answer', async () => {
  const world = await aServingWorld()
  await world.page.handshake
  const first = await world.page.request(signing('00'))
  await vi.waitFor(() => expect(world.saved.session).toContain('"outbox":[]'), WAITS)
  const sign = vi.fn<Approver['sign']>(signs)
  await world.restart({ sign })
  expect(await world.page.request(signing('00'))).toEqual(first)
  expect(sign).not.toHaveBeenCalled()
})

test('onResume serve: an answer lost with a silently dead connection is sent again', async () => {
  const world = await aServingWorld({
    sign(request, prompt) {
      // The answer and the confirmation that follows it.
      world.relay.loseNext(2)
      return signs(request, prompt)
    },
  })
  await world.page.handshake
  await vi.waitFor(() => expect(world.saved.session).toContain('"outbox":[]'), WAITS)
  const answer = world.page.request(signing('00'))
  await vi.waitFor(() => expect(world.saved.session).toContain('\\"result\\"'), WAITS)
  await world.restart()
  expect(await answer).toMatchObject({ kind: 'success' })
})

test('onResume serve: messages are acknowledged once they are stored', async () => {
  const world = await aServingWorld({ sign: never })
  await world.page.handshake
  await vi.waitFor(() => expect(world.saved.session).toContain('"outbox":[]'), WAITS)
  const acknowledged = () =>
    world.relay.frames.filter(({ type, topic }) => type === 'ack' && topic === 'wallet').length
  await vi.waitFor(() => expect(acknowledged()).toBe(2), WAITS)
  world.blockStorage()
  void world.page.request(signing('00'))
  await vi.waitFor(() => expect(world.session.state()).toMatchObject({ unanswered: ['5'] }), WAITS)
  expect(acknowledged()).toBe(2)
  world.openStorage()
  await vi.waitFor(() => expect(acknowledged()).toBe(3), WAITS)
})

test('onResume serve: a request that a stopping process could not store reaches the next one', async () => {
  const world = await aServingWorld({ sign: never })
  await world.page.handshake
  await vi.waitFor(() => expect(world.saved.session).toContain('"outbox":[]'), WAITS)
  world.failStorage()
  const answer = world.page.request(signing('00'))
  await vi.waitFor(() => expect(world.reports).not.toHaveLength(0), WAITS)
  await world.restart()
  expect(await answer).toMatchObject({ kind: 'success' })
})

test('onResume serve: a refusal that may not have been sent is sent again without a prompt', async () => {
  const world = await aServingWorld({ connect: rejects })
  await world.page.handshake
  await world.session.ended
  const refused = `{"id":5,"jsonrpc":"2.0","method":"wc_sessionRequest","params":[{"peerId":"other-page"}],"refusal":{"code":-32000,"message":"Connection rejected by user"}}`
  const connect = vi.fn<Approver['connect']>()
  const session = await join(world, { connect }, { ...world.others, storedRequest: refused })
  expect(await session.ended).toMatchObject({ how: 'rejected' })
  await vi.waitFor(() => expect(sentTo(world, 'other-page')).toBe(1), WAITS)
  expect(connect).not.toHaveBeenCalled()
})

test('onResume serve: pending requests are limited in number and size', async () => {
  const world = await aServingWorld({ sign: never })
  await world.page.handshake
  const large = 'ab'.repeat(15_000)
  const answers = Array.from({ length: 6 }, (_, index) =>
    world.page.request(signing(large, { id: 100 + index })),
  )
  expect(await Promise.race(answers)).toMatchObject({
    idText: '104',
    message: 'Too many requests are waiting for the user',
  })
  expect(world.session.state()).toMatchObject({ unanswered: ['100', '101', '102', '103'] })
  // A withdrawal makes room, so it is not limited by what waits.
  const customId = 'x'.repeat(20_000)
  expect(
    await world.page.request(acting({ action: 'removePendingMethod', payload: { customId } }, 200)),
  ).toMatchObject({ result: { customId } })
})
