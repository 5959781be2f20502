import type { ApprovalWords } from '@portico/contracts/hosted-wallet'
import { NETWORKS } from '@portico/keys/networks'
import type { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin'
import { AuthInfo, SignDoc, TxBody } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { coinsInWords } from './coins-in-words.ts'
import { describeMessage, effectOf, type NameOf, type Transfer } from './describe-message.ts'
import { visible } from './visible.ts'

/** What a transaction would do, in words and as far as its limits need it. */
export interface TransactionDescription {
  readonly words: Extract<ApprovalWords, { kind: 'transaction' }>
  /** Everything that leaves an account; absent where part of the transaction does not say. */
  readonly transfers: readonly Transfer[] | undefined
  readonly fee: readonly Coin[]
}

const CHAINS: ReadonlyMap<string, string> = new Map([
  [NETWORKS.mainnet.chainId, 'Provenance'],
  [NETWORKS.testnet.chainId, 'Provenance test network'],
])

/** What the bytes to be signed for a transaction (SIGN_MODE_DIRECT) would do; undefined for any other bytes. */
export function describeTransaction(
  bytes: Uint8Array,
  nameOf: NameOf = () => undefined,
): TransactionDescription | undefined {
  const read = readSignDoc(bytes)
  if (read === undefined) return undefined
  const { chainId, body, authInfo } = read
  const { fee } = authInfo
  const described = body.messages.map((message) => describeMessage(message, nameOf))
  const extensions = body.extensionOptions.length + body.nonCriticalExtensionOptions.length
  const all = described.map(({ transfers }) => transfers)
  const isClear = extensions === 0 && !all.includes(undefined)
  const [only] = body.messages.length === 1 ? (all[0] ?? []) : []
  const named = (address = '') =>
    address === ''
      ? null
      : { address: visible(address), name: visible(nameOf(address) ?? '') || null }
  return {
    words: {
      kind: 'transaction',
      effect: effectOf(described),
      amount: all[0]?.length === 1 && only !== undefined ? coinsInWords(only.coins) : null,
      network: CHAINS.get(chainId) ?? visible(chainId),
      messages: described.flatMap(({ messages }) => messages),
      fee: coinsInWords(fee?.amount ?? []),
      gasLimit: `${fee?.gasLimit ?? 0n}`,
      feePayer: named(fee?.payer),
      feeGranter: named(fee?.granter),
      memo: visible(body.memo),
      timeoutHeight: body.timeoutHeight === 0n ? null : `${body.timeoutHeight}`,
      extensions,
      hex: Buffer.from(bytes).toString('hex'),
    },
    transfers: isClear ? all.flatMap((transfers) => transfers ?? []) : undefined,
    fee: fee?.amount ?? [],
  }
}

/** A document is one only where writing what was read gives the same bytes, in each of its three layers. */
function readSignDoc(bytes: Uint8Array) {
  try {
    const document = SignDoc.decode(bytes)
    const body = TxBody.decode(document.bodyBytes)
    const authInfo = AuthInfo.decode(document.authInfoBytes)
    const same =
      equal(SignDoc.encode(document).finish(), bytes) &&
      equal(TxBody.encode(body).finish(), document.bodyBytes) &&
      equal(AuthInfo.encode(authInfo).finish(), document.authInfoBytes)
    if (!same || body.messages.length === 0 || authInfo.signerInfos.length === 0) return undefined
    return { chainId: document.chainId, body, authInfo }
  } catch {
    // Not a transaction.
    return undefined
  }
}

const equal = (one: Uint8Array, other: Uint8Array) => Buffer.from(one).equals(other)
