import type { ApprovalResult } from '@portico/contracts/hosted-wallet'
import { memoryStorage, neverAborted } from '@portico/shell/testing'
import { WalletError } from '@portico/wallet-connect/protocol'
import type { ActiveAccount, Prompt } from '@portico/wallet-connect/wallet'
import { expect, test } from 'vitest'
import type { ApprovalPrompt } from '../approval-prompt.ts'
import type { Arrival } from '../arrival.ts'
import type { KeyStoreAccount } from '../key-store.ts'
import { approver as createApprover, type PromptUser, walletAccounts } from './approver.ts'
import { openConnection } from './connection.ts'

const origin = 'https://lender.example'
const account: KeyStoreAccount = {
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
const undecided: Prompt = { signal: neverAborted, commit: () => undefined }

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

test('protocol 7: connecting returns the account entry of the key store, including the group', async () => {
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

const open = (arrival: Arrival, stored: Record<string, string> = {}) => {
  const storage = memoryStorage(stored)
  const deps = { accounts: [account], arrival, origin, pageOrigin: origin, storage }
  return openConnection({ ...deps, reportError: unexpected }).then((connection) => ({
    connection,
    storage,
  }))
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
