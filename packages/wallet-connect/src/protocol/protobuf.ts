/** A field of a protocol buffer: its number, and its bytes or its number's bits. */
export interface ProtobufField {
  readonly number: number
  readonly value: Uint8Array | bigint
}

/** Reads the fields of a protocol buffer, in order; `undefined` for bytes that are none. */
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

  function valueOf(wireType: number): Uint8Array | bigint | undefined {
    if (wireType === 0) return varint()
    if (wireType === 1) return take(8)
    if (wireType === 5) return take(4)
    const length = wireType === 2 ? varint() : undefined
    return length === undefined ? undefined : take(Number(length))
  }

  while (at < bytes.length) {
    const tag = varint()
    const value = tag === undefined ? undefined : valueOf(Number(tag & 7n))
    if (tag === undefined || tag < 8n || value === undefined) return undefined
    fields.push({ number: Number(tag >> 3n), value })
  }
  return fields
}
