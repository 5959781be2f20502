/** Builds wallets' transactions before approval, so that the user approves exactly the signed bytes. */

import { Refusal } from '@portico/contracts/errors'
import type { ApprovalRequest } from '@portico/contracts/hosted-wallet'
import { bytesOfBase64 } from '@portico/keys/bytes'
import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { Exec, MsgSubmitProposal } from 'cosmjs-types/cosmos/group/v1/tx'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, SignDoc, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import type { Chain, ChainAccount, TransactionCost } from './chain.ts'
import { sendMessage } from './messages.ts'

interface Coin {
  readonly denom: string
  readonly amount: string
}

type SendRequest = Extract<ApprovalRequest, { kind: 'send' }>

/** The gas price of a network without message fees, unless the page sets one. */
const DEFAULT_GAS_PRICE = { gasPrice: 1905, gasPriceDenom: 'nhash' }
/** A page's gas price above this multiple of the default one is far above the network's. */
const HIGH_GAS_PRICE_FACTOR = 3
/** The margin for a transaction that needs more gas than its simulation. */
const GAS_ADJUSTMENT = 1.3

/**
 * Returns the bytes to sign for a page's request, with a fee from a simulation.
 *
 * @throws Refusal - `insufficient-funds`, `message-unreadable`, or the chain's
 */
export async function prepareTransaction(
  chain: Chain,
  network: { readonly chainId: string },
  { request, publicKey }: { readonly request: SendRequest; readonly publicKey: Uint8Array },
): Promise<Uint8Array> {
  const bodyBytes = TxBody.encode({
    messages: messagesOf(request),
    memo: request.memo ?? '',
    timeoutHeight: BigInt(request.timeoutHeight ?? 0),
    unordered: false,
    extensionOptions: (request.extensionOptions ?? []).map(readAny),
    nonCriticalExtensionOptions: (request.nonCriticalExtensionOptions ?? []).map(readAny),
  }).finish()
  const account = await chain.account(request.address)
  const authInfo = (cost: TransactionCost) =>
    authInfoBytes({ request, publicKey, account, ...cost })
  const simulated = TxRaw.encode({
    bodyBytes,
    authInfoBytes: authInfo({ gas: 0, messageFees: undefined }),
    signatures: [new Uint8Array(64)],
  }).finish()
  const { gas: simulatedGas, messageFees } = await chain.simulate(simulated)
  const gas = Math.ceil(simulatedGas * GAS_ADJUSTMENT)
  const { chainId } = network
  const { accountNumber } = account
  await assertFunds(chain, request, feeOf(request, { gas, messageFees }))
  return SignDoc.encode({
    bodyBytes,
    authInfoBytes: authInfo({ gas, messageFees }),
    chainId,
    accountNumber,
  }).finish()
}

/**
 * Refuses a transaction whose fee, or whose payments together with it, exceed the balance. The simulation has no fee, and a chain takes
 * the fee of a payment that fails for it.
 *
 * @throws Refusal - `insufficient-funds`
 */
async function assertFunds(
  chain: Chain,
  request: SendRequest,
  fee: readonly Coin[],
): Promise<void> {
  const { address, feeGranter, feePayer } = request
  const payments = paymentsOf(request)
  const feeFrom = feeGranter ?? feePayer ?? address
  const spending =
    feeFrom === address
      ? [{ from: address, coins: [...payments, ...fee] }]
      : [
          { from: address, coins: payments },
          { from: feeFrom, coins: fee },
        ]
  for (const { from, coins } of spending) {
    const total = totalOf(coins)
    if (total.size === 0) continue
    // A balance that cannot be read is no reason to refuse: the chain compares it again.
    const balances = await chain.balances(from).catch(() => undefined)
    if (balances === undefined) continue
    const available = totalOf(balances)
    for (const [denom, amount] of total) {
      if (amount > (available.get(denom) ?? 0n)) throw new Refusal('insufficient-funds')
    }
  }
}

/** What the account's own payments take from it. A group pays what its proposals spend. */
function paymentsOf({ messages, address, group }: SendRequest): readonly Coin[] {
  if (group !== undefined && group !== null) return []
  return messages.map(readAny).flatMap(({ typeUrl, value }) => {
    if (typeUrl === MsgSend.typeUrl) {
      const { fromAddress, amount } = MsgSend.decode(value)
      return fromAddress === address ? amount : []
    }
    if (typeUrl !== MsgMultiSend.typeUrl) return []
    const own = MsgMultiSend.decode(value).inputs.filter((input) => input.address === address)
    return own.flatMap(({ coins }) => coins)
  })
}

function totalOf(coins: readonly Coin[]): ReadonlyMap<string, bigint> {
  const total = new Map<string, bigint>()
  for (const { denom, amount } of coins) {
    if (/^\d+$/.test(amount)) total.set(denom, (total.get(denom) ?? 0n) + BigInt(amount))
  }
  return total
}

/**
 * The network's own price for a transaction whose fee a page has set far above it; undefined for any other one, such as one with the
 * network's message fees.
 */
export function exceededUsualFee(
  { gasPrice }: Pick<SendRequest, 'gasPrice'>,
  signBytes: Uint8Array,
): Coin | undefined {
  const { gasPrice: usual, gasPriceDenom: denom } = DEFAULT_GAS_PRICE
  if (gasPrice === undefined || gasPrice.gasPrice === 0) return undefined
  const isUsual =
    gasPrice.gasPriceDenom === denom && gasPrice.gasPrice <= usual * HIGH_GAS_PRICE_FACTOR
  if (isUsual) return undefined
  const { fee } = AuthInfo.decode(SignDoc.decode(signBytes).authInfoBytes)
  const gas = Number(fee?.gasLimit ?? 0n)
  const isByPage =
    formatted(fee?.amount) === formatted(feeOf({ gasPrice }, { gas, messageFees: undefined }))
  return isByPage ? { denom, amount: `${BigInt(gas) * BigInt(usual)}` } : undefined
}

/** The fee of the smallest payment in a denomination from an account, from a simulation. */
export async function estimatePaymentFee(
  chain: Chain,
  payer: { readonly address: string; readonly publicKey: string; readonly denom: string },
): Promise<bigint> {
  const { address, denom } = payer
  const message = sendMessage({ from: address, to: address, amount: '1', denom })
  const signBytes = await prepareTransaction(
    chain,
    { chainId: '' },
    {
      request: { kind: 'send', address, messages: [message] },
      publicKey: bytesOfBase64(payer.publicKey) ?? new Uint8Array(),
    },
  )
  const { fee } = AuthInfo.decode(SignDoc.decode(signBytes).authInfoBytes)
  return totalOf(fee?.amount ?? []).get(denom) ?? 0n
}

/** Combines signed bytes and signature into a transaction. */
export function signedTransaction(signBytes: Uint8Array, signature: Uint8Array): Uint8Array {
  const { bodyBytes, authInfoBytes: authInfo } = SignDoc.decode(signBytes)
  return TxRaw.encode({ bodyBytes, authInfoBytes: authInfo, signatures: [signature] }).finish()
}

/** A group acts through a proposal of its member, executed immediately if the member's vote suffices. */
function messagesOf({ messages, address, group }: SendRequest): Any[] {
  const read = messages.map(readAny)
  if (group === undefined || group === null) return read
  const proposal = {
    groupPolicyAddress: group,
    proposers: [address],
    metadata: '',
    messages: read,
    exec: Exec.EXEC_TRY,
    title: '',
    summary: '',
  }
  return [
    { typeUrl: MsgSubmitProposal.typeUrl, value: MsgSubmitProposal.encode(proposal).finish() },
  ]
}

function readAny(base64: string): Any {
  try {
    const message = Any.decode(bytesOfBase64(base64) ?? new Uint8Array())
    if (/^\/[\w.]+$/.test(message.typeUrl)) return message
  } catch (cause) {
    throw new Refusal('message-unreadable', { cause })
  }
  throw new Refusal('message-unreadable')
}

const formatted = (coins: readonly Coin[] = []) =>
  coins.map(({ denom, amount }) => amount + denom).join()

/**
 * The network's message fees or else the gas times its price, in a node's format: sorted by denomination, without zero amounts. A
 * network with message fees charges nothing for gas, so that a page's price would be paid in vain.
 */
function feeOf({ gasPrice }: Pick<SendRequest, 'gasPrice'>, { gas, messageFees }: TransactionCost) {
  const fee = new Map<string, bigint>()
  const add = (denom: string, amount: bigint) => fee.set(denom, (fee.get(denom) ?? 0n) + amount)
  if (messageFees === undefined) {
    const price = gasPrice ?? DEFAULT_GAS_PRICE
    add(price.gasPriceDenom, BigInt(Math.ceil(gas * price.gasPrice)))
  }
  for (const { denom, amount } of messageFees ?? []) add(denom, BigInt(amount))
  return [...fee]
    .filter(([, amount]) => amount > 0n)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([denom, amount]) => ({ denom, amount: `${amount}` }))
}

function authInfoBytes(
  parameters: TransactionCost & {
    readonly request: SendRequest
    readonly publicKey: Uint8Array
    readonly account: ChainAccount
  },
): Uint8Array {
  const { request, publicKey, account, gas } = parameters
  const key = PubKey.encode({ key: publicKey }).finish()
  return AuthInfo.encode({
    signerInfos: [
      {
        publicKey: { typeUrl: PubKey.typeUrl, value: key },
        modeInfo: { single: { mode: SignMode.SIGN_MODE_DIRECT } },
        sequence: account.sequence,
      },
    ],
    fee: {
      amount: feeOf(request, parameters),
      gasLimit: BigInt(gas),
      payer: request.feePayer ?? '',
      granter: request.feeGranter ?? '',
    },
  }).finish()
}

/** The sequence used by signed bytes. */
export function sequenceOf(signBytes: Uint8Array): bigint {
  const { authInfoBytes: bytes } = SignDoc.decode(signBytes)
  return AuthInfo.decode(bytes).signerInfos[0]?.sequence ?? 0n
}

/** The same transaction with another sequence. Messages, memo and fee stay the same bytes. */
export function withSequence(signBytes: Uint8Array, sequence: bigint): Uint8Array {
  const document = SignDoc.decode(signBytes)
  const authInfo = AuthInfo.decode(document.authInfoBytes)
  const signerInfos = authInfo.signerInfos.map((signer) => ({ ...signer, sequence }))
  return SignDoc.encode({
    ...document,
    authInfoBytes: AuthInfo.encode({ ...authInfo, signerInfos }).finish(),
  }).finish()
}
