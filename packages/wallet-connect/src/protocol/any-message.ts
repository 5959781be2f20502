/**
 * Chain messages on the wire (protocol 9.3): a serialized `google.protobuf.Any` in base64, and that base64
 * text in turn in hexadecimal with a `0x` prefix.
 */
import { base64Of, bytesOfBase64, bytesOfHex, hexOf, utf8TextOf } from '@portico/keys/bytes'
import { protobufFields } from '@portico/keys/protobuf'

/** One message of a transaction. */
export interface AnyMessage {
  /** For example `/cosmos.bank.v1beta1.MsgSend`. */
  readonly typeUrl: string
  readonly value: Uint8Array
}

const TYPE_URL = 1
const VALUE = 2

export function readAny(bytes: Uint8Array): AnyMessage | undefined {
  const fields = protobufFields(bytes)
  // A chain rejects transactions with fields of an unexpected wire type, so they are rejected here too.
  if (fields?.some(({ wireType }) => wireType !== 2)) return undefined
  const typeUrl = bytesIn(fields?.findLast(({ number }) => number === TYPE_URL)?.value)
  if (fields === undefined || typeUrl === undefined) return undefined
  const value = fields.findLast(({ number }) => number === VALUE)?.value ?? new Uint8Array()
  const name = utf8TextOf(typeUrl)
  return name === undefined || typeof value === 'bigint' ? undefined : { typeUrl: name, value }
}

/** Reads a message from base64. */
export function readAnyBase64(text: string): AnyMessage | undefined {
  const bytes = bytesOfBase64(text)
  return bytes && readAny(bytes)
}

/** Reads a message from a request parameter, with or without `0x`. */
export function readAnyParameter(parameter: string): AnyMessage | undefined {
  const bytes = bytesOfHex(withoutPrefix(parameter))
  const text = bytes && utf8TextOf(bytes)
  return text === undefined ? undefined : readAnyBase64(text)
}

/** Encodes a base64 message as a request parameter. */
export function anyParameter(base64: string): string {
  return `0x${hexOf(new TextEncoder().encode(base64))}`
}

/** Serializes a message to base64. */
export function anyBase64({ typeUrl, value }: AnyMessage): string {
  const name = new TextEncoder().encode(typeUrl)
  return base64Of(Uint8Array.from([...delimited(TYPE_URL, name), ...delimited(VALUE, value)]))
}

/** A hexadecimal parameter without its optional `0x`. */
export function withoutPrefix(hex: string): string {
  return /^0x/i.test(hex) ? hex.slice(2) : hex
}

function delimited(number: number, bytes: Uint8Array): number[] {
  return [(number << 3) | 2, ...varint(bytes.length), ...bytes]
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)]
}

function bytesIn(value: Uint8Array | bigint | undefined): Uint8Array | undefined {
  return typeof value === 'bigint' ? undefined : value
}
