import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { base64, base64nopad, base64urlnopad } from '@scure/base'

const HEX = /^(?:[0-9a-f]{2})*$/i
const BASE64 = /^[A-Za-z0-9+/_-]*(={0,2})$/

/** Bytes as lower-case hex. */
export function hexOf(bytes: Uint8Array): string {
  return bytesToHex(bytes)
}

/** The bytes of a hex text in either case: whole bytes only and no `0x`; no text is no bytes. */
export function bytesOfHex(text: string): Uint8Array | undefined {
  return HEX.test(text) ? hexToBytes(text) : undefined
}

/** Bytes as standard base64, padded. */
export function base64Of(bytes: Uint8Array): string {
  return base64.encode(bytes)
}

/** Bytes as base64url without padding, as tokens carry them (RFC 7515). */
export function base64urlOf(bytes: Uint8Array): string {
  return base64urlnopad.encode(bytes)
}

/** The bytes of base64 in either alphabet, padded or not, because wallets differ in both. */
export function bytesOfBase64(text: string): Uint8Array | undefined {
  const padding = BASE64.exec(text)?.[1]
  if (padding === undefined || (padding !== '' && text.length % 4 !== 0)) return undefined
  const standard = text
    .slice(0, text.length - padding.length)
    .replaceAll('-', '+')
    .replaceAll('_', '/')
  return decoded(base64nopad, standard)
}

/** The bytes of base64url as the token standard writes it: one alphabet, no padding, one text for the same bytes. */
export function bytesOfBase64url(text: string): Uint8Array | undefined {
  return decoded(base64urlnopad, text)
}

function decoded(
  coder: { decode: (text: string) => Uint8Array },
  text: string,
): Uint8Array | undefined {
  try {
    return coder.decode(text)
  } catch {
    // Not of this alphabet, cut short, or with bits left over that no encoder sets.
    return undefined
  }
}
