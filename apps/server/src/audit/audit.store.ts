import { randomUUID } from 'node:crypto'
import type { Database } from '../database/database.ts'

type AuditKind =
  | 'account-chosen'
  | 'account-deleted'
  | 'approval-asked'
  | 'approval-given'
  | 'approval-rejected'
  | 'confirmation-refused'
  | 'confirmation-sent'
  | 'confirmed'
  | 'data-exported'
  | 'email-change-begun'
  | 'email-changed'
  | 'email-factor-off'
  | 'email-factor-on'
  | 'hosted-account-made'
  | 'hosted-account-restored'
  | 'hosted-wallet-locked'
  | 'new-device'
  | 'organization-created'
  | 'passcode-refused'
  | 'passcode-sent'
  | 'passkey-added'
  | 'passkey-removed'
  | 'password-set'
  | 'phone-added'
  | 'phone-removed'
  | 'questions-set'
  | 'recovery-codes-made'
  | 'registered'
  | 'registration-begun'
  | 'second-factor-asked'
  | 'second-factor-refused'
  | 'second-factor-sent'
  | 'sessions-ended'
  | 'sign-in-locked'
  | 'sign-in-refused'
  | 'signed-in'
  | 'signed-out'
  | 'totp-added'
  | 'totp-removed'
  | 'wallet-attached'
  | 'wallet-converted'

/** A security event. Its details hold no secret, code, token or e-mail address. */
export interface AuditEvent {
  readonly kind: AuditKind
  readonly at: number
  readonly identityId: string | null
  readonly organizationCode: string
  readonly network: string
  readonly details?: Readonly<Record<string, string | number>>
}

/** The append-only log of security events. */
export function auditStore(database: Database) {
  return {
    async add(event: AuditEvent): Promise<void> {
      await database
        .insertInto('auditEvents')
        .values({
          id: randomUUID(),
          createdAt: event.at,
          kind: event.kind,
          identityId: event.identityId,
          organizationCode: event.organizationCode,
          network: event.network,
          details: JSON.stringify(event.details ?? {}),
        })
        .execute()
    },

    /** The latest events of an identity, newest first: only the given kinds (`wanted`), or all others. */
    latest: (
      identityId: string,
      {
        kinds,
        wanted,
        limit,
      }: { readonly kinds: readonly AuditKind[]; readonly wanted: boolean; readonly limit: number },
    ) =>
      database
        .selectFrom('auditEvents')
        .select(['createdAt as at', 'kind', 'network'])
        .where('identityId', '=', identityId)
        .where('kind', wanted ? 'in' : 'not in', kinds)
        .orderBy('createdAt', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute(),
  }
}
