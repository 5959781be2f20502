import type { ApprovalWords } from '@portico/contracts/hosted-wallet'
import { AuthInfo, SignDoc, TxBody } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { describeMessage } from './describe-message.ts'
import { visible } from './visible.ts'

/** What the bytes to be signed for a transaction (SIGN_MODE_DIRECT) would do; nothing where they are no such bytes. */
export function describeTransaction(
  bytes: Uint8Array,
): Extract<ApprovalWords, { kind: 'transaction' }> | undefined {
  const read = readSignDoc(bytes)
  if (read === undefined) return undefined
  const { chainId, body, authInfo } = read
  const { fee } = authInfo
  return {
    kind: 'transaction',
    chainId: visible(chainId),
    messages: body.messages.flatMap((message) => describeMessage(message)),
    fee: (fee?.amount ?? []).map(({ denom, amount }) => ({
      denom: visible(denom),
      amount: visible(amount),
    })),
    gasLimit: `${fee?.gasLimit ?? 0n}`,
    feePayer: visible(fee?.payer ?? '') || null,
    feeGranter: visible(fee?.granter ?? '') || null,
    memo: visible(body.memo),
    timeoutHeight: body.timeoutHeight === 0n ? null : `${body.timeoutHeight}`,
    extensions: body.extensionOptions.length + body.nonCriticalExtensionOptions.length,
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
    // Other bytes than a transaction's.
    return undefined
  }
}

const equal = (one: Uint8Array, other: Uint8Array) => Buffer.from(one).equals(other)
