import { hasInvisibleCharacters } from '@portico/contracts/characters'
import type { ApprovalDescription } from '@portico/contracts/hosted-wallet'
import { escapeInvisible } from '@portico/contracts/invisible-characters'
import { hexOf, utf8TextOf } from '@portico/keys/bytes'
import { type JwtClaims, readJwt } from '@portico/keys/jwt'

type BytesDescription = Extract<ApprovalDescription, { kind: 'token' | 'text' | 'bytes' }>

/**
 * Describes what a signature over bytes that are not a transaction would authorize. The bytes decide, not the page's
 * claim: a token submitted as a message is shown as a token.
 */
export function describeBytes(bytes: Uint8Array): BytesDescription {
  const text = readableText(bytes)
  return (
    describeToken(bytes) ??
    (text === undefined
      ? { kind: 'bytes', hex: hexOf(bytes), length: bytes.length }
      : { kind: 'text', text })
  )
}

/** Parses bytes as the header and payload of a token; undefined unless they contain issuer, address and lifetime. */
export function describeToken(
  bytes: Uint8Array,
): Extract<ApprovalDescription, { kind: 'token' }> | undefined {
  const { iss, addr, grp, iat, exp } = tokenToSign(bytes) ?? {}
  if (iss === undefined || addr === undefined || iat === undefined || exp === undefined) {
    return undefined
  }
  return {
    kind: 'token',
    issuer: escapeInvisible(iss),
    address: escapeInvisible(addr),
    group: grp === undefined ? null : escapeInvisible(grp),
    issuedAt: iat,
    expiresAt: exp,
  }
}

/** The claims of the token that a signature over these bytes would complete (protocol 9.2). */
export function tokenToSign(bytes: Uint8Array): Partial<JwtClaims> | undefined {
  const text = readableText(bytes)
  return text === undefined ? undefined : readJwt(`${text}.`)?.claims
}

/**
 * The bytes as text if all of it is displayable: no control, invisible or bidirectional formatting characters, and no
 * spaces that look like others. Line breaks are allowed.
 */
export function readableText(bytes: Uint8Array): string | undefined {
  const text = utf8TextOf(bytes)
  if (text === undefined || text === '') return undefined
  const isReadable = text
    .split(/\r?\n/)
    .every((line) => !hasInvisibleCharacters(line) && !/[^\P{Z} ]/u.test(line))
  return isReadable ? text : undefined
}
