/**
 * The chain's transfer of a restricted coin by its administrator (`provenance.marker.v1.MsgTransferRequest`). No
 * package with its definition installs, so its four fields are read and written here.
 */
import { utf8TextOf } from '@portico/keys/bytes'
import { protobufFields } from '@portico/keys/protobuf'
import { BinaryWriter } from 'cosmjs-types/binary'
import { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin'
import type { Codec } from './known-message.ts'

interface MarkerTransfer {
  readonly amount: Coin
  readonly administrator: string
  readonly from: string
  readonly to: string
}

const AMOUNT = 1
const ADMINISTRATOR = 3
const FROM = 4
const TO = 5
const LENGTH_DELIMITED = 2

export const MARKER_TRANSFER: Codec<MarkerTransfer> = {
  typeUrl: '/provenance.marker.v1.MsgTransferRequest',
  decode(bytes) {
    const fields = new Map(protobufFields(bytes)?.map(({ number, value }) => [number, value]))
    const bytesAt = (number: number) => {
      const value = fields.get(number)
      if (typeof value === 'bigint') throw new TypeError(`Field ${number} is not text`)
      return value ?? new Uint8Array()
    }
    const textAt = (number: number) => utf8TextOf(bytesAt(number)) ?? ''
    return {
      amount: Coin.decode(bytesAt(AMOUNT)),
      administrator: textAt(ADMINISTRATOR),
      from: textAt(FROM),
      to: textAt(TO),
    }
  },
  encode({ amount, administrator, from, to }) {
    const writer = BinaryWriter.create()
    const tag = (number: number) => writer.uint32((number << 3) | LENGTH_DELIMITED)
    tag(AMOUNT).bytes(Coin.encode(amount).finish())
    if (administrator !== '') tag(ADMINISTRATOR).string(administrator)
    if (from !== '') tag(FROM).string(from)
    if (to !== '') tag(TO).string(to)
    return writer
  },
}
