import type { ApprovalResult } from '@portico/contracts/hosted-wallet'
import { base64Of } from '@portico/keys/bytes'
import { NETWORKS } from '@portico/keys/networks'
import { memoryStorage, neverAborted } from '@portico/shell/testing'
import { anyBase64, WalletError } from '@portico/wallet-connect/protocol'
import { WalletConnectService } from '@portico/wallet-connect/session'
import { fakePorts } from '@portico/wallet-connect/testing'
import {
  type ActiveAccount,
  accountFromPrivateKey,
  approvedAccount,
  type Prompt,
} from '@portico/wallet-connect/wallet'
import type { ApprovalPrompt } from '@portico/wallet-kit/approval-prompt'
import { approver as createApprover, walletAccounts } from '@portico/wallet-kit/approver'
import type { WalletAccount } from '@portico/wallet-kit/key-keeper'
import type { PromptUser } from '@portico/wallet-kit/user-prompts'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Arrival } from '../arrival.ts'
import { type ConnectionDeps, openConnection } from './connection.ts'

const origin = 'https://lender.example'
/** The origin of a page that runs in Node. */
const PAGE_ORIGIN = 'http://localhost'
const account: WalletAccount = {
  name: 'Everyday',
  address: 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh',
  publicKey: 'Ax6LE0FlMU9qMFYEOJZpEXQ49IPjbsgCrk/2khQ6UM7k',
  verified: true,
  groups: [{ name: 'Larch Partners', address: 'tp1larch' }],
}
const page = { peerId: 'page', peerMeta: { name: 'Page', description: '', url: '', icons: [] } }

function approverWith(result: ApprovalResult | undefined) {
  const prompts: Omit<ApprovalPrompt, 'id' | 'waiting'>[] = []
  const promptUser: PromptUser = async (prompt) => {
    prompts.push(prompt)
    if (result === undefined) throw new WalletError('rejected', 'The user declined the request.')
    return result
  }
  const accounts = walletAccounts([account])
  const acting: ActiveAccount = { account: accounts[0] ?? expect.fail(), group: null }
  return {
    accounts,
    acting,
    prompts,
    approver: createApprover({ accounts: [account], origin, promptUser }),
  }
}

const message = Uint8Array.of(0x68, 0x69)
const request = { kind: 'sign', description: '', address: account.address, bytes: message } as const
const undecided: Prompt = {
  requestId: '1',
  signal: neverAborted,
  commit: () => undefined,
  release: () => undefined,
  stored: async () => undefined,
}

test("7.4 the approval's signature is returned, for exactly those bytes", async () => {
  const { approver, acting, prompts } = approverWith({ kind: 'sign', signature: 'ab'.repeat(64) })
  expect(await approver.sign({ page, acting, request, token: undefined }, undecided)).toEqual(
    new Uint8Array(64).fill(0xab),
  )
  expect(prompts).toMatchObject([{ request: { kind: 'sign', messageHex: '6869' }, origin }])
})

test('7.4 the result of another kind of approval gives no signature', async () => {
  const { approver, acting } = approverWith({ kind: 'send', txResponse: {} })
  const signing = approver.sign({ page, acting, request, token: undefined }, undecided)
  await expect(signing).rejects.toThrow('invalid result of kind send')
})

test('7.4 an account signs nothing without the approver', () => {
  const { acting } = approverWith({ kind: 'sign', signature: 'ab'.repeat(64) })
  expect(acting.account).not.toHaveProperty('sign')
})

test('7.4 a declined request gives no signature', async () => {
  const { approver, acting } = approverWith(undefined)
  const signing = approver.sign({ page, acting, request, token: undefined }, undecided)
  await expect(signing).rejects.toMatchObject({ code: 'rejected' })
})

test('protocol 9.2: a token is requested as a token', async () => {
  const { approver, acting, prompts } = approverWith({ kind: 'sign-jwt', signature: 'ab' })
  const token = { addr: account.address }
  await approver.sign({ page, acting, request, token }, undecided)
  expect(prompts).toMatchObject([{ request: { kind: 'sign-jwt' } }])
})

test('protocol 7: connecting returns the account entry of the key keeper, including the group', async () => {
  const entry = {
    address: account.address,
    publicKey: account.publicKey,
    jwt: 'token',
    walletInfo: { id: account.address, name: account.name, coin: 'testNet' as const },
    attributes: [],
    representedGroupPolicy: { address: 'tp1larch', metadata: { name: 'Larch Partners' } },
  }
  const { approver, accounts, acting, prompts } = approverWith({ kind: 'connect', account: entry })
  const sessionRequest = { peerId: 'page', peerMeta: page.peerMeta, chainId: null }
  const approved = await approver.connect(
    { page, request: sessionRequest, connectOptions: {}, accounts, tokenLifetimeS: 86_400 },
    undecided,
  )
  expect(prompts).toMatchObject([{ kind: 'connect', choices: [{ group: null }, {}] }])
  expect(approved).toEqual({
    account: { ...acting.account, walletInfo: entry.walletInfo, attributes: [] },
    group: entry.representedGroupPolicy,
    jwt: 'token',
  })
})

test('protocol 9.3: extension options are part of the approval request', async () => {
  const { approver, acting, prompts } = approverWith(undefined)
  const any = { typeUrl: '/x', value: new Uint8Array() }
  const transaction = {
    ...request,
    kind: 'sendTransaction',
    messages: [any],
    extensionOptions: ['AAAA'],
    nonCriticalExtensionOptions: [],
  } as const
  await expect(
    approver.sendTransaction({ page, acting, request: transaction }, undecided),
  ).rejects.toMatchObject({ code: 'rejected' })
  expect(prompts).toMatchObject([{ kind: 'act', request: { extensionOptions: ['AAAA'] } }])
})

const unexpected = (error: unknown) => {
  throw error
}

const open = async (
  arrival: Arrival,
  stored: Record<string, string> = {},
  changes: Partial<ConnectionDeps> = {},
) => {
  const storage = memoryStorage(stored)
  const deps = { accounts: [account], arrival, origin, pageOrigin: origin, storage }
  const connection = await openConnection({
    ...deps,
    reportError: unexpected,
    proposalOutcome: async () => undefined,
    ...changes,
  })
  return { connection, storage }
}

test.each([
  ['an invalid code', 'hello', 'code-unreadable'],
  [
    'a code with a foreign relay',
    `wc:topic@1?bridge=${encodeURIComponent('wss://elsewhere.example/ws')}&key=${'ab'.repeat(32)}`,
    'other-relay',
  ],
])('protocol 13: %s is not followed', async (_, code, how) => {
  const { connection } = await open({ kind: 'connect', code })
  expect(connection.state()).toMatchObject({ step: 'ended', how })
})

test('protocol 13: a request without a connection shows an error; a visit without one does not', async () => {
  expect((await open({ kind: 'request' })).connection.state()).toMatchObject({
    step: 'ended',
    how: 'not-connected',
  })
  expect((await open({ kind: 'visit' })).connection.state()).toEqual({ step: 'none' })
})

test('protocol 6.2: a stored connection that cannot be resumed is removed', async () => {
  const stored = { 'portico-hosted-wallet': JSON.stringify({ uri: 'wc:x', session: '{}' }) }
  const { connection, storage } = await open({ kind: 'visit' }, stored)
  expect(connection.state()).toEqual({ step: 'none' })
  expect(storage.read('portico-hosted-wallet')).toBeUndefined()
})

// Longer than the default of one second, for machines under load.
const WAITS = { timeout: 30_000 }

/** A page that is connected to the wallet and has sent a transaction, which the user is deciding. */
async function aPendingTransaction(changes: Partial<ConnectionDeps> = {}) {
  const { ports } = fakePorts()
  const service = new WalletConnectService({ autostart: false, ports: { relay: ports } })
  onTestFinished(() => service.stop())
  await service.init()
  const key = accountFromPrivateKey(new Uint8Array(32).fill(1), NETWORKS.testnet, 'Ada')
  const { publicKey, address } = key
  const deps = {
    accounts: [{ ...account, address, publicKey: base64Of(publicKey) }],
    origin: PAGE_ORIGIN,
    relay: ports,
    ...changes,
  }
  const { connection, storage } = await open(
    { kind: 'connect', code: service.state.modal.QRCodeUrl },
    {},
    deps,
  )
  /** The next frame or window of the wallet, on the same storage. */
  const reopen = async () => {
    const next = await openConnection({
      pageOrigin: origin,
      reportError: unexpected,
      proposalOutcome: async () => undefined,
      arrival: { kind: 'visit' },
      ...deps,
      storage,
    })
    onTestFinished(() => next.leave())
    return next
  }
  onTestFinished(() => connection.leave())
  const promptId = (kind: ApprovalPrompt['kind']) =>
    vi.waitFor(() => {
      const state = connection.state()
      if (state.step !== 'asking' || state.prompt.kind !== kind) throw new Error(state.step)
      return state.prompt.id
    }, WAITS)
  const { jwt } = approvedAccount(
    { account: key, group: null },
    { issuer: 'wallet', lifetimeS: 60 },
  )
  connection.answer(await promptId('connect'), {
    kind: 'connect',
    account: {
      address,
      publicKey: base64Of(publicKey),
      jwt,
      walletInfo: { id: address, name: 'Ada', coin: 'testNet' },
      attributes: [],
      representedGroupPolicy: null,
    },
  })
  await vi.waitFor(() => expect(service.state.connected).toBe(true), WAITS)
  const message = anyBase64({ typeUrl: '/x', value: new Uint8Array() })
  const response = service.sendMessage({ message, customId: 'tx' })
  return { service, connection, storage, response, reopen, promptId: await promptId('act') }
}

test('protocol 9.4: a transaction that is being sent cannot be withdrawn, and the page receives its result', async () => {
  const { service, connection, response, promptId } = await aPendingTransaction()
  expect(await connection.commit(promptId)).toBe(true)
  expect(await service.removePendingMethod('tx')).toMatchObject({
    valid: false,
    error: 'Error: The request is already being carried out',
  })
  expect(connection.state()).toMatchObject({ step: 'asking', prompt: { id: promptId } })
  const txResponse = { txhash: 'A1', code: 0, rawLog: '' }
  connection.answer(promptId, { kind: 'send', txResponse })
  expect(await response).toMatchObject({ valid: true, result: { txResponse } })
  expect(connection.state()).toMatchObject({ decided: { kind: 'send', how: 'agreed' } })
})

test('protocol 9.4: a transaction that the page has withdrawn is not sent', async () => {
  const { service, connection, response, promptId } = await aPendingTransaction()
  expect(await service.removePendingMethod('tx')).toMatchObject({ valid: true })
  expect(await connection.commit(promptId)).toBe(false)
  expect(await response).toMatchObject({ valid: false, error: 'Error: Request withdrawn' })
  expect(connection.state()).toMatchObject({ decided: { kind: 'send', how: 'withdrawn' } })
})

test('protocol 6.1: if the page disconnects while a transaction is being sent, the wallet shows its result', async () => {
  const { service, connection, storage, promptId } = await aPendingTransaction()
  await connection.commit(promptId)
  await service.disconnect()
  await vi.waitFor(() => expect(storage.read('portico-hosted-wallet')).toBeUndefined(), WAITS)
  expect(connection.state()).toMatchObject({ step: 'asking', prompt: { id: promptId } })
  connection.answer(promptId, { kind: 'send', txResponse: { txhash: 'A1', code: 0 } })
  await vi.waitFor(
    () =>
      expect(connection.state()).toMatchObject({
        step: 'ended',
        how: 'ended-by-page',
        decided: { how: 'agreed' },
      }),
    WAITS,
  )
})

test('protocol 9.4: a transaction can be withdrawn after its approval failed and is then not sent', async () => {
  const { service, connection, response, promptId } = await aPendingTransaction()
  expect(await connection.commit(promptId)).toBe(true)
  expect(await service.removePendingMethod('tx')).toMatchObject({ valid: false })
  connection.release(promptId)
  expect(connection.state()).toMatchObject({ step: 'asking', prompt: { id: promptId } })
  expect(await service.removePendingMethod('tx')).toMatchObject({ valid: true })
  expect(await response).toMatchObject({ valid: false, error: 'Error: Request withdrawn' })
  expect(await connection.commit(promptId)).toBe(false)
  expect(connection.state()).toMatchObject({ decided: { kind: 'send', how: 'withdrawn' } })
})

test('protocol 9.4: after its approval failed, a transaction can be carried out by the next attempt', async () => {
  const { service, connection, response, promptId } = await aPendingTransaction()
  await connection.commit(promptId)
  connection.release(promptId)
  expect(await connection.commit(promptId)).toBe(true)
  expect(await service.removePendingMethod('tx')).toMatchObject({ valid: false })
  const txResponse = { txhash: 'A1', code: 0, rawLog: '' }
  connection.answer(promptId, { kind: 'send', txResponse })
  expect(await response).toMatchObject({ valid: true, result: { txResponse } })
})

test('protocol 6.1: if the page disconnects during an attempt that fails, the request counts as withdrawn', async () => {
  const { service, connection, storage, promptId } = await aPendingTransaction()
  await connection.commit(promptId)
  await service.disconnect()
  await vi.waitFor(() => expect(storage.read('portico-hosted-wallet')).toBeUndefined(), WAITS)
  connection.release(promptId)
  await vi.waitFor(
    () =>
      expect(connection.state()).toMatchObject({
        step: 'ended',
        how: 'ended-by-page',
        decided: { kind: 'send', how: 'withdrawn' },
      }),
    WAITS,
  )
})

test('protocol 9.3: the page is notified that it is unknown whether a transaction was sent', async () => {
  const { connection, response, promptId } = await aPendingTransaction()
  await connection.commit(promptId)
  connection.answer(promptId, 'outcome-unknown')
  const error = expect.stringContaining('It is unknown whether the transaction was sent.')
  expect(await response).toMatchObject({ valid: false, error })
  expect(connection.state()).toMatchObject({ decided: { kind: 'send', how: 'unknown' } })
})

const PROPOSED = { kind: 'proposed', proposalId: '7', txhash: 'A1' } as const
const EXECUTED = { txhash: 'B2', code: 0, rawLog: '' }

/** A transaction of a group that the user has approved, while other members have to vote. */
async function anAwaitedVote() {
  let decided: Record<string, unknown> | undefined
  const followed: string[] = []
  const world = await aPendingTransaction({
    proposalOutcome: async ({ proposalId }) => {
      followed.push(proposalId)
      return decided
    },
  })
  const { connection, promptId, response } = world
  let isAnswered = false
  void response.then(() => {
    isAnswered = true
  })
  await connection.commit(promptId)
  connection.answer(promptId, PROPOSED)
  await vi.waitFor(
    () =>
      expect(connection.state()).toMatchObject({
        step: 'connected',
        decided: { how: 'proposed' },
        awaited: 1,
      }),
    WAITS,
  )
  return {
    ...world,
    followed,
    isAnswered: () => isAnswered,
    decide(result: Record<string, unknown>) {
      decided = result
    },
  }
}

test('2.8 a page that proposed a transaction receives it when the group has agreed', async () => {
  const { connection, response, decide, isAnswered } = await anAwaitedVote()
  expect(isAnswered()).toBe(false)
  decide(EXECUTED)
  expect(await response).toMatchObject({ valid: true, result: { txResponse: EXECUTED } })
  expect(connection.state()).toMatchObject({ step: 'connected', awaited: 0 })
})

test('2.8 if the wallet is closed before the group has agreed, the next one answers the page', async () => {
  const { connection, response, decide, isAnswered, reopen, followed } = await anAwaitedVote()
  await connection.leave()
  decide(EXECUTED)
  expect(isAnswered()).toBe(false)
  const next = await reopen()
  expect(await response).toMatchObject({ valid: true, result: { txResponse: EXECUTED } })
  expect(new Set(followed)).toEqual(new Set(['7']))
  await vi.waitFor(() => expect(next.state()).toMatchObject({ awaited: 0 }), WAITS)
})

test('2.8 while the page waits for votes, its next request is prompted', async () => {
  const { service, connection } = await anAwaitedVote()
  const message = anyBase64({ typeUrl: '/y', value: new Uint8Array() })
  const second = service.sendMessage({ message, customId: 'second' })
  const prompt = await vi.waitFor(() => connection.prompt() ?? expect.fail('no prompt'), WAITS)
  await connection.commit(prompt.id)
  connection.answer(prompt.id, { kind: 'send', txResponse: EXECUTED })
  expect(await second).toMatchObject({ valid: true })
  expect(connection.state()).toMatchObject({ awaited: 1 })
})

test('2.8 a page can stop waiting for votes', async () => {
  const { service, connection, response } = await anAwaitedVote()
  expect(await service.removePendingMethod('tx')).toMatchObject({ valid: true })
  expect(await response).toMatchObject({ valid: false, error: 'Error: Request withdrawn' })
  await vi.waitFor(() => expect(connection.state()).toMatchObject({ awaited: 0 }), WAITS)
})

test('protocol 13: a request that was undecided when the wallet was closed is not prompted again', async () => {
  const { connection, response, reopen } = await aPendingTransaction()
  await connection.leave()
  const next = await reopen()
  expect(await response).toMatchObject({
    valid: false,
    error: 'Error: The wallet was closed before it answered',
  })
  await vi.waitFor(
    () => expect(next.state()).toMatchObject({ decided: { how: 'interrupted' } }),
    WAITS,
  )
  expect(next.prompt()).toBeUndefined()
})
