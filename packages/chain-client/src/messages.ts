/** Messages as base64 of `Any` (protocol 9.3), and payments. */
import { base64Of } from '@portico/keys/bytes'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'

interface Codec<Message> {
  readonly typeUrl: string
  encode(message: Message): { finish(): Uint8Array }
}

export function packMessage<Message>(codec: Codec<Message>, message: Message): string {
  const { typeUrl } = codec
  return base64Of(Any.encode({ typeUrl, value: codec.encode(message).finish() }).finish())
}

export function sendMessage(payment: {
  readonly from: string
  readonly to: string
  /** In units of the denomination. */
  readonly amount: string
  readonly denom: string
}): string {
  const { from, to, amount, denom } = payment
  return packMessage(MsgSend, { fromAddress: from, toAddress: to, amount: [{ denom, amount }] })
}
