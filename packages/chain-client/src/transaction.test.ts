import type { ApprovalRequest } from '@portico/contracts/hosted-wallet'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, SignDoc, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { expect, test } from 'vitest'
import { openChain } from './chain.ts'
import { sendMessage } from './messages.ts'
import { estimatePaymentFee, exceededUsualFee, prepareTransaction } from './transaction.ts'

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

test('protocol 9.3: a network with message fees is paid these alone, in the format of a node', async () => {
  const { authInfo: own } = await prepared({}, chainWithMessageFees)
  expect(own.fee).toMatchObject({
    gasLimit: 130_000n,
    amount: [
      { denom: 'cents', amount: '10' },
      { denom: 'nhash', amount: '4000000000' },
    ],
  })
  for (const terms of [
    { gasPrice: 1905, gasPriceDenom: 'nhash' },
    { gasPrice: 7e6, gasPriceDenom: 'nhash' },
    { gasPrice: 1, gasPriceDenom: 'other' },
  ]) {
    const { authInfo, document } = await prepared({ gasPrice: terms }, chainWithMessageFees)
    expect(authInfo.fee?.amount).toEqual(own.fee?.amount)
    expect(exceededUsualFee({ gasPrice: terms }, SignDoc.encode(document).finish())).toBeUndefined()
  }
})

test('protocol 9.3: a zero price yields a fee without coins', async () => {
  const { authInfo } = await prepared({ gasPrice: { gasPrice: 0, gasPriceDenom: 'nhash' } })
  expect(authInfo.fee?.amount).toEqual([])
})

/** A network on which these accounts have balances, and a transaction costs 247,650,000 nhash. */
const chainWithBalances = (balances: Readonly<Record<string, string>>) =>
  openChain(async (path) => {
    const address = /balances\/(\w+)$/.exec(path)?.[1]
    if (address !== undefined) {
      const amount = balances[address]
      const coins = amount === undefined ? [] : [{ denom: 'nhash', amount }]
      return { status: 200, content: { balances: coins } }
    }
    if (path === '/provenance/tx/v1/calculate_flat_fee') {
      return { status: 501, content: { code: 12, message: 'Not Implemented' } }
    }
    const simulation = { gas_info: { gas_used: '100000' } }
    return { status: 200, content: path.includes('simulate') ? simulation : ACCOUNT }
  })

const FEE = 130_000 * 1905
const GRANTER = 'tp1u03x7zqp3ckecmfejgyjts3tvxzxl3ruw84g4x'
const LARCH = 'tp1q8q0z0w0j7a2zq5n2v3e5l3h9u8'

test.each([
  ['the whole balance, without the fee', { [ME]: '3' }, {}],
  ['a balance that is one short', { [ME]: `${FEE + 2}` }, {}],
  ['a fee that a page has set above the balance', { [ME]: '900000000' }, { gasPrice: 7000 }],
  ['a fee in a denomination that the account lacks', { [ME]: '900000000' }, { denom: 'other' }],
  ['a granter without the fee', { [ME]: '3', [GRANTER]: `${FEE - 1}` }, { feeGranter: GRANTER }],
  ['a group whose member lacks the fee', { [ME]: `${FEE - 1}`, [LARCH]: '9' }, { group: LARCH }],
])('9.3 before it is approved, a transaction is refused for %s', async (_, balances, terms) => {
  const { gasPrice = 1905, denom = 'nhash', ...others } = terms as Record<string, never>
  const request = { ...others, gasPrice: { gasPrice, gasPriceDenom: denom } }
  await expect(prepared(request, chainWithBalances(balances))).rejects.toMatchObject({
    code: 'insufficient-funds',
  })
})

test.each([
  ['an exact balance', { [ME]: `${FEE + 3}` }, {}],
  ['a granter who pays the fee', { [ME]: '3', [GRANTER]: `${FEE}` }, { feeGranter: GRANTER }],
  ['a group that pays what it sends', { [ME]: `${FEE}` }, { group: LARCH }],
])('9.3 a transaction is prepared with %s', async (_, balances, terms) => {
  const { authInfo } = await prepared(terms, chainWithBalances(balances))
  expect(authInfo.fee?.amount).toEqual([{ denom: 'nhash', amount: `${FEE}` }])
})

test('9.3 the fee of a payment is estimated with a simulation', async () => {
  const payer = { address: ME, publicKey: '', denom: 'nhash' }
  expect(await estimatePaymentFee(chainWithBalances({ [ME]: '900000000' }), payer)).toBe(
    BigInt(FEE),
  )
})

test('2.8 a fee above three times the network’s price, or in another denomination, is far above it', async () => {
  const usual = async (gasPrice: number, gasPriceDenom = 'nhash') => {
    const terms = { gasPrice: { gasPrice, gasPriceDenom } }
    const { document } = await prepared(terms)
    return exceededUsualFee(terms, SignDoc.encode(document).finish())
  }
  const network = { denom: 'nhash', amount: `${FEE}` }
  expect(await usual(1905)).toBeUndefined()
  expect(await usual(3 * 1905)).toBeUndefined()
  expect(await usual(3 * 1905 + 1)).toEqual(network)
  expect(await usual(1, 'other')).toEqual(network)
  expect(await usual(0, 'other')).toBeUndefined()
  const { document } = await prepared()
  expect(exceededUsualFee({}, SignDoc.encode(document).finish())).toBeUndefined()
})
