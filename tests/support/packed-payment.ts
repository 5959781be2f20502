import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'

/** The recipient of test payments. */
export const PAYEE = 'tp13dkh6lhe5zzfe4qwkl4fqyfmh58p35w5qaxwxy'

/** A payment as pages send it to a wallet: a `google.protobuf.Any` in base64 (protocol 9.3). */
export function packedPayment(from: string, amount: string, to = PAYEE): string {
  const amounts = [{ denom: 'nhash', amount }]
  const value = MsgSend.encode({ fromAddress: from, toAddress: to, amount: amounts }).finish()
  return Buffer.from(Any.encode({ typeUrl: MsgSend.typeUrl, value }).finish()).toString('base64')
}
