import type { ApprovalWords } from '@portico/contracts/hosted-wallet'
import { readJwt } from '@portico/keys/jwt'
import { visible } from './visible.ts'

type Words = Extract<ApprovalWords, { kind: 'token' | 'text' | 'bytes' }>

/**
 * What a signature over bytes that are not a transaction would be good for. The bytes decide, never what the page calls
 * them: a token that is handed over as a message is shown as one.
 */
export function describeBytes(bytes: Uint8Array): Words {
  return describeToken(bytes) ?? describeText(bytes) ?? asHex(bytes)
}

/** The token whose header and payload the bytes are; nothing where they are none that says whose and until when. */
export function describeToken(
  bytes: Uint8Array,
): Extract<ApprovalWords, { kind: 'token' }> | undefined {
  const text = textOf(bytes)
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
  const text = textOf(bytes)
  if (text === undefined) return undefined
  // Line breaks are part of a text; anything else that cannot be seen makes it bytes.
  const isPlain = text.split(/\r?\n/).every((line) => visible(line) === line)
  return isPlain ? { kind: 'text', text } : undefined
}

function asHex(bytes: Uint8Array): Words {
  return { kind: 'bytes', hex: Buffer.from(bytes).toString('hex'), length: bytes.length }
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
