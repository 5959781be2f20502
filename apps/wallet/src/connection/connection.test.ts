import type { ApprovalResult } from '@portico/contracts/hosted-wallet'
import { lasting, memoryStorage } from '@portico/shell/testing'
import type { Acting } from '@portico/wallet-connect/wallet'
import { expect, test } from 'vitest'
import type { Question } from '../approval-request.ts'
import type { Arrival } from '../arrival.ts'
import type { KeeperAccount } from '../key-keeper.ts'
import { approvalAdapter, type Put } from './approval-adapter.ts'
import { openConnection } from './connection.ts'

const origin = 'https://lender.example'
const account: KeeperAccount = {
  name: 'Everyday',
  address: 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh',
  publicKey: 'Ax6LE0FlMU9qMFYEOJZpEXQ49IPjbsgCrk/2khQ6UM7k',
  verified: true,
  groups: [{ name: 'Larch Partners', address: 'tp1larch' }],
}
const page = { peerId: 'page', peerMeta: { name: 'Page', description: '', url: '', icons: [] } }

function desk(result: ApprovalResult | undefined) {
  const put: Omit<Question, 'id' | 'waiting'>[] = []
  const answer: Put = async (question) => {
    put.push(question)
    return result
  }
  const set = approvalAdapter({ accounts: [account], origin, put: answer })
  const acting: Acting = { account: set.accounts[0] ?? expect.fail(), group: null }
  return { ...set, acting, put }
}

const message = Uint8Array.of(0x68, 0x69)
const asked = { kind: 'sign', description: '', address: account.address, bytes: message } as const

test('7.4 the signature is that of the approval, for those bytes, once', async () => {
  const { person, acting, put } = desk({ kind: 'sign', signature: 'ab'.repeat(64) })
  expect(await person.sign({ page, acting, asked, token: undefined }, lasting)).toBe(true)
  expect(put).toMatchObject([{ request: { kind: 'sign', messageHex: '6869' }, origin }])
  expect(await acting.account.sign(message)).toEqual(new Uint8Array(64).fill(0xab))
  expect(() => acting.account.sign(message)).toThrow('Nothing was approved')
})

test('7.4 other bytes than the approved ones get no signature', async () => {
  const { person, acting } = desk({ kind: 'sign', signature: 'ab'.repeat(64) })
  await person.sign({ page, acting, asked, token: undefined }, lasting)
  expect(() => acting.account.sign(Uint8Array.of(1))).toThrow('Nothing was approved')
  expect(() => acting.account.sign(message)).toThrow('Nothing was approved')
})

test('7.4 what was turned down gives nothing', async () => {
  const { person, acting } = desk(undefined)
  expect(await person.sign({ page, acting, asked, token: undefined }, lasting)).toBe(false)
  expect(() => acting.account.sign(message)).toThrow('Nothing was approved')
})

test('protocol 9.2: a token is asked for as a token', async () => {
  const { person, acting, put } = desk(undefined)
  await person.sign({ page, acting, asked, token: { addr: account.address } }, lasting)
  expect(put).toMatchObject([{ request: { kind: 'sign-jwt' } }])
})

test('protocol 7: connecting gives the entry that the keeper made, group and all', async () => {
  const entry = {
    address: account.address,
    publicKey: account.publicKey,
    jwt: 'token',
    walletInfo: { id: account.address, name: account.name, coin: 'testNet' as const },
    attributes: [],
    representedGroupPolicy: { address: 'tp1larch', metadata: { name: 'Larch Partners' } },
  }
  const { person, accounts, accountsOf, put } = desk({ kind: 'connect', account: entry })
  const request = { peerId: 'page', peerMeta: page.peerMeta, chainId: null }
  const acting = await person.connect({ page, asked: request, wishes: {}, accounts }, lasting)
  expect(put).toMatchObject([{ kind: 'connect', choices: [{ group: null }, {}] }])
  expect(await accountsOf(acting ?? expect.fail())).toEqual([entry])
  await expect(accountsOf(acting ?? expect.fail())).rejects.toThrow('Nothing was approved')
})

test('protocol 9.3: extension options are put to the person with the rest of the transaction', async () => {
  const { person, acting, put } = desk(undefined)
  const any = { typeUrl: '/x', value: new Uint8Array() }
  const transaction = {
    ...asked,
    kind: 'sendTransaction',
    messages: [any],
    extensionOptions: ['AAAA'],
    nonCriticalExtensionOptions: [],
  } as const
  expect(await person.sendTransaction({ page, acting, asked: transaction }, lasting)).toBe(false)
  expect(put).toMatchObject([{ kind: 'act', request: { extensionOptions: ['AAAA'] } }])
})

const unexpected = (error: unknown) => {
  throw error
}

const open = (arrival: Arrival, kept: Record<string, string> = {}) => {
  const storage = memoryStorage(kept)
  const deps = { accounts: [account], arrival, origin, pageOrigin: origin, storage }
  return openConnection({ ...deps, reportError: unexpected }).then((connection) => ({
    connection,
    storage,
  }))
}

test.each([
  ['a code that is none', 'hello', 'code-unreadable'],
  [
    'a code over a relay that is not ours',
    `wc:topic@1?bridge=${encodeURIComponent('wss://elsewhere.example/ws')}&key=${'ab'.repeat(32)}`,
    'other-relay',
  ],
])('protocol 13: %s is not followed', async (_, code, how) => {
  const { connection } = await open({ kind: 'connect', code })
  expect(connection.state()).toMatchObject({ step: 'over', how })
})

test('protocol 13: a request without a connection says so; a visit without one is just a visit', async () => {
  expect((await open({ kind: 'request' })).connection.state()).toMatchObject({
    step: 'over',
    how: 'not-connected',
  })
  expect((await open({ kind: 'visit' })).connection.state()).toEqual({ step: 'none' })
})

test('protocol 6.2: a kept connection that cannot be gone on with is forgotten', async () => {
  const kept = { 'portico-hosted-wallet': JSON.stringify({ uri: 'wc:x', session: '{}' }) }
  const { connection, storage } = await open({ kind: 'visit' }, kept)
  expect(connection.state()).toEqual({ step: 'none' })
  expect(storage.read('portico-hosted-wallet')).toBeUndefined()
})
