/** Decodes bytes to sign as the claims of a token or as text, if possible. */
import { type JwtClaims, readJwt } from '@portico/keys/jwt'

/** The bytes as text if all of it is displayable: no control, invisible or bidirectional formatting characters. */
export function readableText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text !== '' && !/[^\P{C}\n]|[^\P{Z} ]/u.test(text) ? text : undefined
  } catch {
    // Not valid UTF-8.
    return undefined
  }
}

/** The claims of the token that a signature over these bytes would complete (protocol 9.2). */
export function tokenToSign(bytes: Uint8Array): Partial<JwtClaims> | undefined {
  const text = readableText(bytes)
  return text === undefined ? undefined : readJwt(`${text}.`)?.claims
}
