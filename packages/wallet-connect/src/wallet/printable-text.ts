/** What bytes to sign mean to a person: the claims of a token, a text, or nothing that can be read. */
import { type JwtClaims, readJwt } from '@portico/keys/jwt'

/** The bytes as a text, where all of it can be shown: no control characters, nothing invisible, nothing that turns the line around. */
export function readableText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text !== '' && !/[^\P{C}\n]|[^\P{Z} ]/u.test(text) ? text : undefined
  } catch {
    // Not text.
    return undefined
  }
}

/** The claims of the token that a signature over these bytes would complete (protocol 9.2). */
export function tokenToSign(bytes: Uint8Array): Partial<JwtClaims> | undefined {
  const text = readableText(bytes)
  return text === undefined ? undefined : readJwt(`${text}.`)?.claims
}
