import { Refusal } from '@portico/contracts/errors'
import { MsgSubmitProposal } from 'cosmjs-types/cosmos/group/v1/tx'
import { MsgDelegate } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { AuthInfo, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { expect, test } from 'vitest'
import { openChain } from './chain.ts'
import { assertStillPossible, expectedOutcome } from './expected-outcome.ts'
import { execMessage, voteMessage } from './group-messages.ts'
import { packMessage, sendMessage } from './messages.ts'
import { prepareTransaction } from './transaction.ts'

const ME = 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh'
const FEE = 130_000n * 1905n

const payment = sendMessage({ from: ME, to: ME, amount: '1', denom: 'nhash' })
const vote = voteMessage({ proposalId: '7', voter: ME, choice: 'yes' })
const exec = execMessage({ proposalId: '7', executor: ME })
const nested = packMessage(
  MsgSubmitProposal,
  MsgSubmitProposal.fromPartial({
    groupPolicyAddress: ME,
    proposers: [ME],
    messages: [Any.decode(Buffer.from(vote, 'base64'))],
  }),
)
const delegation = packMessage(
  MsgDelegate,
  MsgDelegate.fromPartial({ delegatorAddress: ME, amount: { denom: 'nhash', amount: '9' } }),
)

const refused = (message: string) => ({ status: 400, content: { code: 3, message } })

const INSUFFICIENT =
  'proposal execution failed on proposal 7, because of error spendable balance 5nhash is smaller than 9nhash: insufficient funds'

const executed = (log: string, id = '7') => ({
  type: 'cosmos.group.v1.EventExec',
  attributes: [
    { key: 'proposal_id', value: `"${id}"` },
    { key: 'result', value: '"PROPOSAL_EXECUTOR_RESULT_FAILURE"' },
    { key: 'logs', value: JSON.stringify(log) },
  ],
})

/** A network with one account, whose sequence is 3. Each simulation of final bytes, with a fee, is answered by `respond`. */
function world(
  respond: (simulated: { readonly fee: bigint; readonly sequence: bigint }) => {
    readonly status: number
    readonly content: unknown
  },
) {
  let sequence = 3
  const chain = openChain(async (path, body) => {
    if (path.includes('accounts')) {
      const account = { account_number: '7', sequence: `${sequence}` }
      return { status: 200, content: { account } }
    }
    if (path === '/provenance/tx/v1/calculate_flat_fee') {
      return { status: 501, content: { code: 12, message: 'Not Implemented' } }
    }
    if (path.includes('balances')) return { status: 503, content: undefined }
    const { tx_bytes } = body as { tx_bytes: string } // The only posts are simulations.
    const { authInfoBytes } = TxRaw.decode(Buffer.from(tx_bytes, 'base64'))
    const { fee, signerInfos } = AuthInfo.decode(authInfoBytes)
    const amount = BigInt(fee?.amount[0]?.amount ?? 0)
    if (amount === 0n) return simulated()
    return respond({ fee: amount, sequence: signerInfos[0]?.sequence ?? 0n })
  })
  const prepared = (messages: string[]) =>
    prepareTransaction(
      chain,
      { chainId: 'pio-testnet-1' },
      { request: { kind: 'send', address: ME, messages }, publicKey: new Uint8Array(33) },
    )
  return {
    chain,
    setSequence: (next: number) => {
      sequence = next
    },
    expected: async (...messages: string[]) =>
      expectedOutcome(chain, { signBytes: await prepared(messages), address: ME }),
    stillPossible: async (...messages: string[]) =>
      assertStillPossible(chain, { signBytes: await prepared(messages), address: ME }),
  }
}

const simulated = (...events: unknown[]) => ({
  status: 200,
  content: { gas_info: { gas_used: '100000' }, result: { events } },
})

test('9.3 a delegation that leaves nothing for its fee is refused before the approval', async () => {
  const { expected } = world(({ fee }) =>
    fee === FEE
      ? refused('failed to delegate; 5nhash is smaller than 9nhash: insufficient funds')
      : simulated(),
  )
  await expect(expected(delegation)).rejects.toMatchObject({ code: 'insufficient-funds' })
})

test.each([
  [
    'a contract that fails',
    'execute wasm contract failed: Custom error: pay 555-0100',
    'transaction-refused',
  ],
  [
    'a new account',
    `fee payer address: ${ME} does not exist: unknown address`,
    'insufficient-funds',
  ],
])('8 %s is refused in our words', async (_, message, code) => {
  const refusal = await world(() => refused(message))
    .expected(payment)
    .catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code, errors: [], cause: message })
})

test.each([
  ['is executed', [exec], INSUFFICIENT, 'group-funds-insufficient'],
  [
    'is submitted',
    [payment, nested],
    INSUFFICIENT.replaceAll('7', '8'),
    'group-funds-insufficient',
  ],
  ['is executed with a strange error', [exec], 'call 555-0100', 'transaction-refused'],
])('6 a proposal that fails when it %s is refused', async (_, messages, log, code) => {
  const { expected } = world(() => simulated(executed(log, log.includes('8') ? '8' : '7')))
  await expect(expected(...messages)).rejects.toMatchObject({ code, errors: [] })
})

test.each([
  ['alone', [vote]],
  ['with a payment', [vote, payment]],
  ['for a group that is a member', [nested]],
])('6 a vote on a proposal that fails counts: %s', async (_, messages) => {
  expect(await world(() => simulated(executed(INSUFFICIENT))).expected(...messages)).toBe(
    'votes-only',
  )
})

test('9.3 after a faster transaction, the simulation has the next sequence', async () => {
  const it = world(({ sequence }) => {
    if (sequence === 4n) return refused('5nhash is smaller than 9nhash: insufficient funds')
    it.setSequence(4)
    return refused('account sequence mismatch, expected 4, got 3: incorrect account sequence')
  })
  await expect(it.stillPossible(payment)).rejects.toMatchObject({ code: 'insufficient-funds' })
})

test.each([
  ['unavailable', { status: 503, content: undefined }],
  ['faulty', { status: 200, content: {} }],
  ['busy with other transactions', refused('incorrect account sequence')],
])('9.3 an approved transaction is not refused while the chain is %s', async (_, response) => {
  await expect(world(() => response).stillPossible(payment)).resolves.toBeUndefined()
})

test('9.3 an approved transaction that fails by now is refused', async () => {
  const { stillPossible } = world(() => refused('insufficient funds'))
  await expect(stillPossible(payment)).rejects.toBeInstanceOf(Refusal)
})
