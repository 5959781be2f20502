import type { ApprovalRequest } from '@portico/contracts/hosted-wallet'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, SignDoc, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { expect, test } from 'vitest'
import { openChain } from './chain.ts'
import { sendMessage } from './messages.ts'
import { prepareTransaction } from './transaction.ts'

const ME = 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh'
const payment = (amount: string) => sendMessage({ from: ME, to: ME, amount, denom: 'nhash' })

const ACCOUNT = { account: { account_number: '7', sequence: '3' } }

const chain = openChain(async (path) => {
  if (path === '/provenance/tx/v1/calculate_flat_fee') {
    return { status: 501, content: { code: 12, message: 'Not Implemented' } }
  }
  const simulation = { gas_info: { gas_used: '100000' } }
  return { status: 200, content: path.includes('simulate') ? simulation : ACCOUNT }
})

/** A network on which a message costs 5 cents and 2,000,000,000 nhash. */
const chainWithMessageFees = openChain(async (path, body) => {
  if (path.includes('accounts')) return { status: 200, content: ACCOUNT }
  if (path !== '/provenance/tx/v1/calculate_flat_fee') throw new Error(`Unexpected: ${path}`)
  const { tx_bytes } = body as { tx_bytes: string } // The request that this node is for.
  const { messages } = TxBody.decode(TxRaw.decode(Buffer.from(tx_bytes, 'base64')).bodyBytes)
  const total_fees = [
    { denom: 'nhash', amount: `${2_000_000_000 * messages.length}` },
    { denom: 'cents', amount: `${5 * messages.length}` },
  ]
  return { status: 200, content: { total_fees, estimated_gas: '100000' } }
})

type Terms = Omit<Extract<ApprovalRequest, { kind: 'send' }>, 'kind' | 'address' | 'messages'>

async function prepared(terms: Terms = {}, network = chain) {
  const messages = [payment('1'), payment('2')]
  const bytes = await prepareTransaction(
    network,
    { chainId: 'pio-testnet-1' },
    { request: { kind: 'send', address: ME, messages, ...terms }, publicKey: new Uint8Array(33) },
  )
  const document = SignDoc.decode(bytes)
  return {
    document,
    body: TxBody.decode(document.bodyBytes),
    authInfo: AuthInfo.decode(document.authInfoBytes),
  }
}

test('protocol 9.3: all messages are in one transaction body, in their order', async () => {
  const extension = payment('9')
  const { document, body, authInfo } = await prepared({
    memo: 'Rent',
    timeoutHeight: 12,
    extensionOptions: [extension],
    nonCriticalExtensionOptions: [extension, extension],
  })
  expect(
    body.messages.map(({ typeUrl, value }) => [typeUrl, MsgSend.decode(value).amount]),
  ).toEqual(['1', '2'].map((amount) => [MsgSend.typeUrl, [{ denom: 'nhash', amount }]]))
  expect(body).toMatchObject({ memo: 'Rent', timeoutHeight: 12n })
  expect(
    [body.extensionOptions, body.nonCriticalExtensionOptions].map(({ length }) => length),
  ).toEqual([1, 2])
  expect(document).toMatchObject({ chainId: 'pio-testnet-1', accountNumber: 7n })
  expect(authInfo.signerInfos).toMatchObject([
    { sequence: 3n, modeInfo: { single: { mode: SignMode.SIGN_MODE_DIRECT } } },
  ])
})

test('protocol 9.3: the fee is the gas limit times the price of the page, or else of the wallet', async () => {
  const { authInfo: own } = await prepared()
  // The simulation used 100,000; the actual transaction may need more.
  expect(own.fee).toMatchObject({
    gasLimit: 130_000n,
    amount: [{ denom: 'nhash', amount: `${130_000 * 1905}` }],
    payer: '',
    granter: '',
  })
  const { authInfo } = await prepared({
    gasPrice: { gasPrice: 0.5, gasPriceDenom: 'cents' },
    feePayer: 'tp1payer',
    feeGranter: 'tp1granter',
  })
  expect(authInfo.fee).toMatchObject({
    gasLimit: 130_000n,
    amount: [{ denom: 'cents', amount: '65000' }],
    payer: 'tp1payer',
    granter: 'tp1granter',
  })
})

test('protocol 9.3: the fees of the messages are added, in the format of a node', async () => {
  const { authInfo: own } = await prepared({}, chainWithMessageFees)
  // If the page sets no price, a network with message fees is paid nothing else.
  expect(own.fee).toMatchObject({
    gasLimit: 130_000n,
    amount: [
      { denom: 'cents', amount: '10' },
      { denom: 'nhash', amount: '4000000000' },
    ],
  })
  const gasPrice = { gasPrice: 1905, gasPriceDenom: 'nhash' }
  const { authInfo } = await prepared({ gasPrice }, chainWithMessageFees)
  expect(authInfo.fee?.amount).toEqual([
    { denom: 'cents', amount: '10' },
    { denom: 'nhash', amount: `${4_000_000_000 + 130_000 * 1905}` },
  ])
})

test('protocol 9.3: a zero price yields a fee without coins', async () => {
  const { authInfo } = await prepared({ gasPrice: { gasPrice: 0, gasPriceDenom: 'nhash' } })
  expect(authInfo.fee?.amount).toEqual([])
})
