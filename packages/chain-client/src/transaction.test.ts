import type { ApprovalRequest } from '@portico/contracts/hosted-wallet'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, SignDoc, TxBody } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { expect, test } from 'vitest'
import { openChain } from './chain.ts'
import { sendMessage } from './messages.ts'
import { prepareTransaction } from './transaction.ts'

const ME = 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh'
const payment = (amount: string) => sendMessage({ from: ME, to: ME, amount, denom: 'nhash' })

const chain = openChain(async (path) => ({
  status: 200,
  content: path.includes('simulate')
    ? { gas_info: { gas_used: '100000' } }
    : { account: { account_number: '7', sequence: '3' } },
}))

type Terms = Omit<Extract<ApprovalRequest, { kind: 'send' }>, 'kind' | 'address' | 'messages'>

async function prepared(terms: Terms = {}) {
  const messages = [payment('1'), payment('2')]
  const bytes = await prepareTransaction(
    chain,
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
  // The simulation used 100,000; a transaction may need more.
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
