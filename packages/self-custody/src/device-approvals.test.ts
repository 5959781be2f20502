import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { type ChainNode, openChain } from '@portico/chain-client/chain'
import { responseOfProposal } from '@portico/chain-client/proposals'
import type { ApprovalRequest } from '@portico/contracts/hosted-wallet'
import { openDevelopmentChain } from '@portico/development-chain'
import type { ChainTables } from '@portico/development-chain/tables'
import { addressOf } from '@portico/keys/address'
import { base64Of, bytesOfBase64, bytesOfHex } from '@portico/keys/bytes'
import { verifyJwt } from '@portico/keys/jwt'
import { NETWORKS } from '@portico/keys/networks'
import { publicKeyOf, verify } from '@portico/keys/signature'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { CamelCasePlugin, Kysely, SqliteDialect } from 'kysely'
import { expect, test } from 'vitest'
import { openDeviceKeyKeeper } from './device-key-keeper.ts'
import { memoryStore } from './testing.ts'
import { memoryKeyStore } from './unlocked-key.ts'

const WORDS =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'
const PASSPHRASE = 'correct horse battery'
const PAGE = 'https://lender.example'
const RECIPIENT = addressOf(publicKeyOf(new Uint8Array(32).fill(7)), 'tp')
const network = NETWORKS.testnet
const TWO_DAYS_MS = 172_800_000

async function developmentChain(clock: () => number) {
  const database = new DatabaseSync(':memory:')
  const kysely = new Kysely<ChainTables>({
    plugins: [new CamelCasePlugin()],
    dialect: new SqliteDialect({
      database: {
        close: () => database.close(),
        prepare(sql) {
          const statement = database.prepare(sql)
          // Kysely's parameters are SQLite values.
          const bind = (parameters: readonly unknown[]) => parameters as SQLInputValue[]
          return {
            reader: statement.columns().length > 0,
            all: (parameters) => statement.all(...bind(parameters)),
            run: (parameters) => statement.run(...bind(parameters)),
            iterate: (parameters) => statement.iterate(...bind(parameters)),
          }
        },
      },
    }),
  })
  return openDevelopmentChain({ database: kysely, clock, network })
}

/** A device with a wallet, and a development chain. */
async function world() {
  let now = Date.UTC(2026, 10, 23)
  const clock = () => now
  const development = await developmentChain(clock)
  let node: ChainNode = development.request
  const store = memoryStore()
  const unlockedKeyStore = memoryKeyStore()
  const keeper = () =>
    openDeviceKeyKeeper({
      store,
      unlockedKeyStore,
      chain: openChain((path, body) => node(path, body)),
      network,
      issuer: 'portico.example',
      clock,
      pause: async () => undefined,
    })
  const first = keeper()
  await first.createVault({ words: WORDS, passphrase: PASSPHRASE, accountName: 'Savings' })
  const [account] = await first.accounts()
  const address = account?.address ?? ''
  const balance = async (of: string) => {
    const { content } = await development.request(`/cosmos/bank/v1beta1/balances/${of}/by_denom`)
    return Number((content as { balance: { amount: string } }).balance.amount) // A node's response.
  }
  return {
    development,
    chain: openChain(development.request),
    store,
    keeper,
    account,
    address,
    balance,
    clock,
    pass: (milliseconds: number) => {
      now += milliseconds
    },
    setNode: (next: ChainNode) => {
      node = next
    },
    payment: (amount = '5'): ApprovalRequest => ({
      kind: 'send',
      address,
      messages: [packedPayment(address, amount)],
    }),
  }
}

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
  const { keeper, payment, balance } = await world()
  const before = await balance(RECIPIENT)
  const wallet = keeper()
  const { approvalId, words } = await wallet.requestApproval(payment(), prompt('site:1'))
  expect(words).toMatchObject({ kind: 'transaction', amount: '0.000000005 hash' })
  const result = await wallet.approve(approvalId)
  expect(result).toMatchObject({ kind: 'send', txResponse: { code: 0, rawLog: '' } })
  expect((await balance(RECIPIENT)) - before).toBe(5)
  const txhash = result.kind === 'send' ? result.txResponse['txhash'] : undefined
  expect(await wallet.history()).toMatchObject([
    { decision: { kind: 'send', how: 'agreed' }, txhash },
  ])
})

test('2.8 a transaction for a group waits for the votes of its other members, also in the history', async () => {
  const { keeper, development, chain, address, balance, clock, pass } = await world()
  const group = addressOf(publicKeyOf(new Uint8Array(32).fill(8)), 'tp')
  const members = [address, RECIPIENT]
  await development.seedGroups([{ address: group, name: 'Alder Holdings', members, threshold: 2 }])
  const before = await balance(RECIPIENT)
  const wallet = keeper()
  const request: ApprovalRequest = {
    kind: 'send',
    address,
    group,
    messages: [packedPayment(group, '5')],
  }
  const { approvalId } = await wallet.requestApproval(request, prompt('site:1'))
  const result = await wallet.approve(approvalId)
  if (result.kind !== 'proposed') return expect.fail()
  expect(await balance(RECIPIENT)).toBe(before)
  expect(await wallet.history()).toMatchObject([
    { decision: { how: 'proposed' }, txhash: result.txhash, proposalId: result.proposalId },
  ])
  // Another window, or the same one after a restart.
  expect(await keeper().resultOf('site:1')).toEqual(result)
  expect(await responseOfProposal(chain, result, clock)).toBeUndefined()
  pass(TWO_DAYS_MS + 1)
  expect(await responseOfProposal(chain, result, clock)).toMatchObject({
    code: 3,
    txhash: result.txhash,
    rawLog: expect.stringContaining('expired'),
  })
})
