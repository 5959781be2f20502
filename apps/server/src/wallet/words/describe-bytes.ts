import type { ApprovalWords } from '@portico/contracts/hosted-wallet'
import { readJwt } from '@portico/keys/jwt'
import { visible } from './visible.ts'

type Words = Extract<ApprovalWords, { kind: 'token' | 'text' | 'bytes' }>

/**
 * Describes what a signature over non-transaction bytes would authorize. The bytes decide, not the page's claim: a
 * token submitted as a message is shown as a token.
 */
export function describeBytes(bytes: Uint8Array): Words {
  return describeToken(bytes) ?? describeText(bytes) ?? describeHex(bytes)
}

/** Parses bytes as the header and payload of a token; undefined unless they contain issuer, address and lifetime. */
export function describeToken(
  bytes: Uint8Array,
): Extract<ApprovalWords, { kind: 'token' }> | undefined {
  const text = decodeUtf8(bytes)
  const claims = text === undefined ? undefined : readJwt(`${text}.AA`)?.claims
  if (claims?.iss === undefined || claims.addr === undefined) return undefined
  if (claims.iat === undefined || claims.exp === undefined) return undefined
  return {
    kind: 'token',
    issuer: visible(claims.iss),
    address: visible(claims.addr),
    group: claims.grp === undefined ? null : visible(claims.grp),
    issuedAt: claims.iat,
    expiresAt: claims.exp,
  }
}

function describeText(bytes: Uint8Array): Words | undefined {
  const text = decodeUtf8(bytes)
  if (text === undefined) return undefined
  // Line breaks are allowed in text; with any other invisible character it is shown as bytes.
  const isPlain = text.split(/\r?\n/).every((line) => visible(line) === line)
  return isPlain ? { kind: 'text', text } : undefined
}

function describeHex(bytes: Uint8Array): Words {
  return { kind: 'bytes', hex: Buffer.from(bytes).toString('hex'), length: bytes.length }
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
