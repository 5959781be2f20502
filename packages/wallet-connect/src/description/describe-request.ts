import { Refusal } from '@portico/contracts/errors'
import type { ApprovalDescription, ApprovalRequest } from '@portico/contracts/hosted-wallet'
import { describeBytes, describeToken } from './describe-bytes.ts'

/**
 * Describes what a signature would authorize, from the bytes to sign. Transactions have `describeTransaction`.
 *
 * @throws Refusal - `message-unreadable`
 */
export function describeRequest(
  { kind, address, group: actingFor }: Exclude<ApprovalRequest, { kind: 'send' }>,
  bytes: Uint8Array,
  group: { readonly name: string; readonly address: string } | undefined,
): ApprovalDescription {
  const token = describeToken(bytes)
  switch (kind) {
    case 'connect':
      return { kind, lifetimeS: token === undefined ? 0 : token.expiresAt - token.issuedAt }
    case 'switch-group':
      return { kind, group: group ?? null }
    case 'sign':
      return describeBytes(bytes)
    case 'sign-jwt':
      // Only tokens for the wallet's own account are signed; one for another account would be a forgery.
      if (token?.address !== address) throw new Refusal('message-unreadable')
      // The user may be no member of another group, and acts for this one only.
      if (token.group !== null && token.group !== actingFor) throw new Refusal('message-unreadable')
      return token
  }
}
