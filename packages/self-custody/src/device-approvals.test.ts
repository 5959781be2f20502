import { type ChainNode, openChain } from '@portico/chain-client/chain'
import { execMessage, voteMessage } from '@portico/chain-client/group-messages'
import {
  readProposal,
  responseOfProposal,
  submittedProposal,
} from '@portico/chain-client/proposals'
import { Refusal } from '@portico/contracts/errors'
import type { ApprovalRequest } from '@portico/contracts/hosted-wallet'
import { APPROVAL_LIFETIME_MS } from '@portico/contracts/limits'
import { aDevelopmentChain } from '@portico/development-chain/testing'
import { addressOf, encodeAddress } from '@portico/keys/address'
import { base64Of, bytesOfBase64, bytesOfHex, hexOf } from '@portico/keys/bytes'
import { readJwt, unsignedJwt, verifyJwt } from '@portico/keys/jwt'
import { NETWORKS } from '@portico/keys/networks'
import { publicKeyOf, verify } from '@portico/keys/signature'
import { shortAddress } from '@portico/rules/short-address'
import { spellingsOf } from '@portico/rules/testing'
import type { DeviceStore } from '@portico/wallet-kit/device-wallet'
import { memoryStore } from '@portico/wallet-kit/memory-store'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { AuthInfo, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { describe, expect, test } from 'vitest'
import { openDeviceKeyKeeper } from './device-key-keeper.ts'
import { memoryKeyStore } from './unlocked-key.ts'

const WORDS =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'
const PASSPHRASE = 'correct horse battery'
const PAGE = 'https://lender.example'
const RECIPIENT = addressOf(publicKeyOf(new Uint8Array(32).fill(7)), 'tp')
const network = NETWORKS.testnet
const TWO_DAYS_MS = 172_800_000

/** Wraps a process's storage or node, to stop it at one of its steps. */
interface Process {
  readonly store?: (store: DeviceStore) => DeviceStore
  readonly node?: (node: ChainNode) => ChainNode
}

/** A new wallet: its device's storage and the unlocked key. Created once, because key derivation is slow. */
async function createWallet() {
  const stored = new Map<string, string>()
  const unlockedKeyStore = memoryKeyStore()
  const keeper = openDeviceKeyKeeper({
    store: memoryStore(stored),
    unlockedKeyStore,
    chain: openChain(undefined),
    network,
    issuer: 'portico.example',
    clock: (await aDevelopmentChain()).at,
  })
  await keeper.createVault({ words: WORDS, passphrase: PASSPHRASE, accountName: 'Savings' })
  return { stored, unlocked: (await unlockedKeyStore.read()) ?? new Uint8Array() }
}

const created = createWallet()

/** A device with a wallet, and a development chain. */
async function world() {
  const development = await aDevelopmentChain()
  const clock = development.at
  let node: ChainNode = development.node
  /** Called while a wallet waits for a block. */
  let onPause = async () => {}
  const values = await created
  const store = memoryStore(new Map(values.stored))
  const unlockedKeyStore = memoryKeyStore()
  await unlockedKeyStore.write(values.unlocked)
  const keeper = ({ store: wrapStore, node: wrapNode }: Process = {}) => {
    const requestNode: ChainNode = (path, body) => node(path, body)
    return openDeviceKeyKeeper({
      store: wrapStore?.(store) ?? store,
      unlockedKeyStore,
      chain: openChain(wrapNode?.(requestNode) ?? requestNode),
      network,
      issuer: 'portico.example',
      clock,
      pause: () => onPause(),
    })
  }
  const [account] = await keeper().accounts()
  const address = account?.address ?? ''
  const balance = async (of: string) => {
    const { content } = await development.node(`/cosmos/bank/v1beta1/balances/${of}/by_denom`)
    return Number((content as { balance: { amount: string } }).balance.amount) // A node's response.
  }
  const initial = await balance(RECIPIENT)
  return {
    development,
    store,
    keeper,
    account,
    address,
    clock,
    balance,
    /** The amount that the recipient has received. */
    received: async () => (await balance(RECIPIENT)) - initial,
    sequence: async () => {
      const { content } = await development.node(`/cosmos/auth/v1beta1/accounts/${address}`)
      return Number((content as { account: { sequence: string } }).account.sequence) // A node's response.
    },
    pass: development.advance,
    setNode: (next: ChainNode) => {
      node = next
    },
    setPause: (next: () => Promise<void>) => {
      onPause = next
    },
    /** Sends 1 nhash from another device with the same recovery words. */
    async sendFromOtherDevice() {
      const otherKeyStore = memoryKeyStore()
      await otherKeyStore.write(values.unlocked)
      const other = openDeviceKeyKeeper({
        store: memoryStore(new Map(values.stored)),
        unlockedKeyStore: otherKeyStore,
        chain: openChain(development.node),
        network,
        issuer: 'portico.example',
        clock,
      })
      const messages = [packedPayment(address, '1')]
      const request: ApprovalRequest = { kind: 'send', address, messages }
      const { approvalId } = await other.requestApproval(request, prompt('other:1'))
      await other.approve(approvalId)
    },
    payment: (amount = '5'): SendRequest => ({
      kind: 'send',
      address,
      messages: [packedPayment(address, amount)],
    }),
  }
}

type SendRequest = Extract<ApprovalRequest, { kind: 'send' }>

function packedPayment(fromAddress: string, amount: string): string {
  const message = MsgSend.fromPartial({
    fromAddress,
    toAddress: RECIPIENT,
    amount: [{ denom: 'nhash', amount }],
  })
  return base64Of(
    Any.encode({ typeUrl: MsgSend.typeUrl, value: MsgSend.encode(message).finish() }).finish(),
  )
}

const prompt = (promptId: string) => ({ promptId, origin: PAGE })

const code = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
  )

test('4.1 a page receives a token of the account, signed for the installation', async () => {
  const { keeper, address, clock } = await world()
  const wallet = keeper()
  const { approvalId, words } = await wallet.requestApproval(
    { kind: 'connect', address, jwtExpirationS: 3600 },
    prompt('site:1'),
  )
  expect(words).toEqual({ kind: 'connect', lifetimeS: 3600 })
  const result = await wallet.approve(approvalId)
  const token = result.kind === 'connect' ? result.account.jwt : ''
  expect(
    verifyJwt(token, { now: clock() / 1000, issuer: 'portico.example', prefix: 'tp' }),
  ).toMatchObject({ ok: true, claims: { addr: address } })
})

test('protocol 9.1: a message is described from its bytes, signed once, and in the history', async () => {
  const { keeper, account, address } = await world()
  const wallet = keeper()
  const messageHex = '68656c6c6f'
  const request = { kind: 'sign', address, messageHex } as const
  const { approvalId, words } = await wallet.requestApproval(request, prompt('site:1'))
  expect(words).toEqual({ kind: 'text', text: 'hello' })
  expect(await wallet.resultOf('site:1')).toBeUndefined()
  const result = await wallet.approve(approvalId)
  const signature = result.kind === 'sign' ? result.signature : ''
  const publicKey = bytesOfBase64(account?.publicKey ?? '') ?? new Uint8Array()
  const bytes = (hex: string) => bytesOfHex(hex) ?? new Uint8Array()
  expect(verify(publicKey, bytes(messageHex), bytes(signature))).toBe(true)
  expect(await keeper().resultOf('site:1')).toEqual(result)
  expect(await wallet.history()).toMatchObject([
    {
      origin: PAGE,
      acting: { account: { name: 'Savings', address }, group: null },
      effect: 'Sign ‘hello’',
      decision: { kind: 'sign', how: 'agreed' },
      txhash: null,
    },
  ])
})

test('5 a payment is in a block when its page receives the result', async () => {
  const { keeper, payment, received } = await world()
  const wallet = keeper()
  const { approvalId, words } = await wallet.requestApproval(payment(), prompt('site:1'))
  expect(words).toMatchObject({ kind: 'transaction', amount: '0.000000005 hash' })
  const result = await wallet.approve(approvalId)
  expect(result).toMatchObject({ kind: 'send', txResponse: { code: 0, rawLog: '' } })
  expect(await received()).toBe(5)
  const txhash = result.kind === 'send' ? result.txResponse['txhash'] : undefined
  expect(await wallet.history()).toMatchObject([
    { decision: { kind: 'send', how: 'agreed' }, txhash },
  ])
})

test('9.3 for a group the transaction is a proposal of its member; another group is refused', async () => {
  const { keeper, development, address, payment, received } = await world()
  const group = await seededGroup(development, address)
  const wallet = keeper()
  const request = { ...payment(), group, messages: [packedPayment(group, '9')] }
  const { approvalId, words } = await wallet.requestApproval(request, prompt('site:1'))
  expect(words).toMatchObject({
    effect: expect.stringMatching(/^Propose to Larch: send 0.000000009 hash to tp1/),
    messages: [{ title: 'Propose to a group' }, { level: 1, title: 'Send' }],
  })
  expect(await wallet.approve(approvalId)).toMatchObject({ txResponse: { code: 0 } })
  expect(await received()).toBe(9)
  expect(await wallet.history()).toMatchObject([{ acting: { group: { name: 'Larch' } } }])

  const foreign = { ...request, group: RECIPIENT }
  expect(await code(wallet.requestApproval(foreign, prompt('site:2')))).toBe(
    'account-not-authorized',
  )
  const connect = { kind: 'connect', address, group } as const
  const connection = await wallet.requestApproval(connect, prompt('site:3'))
  expect(await wallet.approve(connection.approvalId)).toMatchObject({
    account: { representedGroupPolicy: { address: group, metadata: { name: 'Larch' } } },
  })
})

test('a group named like an own account, or like another group, is shown by its address', async () => {
  const { keeper, development, address } = await world()
  const wallet = keeper()
  const groups = [
    { name: 'SAVINGS', seed: 8 },
    { name: 'Larch', seed: 9 },
    { name: 'larch ', seed: 10 },
    { name: 'Alder', seed: 11 },
  ].map(({ name, seed }) => ({
    name,
    address: addressOf(publicKeyOf(new Uint8Array(32).fill(seed)), 'tp'),
    members: [address],
    threshold: 1,
  }))
  await development.seedGroups(groups)
  for (const group of groups) {
    const shown = { name: group.name === 'Alder' ? 'Alder' : '', address: group.address }
    const request = { kind: 'switch-group', address, group: group.address } as const
    const { approvalId, words } = await wallet.requestApproval(request, prompt(group.address))
    expect(words).toEqual({ kind: 'switch-group', group: shown })
    await wallet.approve(approvalId)
    const [entry] = await wallet.history()
    expect(entry?.acting.group).toEqual(shown)
    expect(entry?.effect).toBe(`Act for ${shown.name || shortAddress(group.address)}`)
  }
})

test('2.8 a transaction for a group waits for the votes of its other members, also in the history', async () => {
  const { keeper, development, address, payment, received, clock, pass } = await world()
  const group = addressOf(publicKeyOf(new Uint8Array(32).fill(8)), 'tp')
  const members = [address, RECIPIENT]
  await development.seedGroups([{ address: group, name: 'Alder Holdings', members, threshold: 2 }])
  const wallet = keeper()
  const request = { ...payment(), group, messages: [packedPayment(group, '5')] }
  const { approvalId } = await wallet.requestApproval(request, prompt('site:1'))
  const result = await wallet.approve(approvalId)
  if (result.kind !== 'proposed') return expect.fail()
  expect(await received()).toBe(0)
  expect(await wallet.history()).toMatchObject([
    { decision: { how: 'proposed' }, txhash: result.txhash, proposalId: result.proposalId },
  ])
  // Another window, or the same one after a restart.
  expect(await keeper().resultOf('site:1')).toEqual(result)
  expect(await responseOfProposal(development.chain, result, clock)).toBeUndefined()
  pass(TWO_DAYS_MS + 1)
  expect(await responseOfProposal(development.chain, result, clock)).toMatchObject({
    code: 3,
    txhash: result.txhash,
    rawLog: expect.stringContaining('expired'),
  })
})

async function seededGroup(
  { seedGroups }: Awaited<ReturnType<typeof aDevelopmentChain>>,
  member: string,
): Promise<string> {
  const address = encodeAddress({ prefix: 'tp', bytes: new Uint8Array(32).fill(1) })
  await seedGroups([{ address, name: 'Larch', members: [member], threshold: 1 }])
  return address
}

test('protocol 9.1: nothing that could be a transaction is signed as a message', async () => {
  const { keeper, address } = await world()
  for (const messageHex of [
    '0a04120200011204120200011a00',
    '120412020001200a0a0412020001',
    'a10181a10168436861696e206964',
  ]) {
    const request = { kind: 'sign', address, messageHex } as const
    expect(await code(keeper().requestApproval(request, prompt('site:1'))), messageHex).toBe(
      'message-is-transaction',
    )
  }
})

test('7.4 a sign-in text or token for another site than the asking page is not signed', async () => {
  const { keeper, address, clock } = await world()
  const hex = (text: string) => hexOf(new TextEncoder().encode(text))
  const iat = Math.floor(clock() / 1000)
  const claims = { sub: 'key', iat, exp: iat + 60, addr: address }
  const asked = (origin: string | undefined, audience: string) => ({
    promptId: 'site:1',
    origin,
    audience,
  })
  const wallet = keeper()
  const text = hex('Sign in to https://portico.example with this wallet: 0d3c')
  const issued = hex(unsignedJwt({ ...claims, iss: 'portico.example' }))
  const named = hex(
    unsignedJwt({ ...claims, iss: 'provenance.io', origin: 'https://portico.example' }),
  )
  for (const [kind, messageHex] of [
    ['sign', text],
    ['sign', hex('\nSign in to\nhttps://portico.example  with this wallet: 0d3c')],
    ['sign-jwt', issued],
    ['sign-jwt', named],
  ] as const) {
    const request = { kind, address, messageHex } as const
    for (const prompt of [
      asked('https://stranger.example', 'https://stranger.example'),
      asked(undefined, 'null'),
    ]) {
      expect(await code(wallet.requestApproval(request, prompt)), messageHex).toBe(
        'message-for-other-site',
      )
    }
    const lender = asked('https://portico.example', 'https://portico.example')
    const { approvalId } = await wallet.requestApproval(request, lender)
    await wallet.reject(approvalId)
  }
})

test('7.4 a sign-in text for another site than the asking page is not signed, however it is written', async () => {
  const { keeper, address } = await world()
  const wallet = keeper()
  const text = 'Sign in to https://portico.example with this wallet: 0d3c'
  for (const [spelling, bytes] of spellingsOf(text)) {
    const request = { kind: 'sign', address, messageHex: hexOf(bytes) } as const
    const stranger = { promptId: 'site:1', origin: 'https://stranger.example' }
    expect(await code(wallet.requestApproval(request, stranger)), spelling).toBe(
      'message-for-other-site',
    )
    const lender = { promptId: 'site:2', origin: 'https://portico.example' }
    const { approvalId } = await wallet.requestApproval(request, lender)
    await wallet.reject(approvalId)
  }
  expect(await wallet.resultOf('site:1')).toBeUndefined()
})

test('protocol 11: the token of a connection names the page that it was made for', async () => {
  const { keeper, address } = await world()
  const wallet = keeper()
  for (const [index, audience] of ['https://site.example', 'null'].entries()) {
    const { approvalId } = await wallet.requestApproval(
      { kind: 'connect', address },
      { promptId: `site:${index}`, origin: undefined, audience },
    )
    const result = await wallet.approve(approvalId)
    const jwt = 'account' in result ? result.account.jwt : expect.fail()
    expect(readJwt(jwt)?.claims.origin).toBe(audience)
  }
})

test('protocol 9.2: only a token of the wallet’s own account is signed as one', async () => {
  const { keeper, address, clock } = await world()
  const iat = Math.floor(clock() / 1000)
  const token = (addr: string) =>
    unsignedJwt({ sub: 'key', iss: 'lender.example', iat, exp: iat + 60, addr })
  const request = (addr: string) =>
    ({
      kind: 'sign-jwt',
      address,
      messageHex: hexOf(new TextEncoder().encode(token(addr))),
    }) as const
  const wallet = keeper()
  expect(await code(wallet.requestApproval(request(RECIPIENT), prompt('site:1')))).toBe(
    'message-unreadable',
  )
  const { words } = await wallet.requestApproval(request(address), prompt('site:2'))
  expect(words).toMatchObject({ kind: 'token', issuer: 'lender.example', address })
})

test('protocol 9.2: a token for a group is signed only while the page acts for that group', async () => {
  const { keeper, development, address, clock } = await world()
  const group = await seededGroup(development, address)
  const iat = Math.floor(clock() / 1000)
  const token = { sub: 'key', iss: 'lender.example', iat, exp: iat + 60, addr: address }
  const request = (grp: string, actingFor: string | null) =>
    ({
      kind: 'sign-jwt',
      address,
      group: actingFor,
      messageHex: hexOf(new TextEncoder().encode(unsignedJwt({ ...token, grp }))),
    }) as const
  const wallet = keeper()
  const other = encodeAddress({ prefix: 'tp', bytes: new Uint8Array(32).fill(2) })
  for (const [grp, actingFor] of [
    [group, null],
    [other, null],
    [other, group],
  ] as const) {
    expect(await code(wallet.requestApproval(request(grp, actingFor), prompt('site:1')))).toBe(
      'message-unreadable',
    )
  }
  const { words } = await wallet.requestApproval(request(group, group), prompt('site:2'))
  expect(words).toMatchObject({ kind: 'token', group })
})

test('an address that is not in this wallet signs nothing, and requests are checked', async () => {
  const { keeper } = await world()
  for (const [request, expected] of [
    [{ kind: 'sign', address: RECIPIENT, messageHex: '00' }, 'account-not-authorized'],
    [{ kind: 'sign', address: 'x', messageHex: '00' }, 'invalid-request'],
    [{ kind: 'sign', address: RECIPIENT, messageHex: '0' }, 'invalid-request'],
    [{ kind: 'export-key', address: RECIPIENT }, 'invalid-request'],
  ] as const) {
    // A page's message may be anything.
    const hostile = request as ApprovalRequest
    expect(await code(keeper().requestApproval(hostile, prompt('site:1')))).toBe(expected)
  }
})

describe('one approval per prompt', () => {
  const hello = (address: string) => ({ kind: 'sign', address, messageHex: '68' }) as const

  test('the same prompt returns the same approval, also in another window at the same moment', async () => {
    const { keeper, payment } = await world()
    const approvals = await Promise.all(
      Array.from({ length: 5 }, () => keeper().requestApproval(payment(), prompt('site:1'))),
    )
    expect(new Set(approvals.map(({ approvalId }) => approvalId)).size).toBe(1)
    expect(new Set(approvals.map(({ words }) => JSON.stringify(words))).size).toBe(1)
  })

  test('an expired approval is created again with new bytes, and the old one cannot be approved', async () => {
    const { keeper, address, pass } = await world()
    const wallet = keeper()
    const request = { kind: 'connect', address } as const
    const first = await wallet.requestApproval(request, prompt('site:1'))
    pass(APPROVAL_LIFETIME_MS - 1)
    const same = await wallet.requestApproval(request, prompt('site:1'))
    expect(same.approvalId).toBe(first.approvalId)
    pass(1)
    expect(await code(wallet.approve(first.approvalId))).toBe('approval-over')
    const next = await wallet.requestApproval(request, prompt('site:1'))
    expect(next.approvalId).not.toBe(first.approvalId)
    expect(await code(wallet.approve(first.approvalId))).toBe('approval-over')
    expect(await code(wallet.approve(next.approvalId))).toBe('done')
  })

  test('an approval is executed once and returns the same result each time', async () => {
    const { keeper, payment, received, pass } = await world()
    const wallet = keeper()
    const { approvalId } = await wallet.requestApproval(payment(), prompt('site:1'))
    const result = await wallet.approve(approvalId)
    pass(2 * APPROVAL_LIFETIME_MS)
    expect(await wallet.approve(approvalId)).toEqual(result)
    expect(await wallet.requestApproval(payment(), prompt('site:1'))).toMatchObject({ approvalId })
    expect(await keeper().resultOf('site:1')).toEqual(result)
    expect(await received()).toBe(5)
    expect(await wallet.history()).toHaveLength(1)
  })

  test('another request or page under the id of an approved prompt is not signed', async () => {
    const { keeper, address } = await world()
    const wallet = keeper()
    const { approvalId } = await wallet.requestApproval(hello(address), prompt('site:1'))
    await wallet.approve(approvalId)
    const other = { ...hello(address), messageHex: '69' }
    expect(await code(wallet.requestApproval(other, prompt('site:1')))).toBe('approval-over')
    const elsewhere = { promptId: 'site:1', origin: 'https://attacker.example' }
    expect(await code(wallet.requestApproval(hello(address), elsewhere))).toBe('approval-over')
  })

  test('a rejected approval cannot be approved, is in the history, and its prompt can be shown again', async () => {
    const { keeper, address } = await world()
    const wallet = keeper()
    const { approvalId } = await wallet.requestApproval(hello(address), prompt('site:1'))
    await wallet.reject(approvalId)
    expect(await code(wallet.approve(approvalId))).toBe('approval-over')
    expect(await code(wallet.reject(approvalId))).toBe('approval-over')
    expect(await wallet.resultOf('site:1')).toBeUndefined()
    expect(await wallet.history()).toMatchObject([{ decision: { kind: 'sign', how: 'refused' } }])
    const again = await wallet.requestApproval(hello(address), prompt('site:1'))
    expect(again.approvalId).not.toBe(approvalId)
  })

  test('an approval that two windows approve and reject at once has one result', async () => {
    const { keeper, payment, received } = await world()
    const { approvalId } = await keeper().requestApproval(payment(), prompt('site:1'))
    const outcomes = await Promise.all([
      code(keeper().reject(approvalId)),
      code(keeper().approve(approvalId)),
      code(keeper().approve(approvalId)),
    ])
    expect(outcomes).toEqual(['done', 'approval-over', 'approval-over'])
    expect(await received()).toBe(0)
  })

  test('the history has at most 200 entries, newest first, and undecided approvals do not pile up', async () => {
    const { keeper, address, store } = await world()
    const wallet = keeper()
    for (let index = 0; index < 205; index += 1) {
      const messageHex = hexOf(new TextEncoder().encode(`message ${index}`))
      const request = { kind: 'sign', address, messageHex } as const
      const { approvalId } = await wallet.requestApproval(request, prompt(`site:${index}`))
      await wallet.reject(approvalId)
    }
    const history = await wallet.history()
    expect(history).toHaveLength(200)
    expect(history[0]).toMatchObject({ effect: 'Sign ‘message 204’' })
    const size = (await store.read('vault'))?.length ?? 0
    for (let index = 0; index < 50; index += 1) {
      const messageHex = 'ff'.repeat(1000)
      await wallet.requestApproval({ kind: 'sign', address, messageHex }, prompt(`page:${index}`))
    }
    expect((await store.read('vault'))?.length ?? 0).toBeLessThan(size + 60_000)
  })
})

/** The process was stopped: nothing that it does afterwards has an effect. */
class Stopped extends Error {}

function stopAt(stopping: number) {
  let step = 0
  let isStopped = false
  function pass(): void {
    if (isStopped || step === stopping) {
      isStopped = true
      throw new Stopped()
    }
    step += 1
  }
  return {
    isStopped: () => isStopped,
    process: {
      store: (store: DeviceStore): DeviceStore => ({
        ...store,
        async update(key, change) {
          pass()
          await store.update(key, change)
          pass()
        },
      }),
      node:
        (node: ChainNode): ChainNode =>
        async (path, body) => {
          pass()
          const response = await node(path, body)
          pass()
          return response
        },
    },
  }
}

/** A node on which the transactions of one account wait before they are in a block, as on a real chain. */
function slowNode({ development, sequence }: Awaited<ReturnType<typeof world>>) {
  const waiting = new Map<string, unknown>()
  const submit = '/cosmos/tx/v1beta1/txs'
  const response = (code: number, raw_log: string) => ({
    status: 200,
    content: { tx_response: { code, codespace: 'sdk', raw_log, txhash: '' } },
  })
  const node: ChainNode = async (path, body) => {
    if (path !== submit || body === undefined) return development.node(path, body)
    const { tx_bytes } = body as { tx_bytes: string } // The client's format.
    if (waiting.has(tx_bytes)) return response(19, 'tx already in mempool')
    const { authInfoBytes } = TxRaw.decode(bytesOfBase64(tx_bytes) ?? new Uint8Array())
    const used = Number(AuthInfo.decode(authInfoBytes).signerInfos[0]?.sequence)
    const expected = (await sequence()) + waiting.size
    if (used !== expected) {
      const log = `account sequence mismatch, expected ${expected}, got ${used}`
      return response(32, `${log}: incorrect account sequence`)
    }
    waiting.set(tx_bytes, body)
    return response(0, '')
  }
  return {
    node,
    async createBlock() {
      for (const [bytes, body] of waiting) {
        await development.node(submit, body)
        waiting.delete(bytes)
      }
    },
  }
}

/** A payment that waits for a block with an unknown outcome, and the prompt of an equal one. */
async function anUnconfirmedPayment() {
  const it = await world()
  const wallet = it.keeper()
  const slow = slowNode(it)
  const first = await wallet.requestApproval(it.payment(), prompt('site:1'))
  it.setNode(slow.node)
  expect(await code(wallet.approve(first.approvalId))).toBe('transaction-unconfirmed')
  return {
    ...it,
    wallet,
    slow,
    second: await wallet.requestApproval(it.payment(), prompt('site:2')),
  }
}

describe('a process that is stopped at any step sends a payment exactly once', () => {
  test.each(['at once', 'after a while', 'after one of another device'])(
    'the chain includes transactions %s',
    async (speed) => {
      const isOvertaken = speed === 'after one of another device'
      let steps = 0
      for (let isComplete = false; !isComplete; steps += 1) {
        const it = await world()
        const slow = slowNode(it)
        let pauses = 0
        if (speed === 'after a while') it.setNode(slow.node)
        it.setPause(async () => {
          pauses += 1
          if (pauses % 5 === 0) await slow.createBlock()
        })
        const { isStopped, process } = stopAt(steps)
        const request = it.payment()
        const run = async (wallet: ReturnType<typeof it.keeper>) => {
          const { approvalId } = await wallet.requestApproval(request, prompt('site:1'))
          if (isOvertaken && (await it.sequence()) === 0) await it.sendFromOtherDevice()
          return wallet.approve(approvalId)
        }
        const first = await run(it.keeper(process)).catch((error: unknown) => error)
        isComplete = !isStopped()
        if (isComplete) expect(first).toMatchObject({ kind: 'send' })
        else expect(first).toBeInstanceOf(Stopped)

        const restarted = it.keeper()
        const found = await restarted.resultOf('site:1')
        const result = found ?? (await run(restarted))
        expect(result, `stopped at ${steps}`).toMatchObject({ txResponse: { code: 0 } })
        expect(await it.received(), `stopped at ${steps}`).toBe(isOvertaken ? 6 : 5)
        expect(await it.sequence()).toBe(isOvertaken ? 2 : 1)
        const decisions = (await restarted.history()).map(({ decision }) => decision.how)
        // Overtaken and stopped: nothing was sent, and the user approved again.
        if (!isOvertaken || decisions.length === 1) expect(decisions).toEqual(['agreed'])
        else expect(decisions).toEqual(['agreed', 'failed'])
        expect(await restarted.resultOf('site:1')).toEqual(result)
      }
      // Reads, simulation, two writes, broadcast and look-up, each before and after.
      expect(steps).toBeGreaterThan(14)
    },
  )

  test('a message is signed exactly once too', async () => {
    for (let steps = 0, isComplete = false; !isComplete; steps += 1) {
      const it = await world()
      const { isStopped, process } = stopAt(steps)
      const request = { kind: 'sign', address: it.address, messageHex: '68' } as const
      const run = async (wallet: ReturnType<typeof it.keeper>) => {
        const { approvalId } = await wallet.requestApproval(request, prompt('site:1'))
        return wallet.approve(approvalId)
      }
      await run(it.keeper(process)).catch(() => undefined)
      isComplete = !isStopped()
      const restarted = it.keeper()
      const result = (await restarted.resultOf('site:1')) ?? (await run(restarted))
      expect(result).toMatchObject({ kind: 'sign' })
      expect(await restarted.history()).toHaveLength(1)
    }
  })
})

test('ten windows that approve at once send one transaction', async () => {
  for (const speed of ['at once', 'after a while']) {
    const it = await world()
    const { keeper, payment, received, sequence, setNode, setPause } = it
    const slow = slowNode(it)
    if (speed === 'after a while') setNode(slow.node)
    setPause(slow.createBlock)
    const { approvalId } = await keeper().requestApproval(payment(), prompt('site:1'))
    const results = await Promise.all(
      Array.from({ length: 10 }, () => keeper().approve(approvalId)),
    )
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1)
    expect([await received(), await sequence()]).toEqual([5, 1])
    expect(await keeper().history()).toHaveLength(1)
  }
})

describe('another transaction of the account is faster', () => {
  test('the same messages and fee are signed again with the next sequence, once', async () => {
    const { keeper, payment, received, sequence } = await world()
    const wallet = keeper()
    const first = await wallet.requestApproval(payment('5'), prompt('site:1'))
    const second = await wallet.requestApproval(payment('7'), prompt('site:2'))
    await wallet.approve(first.approvalId)
    expect(await wallet.approve(second.approvalId)).toMatchObject({ txResponse: { code: 0 } })
    expect([await received(), await sequence()]).toEqual([12, 2])
    const again = await wallet.requestApproval(payment('7'), prompt('site:2'))
    const content = (words: object) => ({ ...words, hex: '' })
    expect(content(again.words)).toEqual(content(second.words))
    const [entry] = await wallet.history()
    expect(entry).toMatchObject({ decision: { how: 'agreed' } })
    expect((await wallet.resultOf('site:2')) as object).toMatchObject({
      txResponse: { txhash: entry?.txhash },
    })
  })

  test.each([
    ['different', '7'],
    // With the same sequence these would be one transaction.
    ['equal', '5'],
  ])('both at once, %s: both payments arrive, each once', async (_, amount) => {
    for (const speed of ['at once', 'after a while']) {
      const it = await world()
      const { keeper, payment, received, sequence, setNode, setPause } = it
      const slow = slowNode(it)
      if (speed === 'after a while') setNode(slow.node)
      setPause(slow.createBlock)
      const first = await keeper().requestApproval(payment('5'), prompt('site:1'))
      const second = await keeper().requestApproval(payment(amount), prompt('site:2'))
      const results = await Promise.all([
        keeper().approve(first.approvalId),
        keeper().approve(second.approvalId),
      ])
      expect([await received(), await sequence()]).toEqual([5 + Number(amount), 2])
      const hashes = results.map((result) =>
        result.kind === 'send' ? result.txResponse['txhash'] : undefined,
      )
      expect(new Set(hashes).size).toBe(2)
    }
  })

  test('two equal payments are two transactions, even if the first is sent before the second is approved', async () => {
    const { keeper, payment, received, sequence } = await world()
    const first = await keeper().requestApproval(payment('5'), prompt('site:1'))
    const second = await keeper().requestApproval(payment('5'), prompt('site:2'))
    const third = await keeper().requestApproval(payment('5'), prompt('site:3'))
    for (const { approvalId } of [first, second, third]) await keeper().approve(approvalId)
    expect([await received(), await sequence()]).toEqual([15, 3])
  })

  test('if that happens twice, nothing is sent, and the prompt can be approved again', async () => {
    const it = await world()
    const wallet = it.keeper()
    const pending = await wallet.requestApproval(it.payment('5'), prompt('site:1'))
    // Another device with the same words sends a transaction before each broadcast.
    let isOther = false
    let count = 0
    it.setNode(async (path, body) => {
      if (path === '/cosmos/tx/v1beta1/txs' && body !== undefined && !isOther) {
        isOther = true
        const other = await wallet.requestApproval(it.payment('1'), prompt(`other:${count}`))
        await wallet.approve(other.approvalId)
        count += 1
        isOther = false
      }
      return it.development.node(path, body)
    })
    expect(await code(wallet.approve(pending.approvalId))).toBe('sequence-mismatch')
    expect([await it.received(), await it.sequence()]).toEqual([2, 2])
    expect(await wallet.resultOf('site:1')).toBeUndefined()
    it.setNode(it.development.node)
    const again = await wallet.requestApproval(it.payment('5'), prompt('site:1'))
    expect(await wallet.approve(again.approvalId)).toMatchObject({ txResponse: { code: 0 } })
    expect([await it.received(), await it.sequence()]).toEqual([7, 3])
  })
})

describe('8 a chain that fails', () => {
  const unavailable: ChainNode = async () => {
    throw new Refusal('chain-not-available')
  }
  const timedOut: ChainNode = async () => {
    throw new Refusal('chain-timeout')
  }
  const failing =
    (status: number, content?: unknown): ChainNode =>
    async () => ({ status, content })

  test.each([
    ['cannot be reached', unavailable, 'chain-not-available'],
    ['is too slow', timedOut, 'chain-timeout'],
    ['responds with 503', failing(503), 'chain-not-available'],
    ['responds with 500', failing(500, '<html>'), 'chain-faulty'],
    ['responds with an invalid body', failing(200, { account: 7 }), 'chain-faulty'],
    ['responds with nothing', failing(200), 'chain-faulty'],
  ])(
    'before approval, a chain that %s is reported with its own code',
    async (_, node, expected) => {
      const { keeper, payment, setNode } = await world()
      setNode(node)
      expect(await code(keeper().requestApproval(payment(), prompt('site:1')))).toBe(expected)
    },
  )

  test.each([
    ['cannot be reached', unavailable],
    ['is too slow', timedOut],
    ['responds with 500', failing(500)],
    ['responds with an invalid body', failing(200, 'not an object')],
  ])(
    'after approval, a chain that %s leaves the outcome unknown until it responds again',
    async (_, node) => {
      const { keeper, payment, received, setNode, development, sequence } = await world()
      const { approvalId } = await keeper().requestApproval(payment(), prompt('site:1'))
      // The node executes the transaction, but its response is lost.
      setNode(async (path, body) => {
        if (body !== undefined) await development.node(path, body)
        return node(path, body)
      })
      expect(await code(keeper().approve(approvalId))).toBe('transaction-unconfirmed')
      expect(await keeper().resultOf('site:1')).toBe('outcome-unknown')
      expect(await keeper().history()).toMatchObject([{ decision: { how: 'unknown' } }])
      expect(await code(keeper().reject(approvalId))).toBe('approval-over')
      setNode(development.node)
      expect(await keeper().resultOf('site:1')).toMatchObject({ txResponse: { code: 0 } })
      expect([await received(), await sequence()]).toEqual([5, 1])
      expect(await keeper().history()).toMatchObject([{ decision: { how: 'agreed' } }])
    },
  )

  test('a transaction that the node never received is sent when the outcome is requested again', async () => {
    const { keeper, payment, received, setNode, development } = await world()
    const { approvalId } = await keeper().requestApproval(payment(), prompt('site:1'))
    setNode(unavailable)
    expect(await code(keeper().approve(approvalId))).toBe('transaction-unconfirmed')
    expect(await received()).toBe(0)
    setNode(development.node)
    expect(await keeper().approve(approvalId)).toMatchObject({ txResponse: { code: 0 } })
    expect(await received()).toBe(5)
  })

  test('the history looks up an unknown outcome, and sends nothing', async () => {
    const { keeper, payment, received, setNode, development } = await world()
    const wallet = keeper()
    const { approvalId } = await wallet.requestApproval(payment(), prompt('site:1'))
    let isLost = true
    const submits: unknown[] = []
    setNode(async (path, body) => {
      const isSubmit = path === '/cosmos/tx/v1beta1/txs' && body !== undefined
      if (isSubmit) submits.push(await development.node(path, body))
      return isLost ? unavailable(path, body) : development.node(path, body)
    })
    expect(await code(wallet.approve(approvalId))).toBe('transaction-unconfirmed')
    expect(await wallet.history()).toMatchObject([{ decision: { how: 'unknown' } }])
    isLost = false
    await expect.poll(wallet.history).toMatchObject([{ decision: { how: 'agreed' } }])
    expect([submits.length, await received()]).toEqual([1, 5])
    expect(await wallet.resultOf('site:1')).toMatchObject({ txResponse: { code: 0 } })
  })

  test('the history shows that a transaction can never be executed, once another one has used its sequence', async () => {
    const it = await world()
    const { keeper, payment, received, setNode, development } = it
    const wallet = keeper()
    const { approvalId } = await wallet.requestApproval(payment(), prompt('site:1'))
    setNode(unavailable)
    expect(await code(wallet.approve(approvalId))).toBe('transaction-unconfirmed')
    setNode(development.node)
    await it.sendFromOtherDevice()
    await expect.poll(wallet.history).toMatchObject([{ decision: { how: 'failed' } }])
    expect(await received()).toBe(1)
    expect(await wallet.resultOf('site:1')).toBeUndefined()
  })

  test.each([
    ['never received', false],
    ['received', true],
  ])(
    'an equal payment after one with an unknown outcome that the node %s is that same transaction',
    async (_, isReceived) => {
      const it = await world()
      const { keeper, payment, received, setNode, development } = it
      const wallet = keeper()
      const slow = slowNode(it)
      const first = await wallet.requestApproval(payment(), prompt('site:1'))
      setNode(async (path, body) => {
        if (isReceived && body !== undefined) await slow.node(path, body)
        return unavailable(path, body)
      })
      expect(await code(wallet.approve(first.approvalId))).toBe('transaction-unconfirmed')
      setNode(slow.node)
      const second = await wallet.requestApproval(payment(), prompt('site:2'))
      expect(second.words).toEqual(first.words)
      it.setPause(slow.createBlock)
      const result = await wallet.approve(second.approvalId)
      expect(result).toMatchObject({ txResponse: { code: 0 } })
      expect([await received(), await it.sequence()]).toEqual([5, 1])
      setNode(development.node)
      expect(await wallet.resultOf('site:1')).toEqual(result)
      const txhash = result.kind === 'send' ? result.txResponse['txhash'] : undefined
      expect(await wallet.history()).toMatchObject([{ decision: { how: 'agreed' }, txhash }])
      // The next equal payment is a new one.
      const third = await wallet.requestApproval(payment(), prompt('site:3'))
      await wallet.approve(third.approvalId)
      expect([await received(), await it.sequence()]).toEqual([10, 2])
    },
  )

  test.each([
    [
      'another page',
      { promptId: 'site:1', origin: PAGE },
      { promptId: 'b:1', origin: 'https://b.example' },
    ],
    [
      'another connection',
      { promptId: 'a:1', origin: undefined },
      { promptId: 'b:1', origin: undefined },
    ],
  ])(
    'an equal payment of %s is not the one whose outcome is unknown',
    async (_, requestedBy, other) => {
      const { keeper, payment, received, setNode, development } = await world()
      const wallet = keeper()
      const { approvalId } = await wallet.requestApproval(payment(), requestedBy)
      setNode(unavailable)
      expect(await code(wallet.approve(approvalId))).toBe('transaction-unconfirmed')
      setNode(development.node)
      const second = await wallet.requestApproval(payment(), other)
      expect(await code(wallet.approve(second.approvalId))).toBe('sequence-mismatch')
      expect(await received()).toBe(0)
    },
  )

  test('on the phone, the same connection’s equal payment is the one whose outcome is unknown', async () => {
    const { keeper, payment, received, setNode, development } = await world()
    const wallet = keeper()
    const of = (request: string) => ({ promptId: `site:${request}`, origin: undefined })
    const { approvalId } = await wallet.requestApproval(payment(), of('1'))
    setNode(unavailable)
    expect(await code(wallet.approve(approvalId))).toBe('transaction-unconfirmed')
    setNode(development.node)
    const second = await wallet.requestApproval(payment(), of('2'))
    expect(await wallet.approve(second.approvalId)).toMatchObject({ txResponse: { code: 0 } })
    expect(await received()).toBe(5)
  })

  test('once the outcome is known, an equal payment is described again and is a new one', async () => {
    const { wallet, slow, second, ...it } = await anUnconfirmedPayment()
    const { payment, received, setNode, development } = it
    await slow.createBlock()
    setNode(development.node)
    await wallet.history()
    await expect.poll(wallet.history).toMatchObject([{ decision: { how: 'agreed' } }])
    expect(await code(wallet.approve(second.approvalId))).toBe('approval-over')
    const again = await wallet.requestApproval(payment(), prompt('site:2'))
    expect(await wallet.approve(again.approvalId)).toMatchObject({ txResponse: { code: 0 } })
    expect([await received(), await it.sequence()]).toEqual([10, 2])
    expect(await wallet.history()).toHaveLength(2)
  })

  test('while the outcome is looked up, and with another estimated fee, an equal payment is the same transaction', async () => {
    const it = await world()
    const { keeper, payment, received, setNode, development } = it
    const wallet = keeper()
    const first = await wallet.requestApproval(payment(), prompt('site:1'))
    setNode(unavailable)
    expect(await code(wallet.approve(first.approvalId))).toBe('transaction-unconfirmed')
    const { promise: areBothLookedUp, resolve: bothLookedUp } = Promise.withResolvers<void>()
    let lookups = 0
    setNode(async (path, body) => {
      if (path.startsWith('/cosmos/tx/v1beta1/txs/')) {
        lookups += 1
        if (lookups === 2) bothLookedUp()
        await areBothLookedUp
      }
      const response = await development.node(path, body)
      if (!path.endsWith('/simulate')) return response
      const { gas_info } = response.content as { gas_info: { gas_used: string } } // A node's response.
      const gas_used = `${Number(gas_info.gas_used) + 1000}`
      return { ...response, content: { gas_info: { ...gas_info, gas_used } } }
    })
    const lookup = wallet.resultOf('site:1')
    const second = await wallet.requestApproval(payment(), prompt('site:2'))
    expect(second.words).toEqual(first.words)
    expect(await wallet.approve(second.approvalId)).toMatchObject({ txResponse: { code: 0 } })
    await lookup
    expect([await received(), await it.sequence()]).toEqual([5, 1])
  })

  test('if the node refuses an equal payment and then includes the first one, the history shows that it was sent', async () => {
    const { wallet, slow, second, ...it } = await anUnconfirmedPayment()
    const { received, setNode, development } = it
    const tx_response = { code: 13, codespace: 'sdk', raw_log: 'insufficient fees', txhash: '' }
    setNode(async (path, body) =>
      path === '/cosmos/tx/v1beta1/txs' && body !== undefined
        ? { status: 200, content: { tx_response } }
        : development.node(path, body),
    )
    expect(await code(wallet.approve(second.approvalId))).toBe('fee-too-low')
    await slow.createBlock()
    await expect.poll(wallet.history).toMatchObject([{ decision: { how: 'agreed' } }])
    expect(await received()).toBe(5)
  })

  test('while no block contains a transaction, its outcome stays unknown and it is not sent again', async () => {
    const it = await world()
    const { keeper, payment, received, setNode } = it
    const slow = slowNode(it)
    setNode(slow.node)
    const { approvalId } = await keeper().requestApproval(payment(), prompt('site:1'))
    expect(await code(keeper().approve(approvalId))).toBe('transaction-unconfirmed')
    expect(await keeper().resultOf('site:1')).toBe('outcome-unknown')
    await slow.createBlock()
    expect(await keeper().resultOf('site:1')).toMatchObject({ txResponse: { code: 0 } })
    expect(await received()).toBe(5)
  })
})

describe('8 a transaction that the chain refuses is explained, and nothing is sent', () => {
  test('insufficient funds are reported before approval', async () => {
    const { keeper, payment } = await world()
    const request = keeper().requestApproval(payment('10000000000000'), prompt('site:1'))
    expect(await code(request)).toBe('insufficient-funds')
  })

  test('a fee that is too low is reported at the broadcast', async () => {
    const { keeper, payment, received } = await world()
    const gasPrice = { gasPrice: 1, gasPriceDenom: 'nhash' }
    const request = { ...payment(), gasPrice }
    const { approvalId } = await keeper().requestApproval(request, prompt('site:1'))
    expect(await code(keeper().approve(approvalId))).toBe('fee-too-low')
    expect(await received()).toBe(0)
    expect(await keeper().resultOf('site:1')).toBeUndefined()
    expect(await code(keeper().approve(approvalId))).toBe('approval-over')
    expect(await keeper().history()).toMatchObject([{ decision: { kind: 'send', how: 'failed' } }])
  })

  test('a message that fails in its block returns the chain’s code and log', async () => {
    const { keeper, payment, received, balance, address, setNode, development } = await world()
    const most = Math.floor(0.6 * (await balance(address)))
    const first = await keeper().requestApproval(payment(`${most}`), prompt('site:1'))
    const second = await keeper().requestApproval(payment(`${most + 1}`), prompt('site:2'))
    await keeper().approve(first.approvalId)
    // A node that cannot simulate is no reason to refuse.
    setNode((path, body) =>
      path.endsWith('/simulate')
        ? Promise.resolve({ status: 503, content: undefined })
        : development.node(path, body),
    )
    expect(await keeper().approve(second.approvalId)).toMatchObject({
      txResponse: { code: 5, rawLog: expect.stringContaining('insufficient funds') },
    })
    expect(await received()).toBe(most)
    const history = await keeper().history()
    expect(history.map(({ decision }) => decision.how)).toEqual(['failed', 'agreed'])
  })

  test('a payment that exceeds what an earlier one left is refused when it is approved, and costs nothing', async () => {
    const { keeper, payment, received, balance, address, sequence } = await world()
    const most = Math.floor(0.6 * (await balance(address)))
    const first = await keeper().requestApproval(payment(`${most}`), prompt('site:1'))
    const second = await keeper().requestApproval(payment(`${most + 1}`), prompt('site:2'))
    await keeper().approve(first.approvalId)
    const left = await balance(address)
    expect(await code(keeper().approve(second.approvalId))).toBe('insufficient-funds')
    expect([await received(), await balance(address), await sequence()]).toEqual([most, left, 1])
    expect(await keeper().history()).toMatchObject([{ decision: { how: 'agreed' } }])
    expect(await keeper().resultOf('site:2')).toBeUndefined()
    await keeper().reject(second.approvalId)
  })

  test('a payment is not signed again after another device has spent its amount', async () => {
    const { keeper, payment, received, balance, address, sequence, setNode, development } =
      await world()
    const most = Math.floor(0.6 * (await balance(address)))
    const { approvalId } = await keeper().requestApproval(payment(`${most}`), prompt('site:1'))
    const other = keeper()
    let isFirst = true
    setNode(async (path, body) => {
      if (path === '/cosmos/tx/v1beta1/txs' && body !== undefined && isFirst) {
        isFirst = false
        const faster = await other.requestApproval(payment(`${most + 1}`), prompt('site:2'))
        await other.approve(faster.approvalId)
      }
      return development.node(path, body)
    })
    expect(await code(keeper().approve(approvalId))).toBe('insufficient-funds')
    expect([await received(), await sequence()]).toEqual([most + 1, 1])
    const history = await keeper().history()
    expect(history.map(({ decision }) => decision.how).toSorted()).toEqual(['agreed', 'failed'])
  })

  test('ten windows that approve a payment of more than half the balance at once send it once', async () => {
    const { keeper, payment, received, balance, address } = await world()
    const most = Math.floor(0.6 * (await balance(address)))
    const { approvalId } = await keeper().requestApproval(payment(`${most}`), prompt('site:1'))
    const results = await Promise.all(
      Array.from({ length: 10 }, () => keeper().approve(approvalId)),
    )
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1)
    expect(await received()).toBe(most)
  })
})

test('6 a group’s payment above its balance is refused before the approval, and costs nothing', async () => {
  const { keeper, development, address, payment, balance } = await world()
  const group = await seededGroup(development, address)
  const [own, groups] = [await balance(address), await balance(group)]
  const propose = (amount: number) => {
    const messages = [packedPayment(group, `${amount}`)]
    return keeper().requestApproval({ ...payment(), group, messages }, prompt(`site:${amount}`))
  }
  expect(await code(propose(groups + 1))).toBe('group-funds-insufficient')
  // Both fit when they are proposed, but the second one does not any more when it is approved.
  const [first, second] = [await propose(groups), await propose(groups - 1)]
  expect(await keeper().approve(first.approvalId)).toMatchObject({ txResponse: { code: 0 } })
  const left = await balance(address)
  expect(left).toBeLessThan(own)
  expect(await code(keeper().approve(second.approvalId))).toBe('group-funds-insufficient')
  expect([await balance(address), await balance(group)]).toEqual([left, 0])
})

test('6 a vote whose proposal cannot be carried out says so before the approval, and counts', async () => {
  const { keeper, development, address, payment, balance } = await world()
  const group = addressOf(publicKeyOf(new Uint8Array(32).fill(8)), 'tp')
  const ben = development.account()
  const members = [address, ben.address]
  await development.seedGroups([{ address: group, name: 'Alder Holdings', members, threshold: 2 }])
  const proposeByBen = async (amount: number) => {
    const proposed = await ben.send([packedPayment(group, `${amount}`)], group)
    const submitted = submittedProposal(proposed)
    return submitted.status === 'pending' ? submitted.proposalId : expect.fail()
  }
  const wallet = keeper()
  const ask = (message: string, id: string) =>
    wallet.requestApproval({ ...payment(), messages: [message] }, prompt(id))
  const voteFor = (proposalId: string) =>
    ask(voteMessage({ proposalId, voter: address, choice: 'yes' }), `site:vote ${proposalId}`)
  const tooMuch = await proposeByBen((await balance(group)) + 1)
  const { approvalId, words } = await voteFor(tooMuch)
  expect(words).toMatchObject({ votesOnly: true })
  expect(await wallet.approve(approvalId)).toMatchObject({
    txResponse: { codespace: 'portico', code: 1, rawLog: expect.stringContaining('insufficient') },
  })
  const voted = await readProposal(development.chain, tooMuch, development.at())
  expect(voted).toMatchObject({ status: 'failed', tally: { yes: '2' } })
  const again = ask(execMessage({ proposalId: tooMuch, executor: address }), 'site:exec')
  expect(await code(again)).toBe('group-funds-insufficient')
  expect((await voteFor(await proposeByBen(5))).words).toMatchObject({ votesOnly: false })
})

test('2.6 a payment is sent once although another window sends it too and the node indexes it late', async () => {
  const { keeper, development, payment, balance, setNode } = await world()
  const before = await balance(RECIPIENT)
  const [wallet, other] = [keeper(), keeper()]
  const { approvalId } = await wallet.requestApproval(payment(), prompt('site:1'))
  let submits = 0
  let lookups = 0
  const { promise: isIncluded, resolve: included } = Promise.withResolvers<void>()
  let second: Promise<unknown> | undefined
  setNode(async (path, body) => {
    if (path === '/cosmos/tx/v1beta1/txs') {
      submits += 1
      if (submits === 1) {
        // The other window sends the same bytes before this one reaches the node.
        second = other.resultOf('site:1')
        await isIncluded
      }
      const response = await development.node(path, body)
      included()
      return response
    }
    if (path.startsWith('/cosmos/tx/v1beta1/txs/')) {
      lookups += 1
      if (lookups < 20) return { status: 404, content: { message: 'tx not found' } }
    }
    return development.node(path, body)
  })
  const result = await wallet.approve(approvalId)
  expect(result).toMatchObject({ kind: 'send', txResponse: { code: 0 } })
  await second
  expect((await balance(RECIPIENT)) - before).toBe(5)
})

test('2.6 a page that wakes the wallet during a payment does not send it again', async () => {
  const { keeper, development, payment, setNode } = await world()
  const wallet = keeper()
  const { approvalId } = await wallet.requestApproval(payment(), prompt('site:1'))
  let submits = 0
  const woken: Promise<unknown>[] = []
  setNode(async (path, body) => {
    if (path === '/cosmos/tx/v1beta1/txs') {
      submits += 1
      if (submits === 1) {
        for (let count = 0; count < 20; count += 1) woken.push(wallet.resultOf('site:1'))
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
    return development.node(path, body)
  })
  const result = await wallet.approve(approvalId)
  expect(new Set(await Promise.all(woken))).toEqual(new Set([result]))
  expect(submits).toBe(1)
})

test('7.4 a payment with a used sequence is not sent again while the node cannot look for it', async () => {
  const { keeper, development, payment, balance, setNode } = await world()
  const before = await balance(RECIPIENT)
  const wallet = keeper()
  const { approvalId } = await wallet.requestApproval(payment(), prompt('site:1'))
  setNode(async (path, body) => {
    if (path.startsWith('/cosmos/tx/v1beta1/txs/')) return { status: 500, content: {} }
    const response = await development.node(path, body)
    // A proxy in between sent it twice.
    return path === '/cosmos/tx/v1beta1/txs' ? development.node(path, body) : response
  })
  await expect(wallet.approve(approvalId)).rejects.toMatchObject({
    code: 'transaction-unconfirmed',
  })
  setNode(development.node)
  expect(await wallet.resultOf('site:1')).toMatchObject({ kind: 'send', txResponse: { code: 0 } })
  expect((await balance(RECIPIENT)) - before).toBe(5)
})

test('7.4 a payment in a block has its result although the storage is full', async () => {
  const { keeper, store, development, payment, setNode } = await world()
  const wallet = keeper()
  const { approvalId } = await wallet.requestApproval(payment(), prompt('site:1'))
  const { update } = store
  let isFull = false
  Object.assign(store, {
    update: (...parameters: Parameters<typeof update>) => {
      if (isFull) throw new Refusal('storage-unavailable')
      return update(...parameters)
    },
  })
  setNode((path, body) => {
    if (path === '/cosmos/tx/v1beta1/txs') isFull = true
    return development.node(path, body)
  })
  const result = await wallet.approve(approvalId)
  expect(result).toMatchObject({ kind: 'send', txResponse: { code: 0 } })
  expect(await keeper().resultOf('site:1')).toBe('outcome-unknown')
  isFull = false
  expect(await keeper().resultOf('site:1')).toEqual(result)
})

test('2.6 the requests of pages cannot make the vault larger than its share of the storage', async () => {
  const { keeper, store, address } = await world()
  const wallet = keeper()
  const messageHex = hexOf(new TextEncoder().encode('I agree. '.repeat(1800)))
  const sign = { kind: 'sign', address, messageHex } as const
  for (let count = 0; count < 20; count += 1) {
    const { approvalId } = await wallet.requestApproval(sign, prompt(`site:${count}`))
    await wallet.approve(approvalId)
    await wallet.requestApproval(sign, prompt(`waiting:${count}`))
  }
  const length = [...store.values.values()].reduce((sum, value) => sum + value.length, 0)
  expect(length).toBeGreaterThan(400_000)
  expect(length).toBeLessThan(1_000_000)
  // The latest are still there, and the keys as well.
  expect(await wallet.resultOf('site:19')).toMatchObject({ kind: 'sign' })
  const again = await wallet.requestApproval(sign, prompt('waiting:19'))
  expect(await code(wallet.approve(again.approvalId))).toBe('done')
  expect(await wallet.revealWords(PASSPHRASE)).toBe(WORDS)
})
