/** A field of a protocol buffer message. */
export interface ProtobufField {
  readonly number: number
  /** 0 varint, 1 eight bytes, 2 length-delimited, 3 group, 5 four bytes. */
  readonly wireType: number
  readonly value: Uint8Array | bigint
}

// No message in use nests groups at all.
const MAX_GROUP_LEVELS = 100

/** Parses the fields of a protocol buffer message in order; `undefined` for invalid bytes. */
export function protobufFields(bytes: Uint8Array): readonly ProtobufField[] | undefined {
  const fields: ProtobufField[] = []
  let at = 0

  function varint(): bigint | undefined {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at]
      if (byte === undefined) return undefined
      at += 1
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
    return undefined
  }

  function take(length: number): Uint8Array | undefined {
    if (length > bytes.length - at) return undefined
    at += length
    return bytes.subarray(at - length, at)
  }

  /** The bytes of a group, up to its end tag. */
  function group(number: bigint, level: number): Uint8Array | undefined {
    const start = at
    if (level === MAX_GROUP_LEVELS) return undefined
    for (;;) {
      const end = at
      const tag = varint()
      if (tag === undefined) return undefined
      if ((tag & 7n) === 4n) return tag >> 3n === number ? bytes.subarray(start, end) : undefined
      if (valueOf(tag, level + 1) === undefined) return undefined
    }
  }

  function valueOf(tag: bigint, level: number): Uint8Array | bigint | undefined {
    switch (Number(tag & 7n)) {
      case 0:
        return varint()
      case 1:
        return take(8)
      case 2: {
        const length = varint()
        return length === undefined ? undefined : take(Number(length))
      }
      case 3:
        return group(tag >> 3n, level)
      case 5:
        return take(4)
      default:
        return undefined
    }
  }

  while (at < bytes.length) {
    const tag = varint()
    // Chains truncate field numbers to 32 bits, so oversized tags alias ordinary ones.
    const number = tag === undefined ? 0 : Number(BigInt.asUintN(32, tag >> 3n))
    const value = tag === undefined || number === 0 ? undefined : valueOf(tag, 0)
    if (tag === undefined || value === undefined) return undefined
    fields.push({ number, wireType: Number(tag & 7n), value })
  }
  return fields
}
