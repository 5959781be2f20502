import type { ApprovalDescription } from '@portico/contracts/hosted-wallet'
import { escapeInvisible } from '@portico/contracts/invisible-characters'
import { hexOf } from '@portico/keys/bytes'
import { NETWORKS } from '@portico/keys/networks'
import { AuthInfo, SignDoc, TxBody } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { describeMessage, effectOf, type GroupOfProposal, type NameOf } from './describe-message.ts'
import { type Coin, formatCoins, sumCoins } from './format-coins.ts'
import type { Transfer } from './known-message.ts'

/** The effect of a transaction, for display and for the transfer limits. */
export interface TransactionDescription {
  readonly words: Extract<ApprovalDescription, { kind: 'transaction' }>
  /** Everything that leaves an account; undefined if any part is unknown. */
  readonly transfers: readonly Transfer[] | undefined
  readonly fee: readonly Coin[]
}

const CHAINS: ReadonlyMap<string, string> = new Map([
  [NETWORKS.mainnet.chainId, 'Provenance'],
  [NETWORKS.testnet.chainId, 'Provenance test network'],
])

/** Describes a sign document (SIGN_MODE_DIRECT); undefined for any other bytes. */
export function describeTransaction(
  bytes: Uint8Array,
  nameOf: NameOf = () => undefined,
  groupOfProposal?: GroupOfProposal,
  /** The network's own price, if the page has set the fee far above it. */
  usualFee?: Coin,
  /** Whether a simulation shows that the proposal which the transaction votes on fails. */
  votesOnly = false,
): TransactionDescription | undefined {
  const document = decodeSignDoc(bytes)
  if (document === undefined) return undefined
  const { chainId, body, authInfo } = document
  const { fee } = authInfo
  const described = body.messages.map((message) =>
    describeMessage(message, nameOf, groupOfProposal),
  )
  const extensions = body.extensionOptions.length + body.nonCriticalExtensionOptions.length
  const all = described.map(({ transfers }) => transfers)
  const isKnown = extensions === 0 && !all.includes(undefined)
  const [only] = body.messages.length === 1 ? (all[0] ?? []) : []
  const transfers = isKnown ? all.flatMap((each) => each ?? []) : undefined
  const spent = [...(transfers ?? []).flatMap(({ coins }) => coins), ...(fee?.amount ?? [])]
  const namedAddress = (address = '') =>
    address === ''
      ? null
      : { address: escapeInvisible(address), name: escapeInvisible(nameOf(address) ?? '') || null }
  return {
    words: {
      kind: 'transaction',
      effect: effectOf(described),
      amount: all[0]?.length === 1 && only !== undefined ? formatCoins(only.coins) : null,
      total: transfers === undefined ? null : formatCoins(sumCoins(spent)),
      network: CHAINS.get(chainId) ?? escapeInvisible(chainId),
      messages: described.flatMap(({ messages }) => messages),
      fee: formatCoins(fee?.amount ?? []),
      usualFee: usualFee === undefined ? null : formatCoins([usualFee]),
      votesOnly,
      gasLimit: `${fee?.gasLimit ?? 0n}`,
      feePayer: namedAddress(fee?.payer),
      feeGranter: namedAddress(fee?.granter),
      memo: escapeInvisible(body.memo),
      timeoutHeight: body.timeoutHeight === 0n ? null : `${body.timeoutHeight}`,
      extensions,
      hex: hexOf(bytes),
    },
    transfers,
    fee: fee?.amount ?? [],
  }
}

/** Decodes a sign document; undefined unless encoding gives the same bytes in all three layers. */
function decodeSignDoc(bytes: Uint8Array) {
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

const equal = (one: Uint8Array, other: Uint8Array) => hexOf(one) === hexOf(other)
