// Uses the platform's base64 and a small hex table, because this file is part of every page.

const HEX = /^(?:[0-9a-f]{2})*$/i
const BASE64 = /^[A-Za-z0-9+/_-]*(={0,2})$/
const BASE64URL = /^[A-Za-z0-9_-]*$/

const HEX_OF_BYTE = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Bytes as lower-case hex. */
export function hexOf(bytes: Uint8Array): string {
  let hex = ''
  for (const byte of bytes) hex += HEX_OF_BYTE[byte]
  return hex
}

/** Decodes hex in either case, whole bytes only and without `0x`. An empty text gives no bytes. */
export function bytesOfHex(text: string): Uint8Array | undefined {
  if (!HEX.test(text)) return undefined
  const bytes = new Uint8Array(text.length / 2)
  for (let at = 0; at < bytes.length; at += 1) {
    bytes[at] = Number.parseInt(text.slice(2 * at, 2 * at + 2), 16)
  }
  return bytes
}

/** Decodes UTF-8, including a byte order mark; `undefined` if it is invalid. */
export function utf8TextOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Bytes as standard base64, padded. */
export function base64Of(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

/** Bytes as base64url without padding (RFC 7515). */
export function base64urlOf(bytes: Uint8Array): string {
  return withoutPadding(base64Of(bytes)).replaceAll('+', '-').replaceAll('/', '_')
}

/** Decodes base64 in either alphabet, padded or not, because wallets differ in both. */
export function bytesOfBase64(text: string): Uint8Array | undefined {
  const padding = BASE64.exec(text)?.[1]
  if (padding === undefined || (padding !== '' && text.length % 4 !== 0)) return undefined
  return decodeBase64(withoutPadding(text))
}

/** Decodes base64url strictly (RFC 7515): no padding and only the canonical encoding. */
export function bytesOfBase64url(text: string): Uint8Array | undefined {
  return BASE64URL.test(text) ? decodeBase64(text) : undefined
}

/** Decodes either alphabet; `undefined` for truncated input or nonzero trailing bits. */
function decodeBase64(letters: string): Uint8Array | undefined {
  const standard = letters.replaceAll('-', '+').replaceAll('_', '/')
  // Not a valid length; `atob` would throw.
  if (standard.length % 4 === 1) return undefined
  const binary = atob(standard)
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = binary.charCodeAt(at)
  return withoutPadding(base64Of(bytes)) === standard ? bytes : undefined
}

function withoutPadding(base64: string): string {
  return base64.replace(/=+$/, '')
}
