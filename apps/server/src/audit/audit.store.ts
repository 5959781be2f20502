import { randomUUID } from 'node:crypto'
import type { Database } from '../database/database.ts'
import type { Visitor } from '../http/visitor.ts'

export type AuditKind =
  | 'account-chosen'
  | 'account-deleted'
  | 'approval-asked'
  | 'approval-given'
  | 'approval-rejected'
  | 'confirmation-refused'
  | 'confirmation-sent'
  | 'confirmed'
  | 'data-exported'
  | 'directory-left'
  | 'directory-returned'
  | 'directory-token-created'
  | 'email-change-begun'
  | 'email-changed'
  | 'email-factor-off'
  | 'email-factor-on'
  | 'hosted-account-made'
  | 'hosted-account-restored'
  | 'hosted-wallet-locked'
  | 'new-device'
  | 'organization-created'
  | 'organization-joined'
  | 'organization-left'
  | 'passcode-refused'
  | 'passcode-sent'
  | 'passkey-added'
  | 'passkey-removed'
  | 'passport-answers-read'
  | 'passport-approved'
  | 'passport-created'
  | 'passport-denied'
  | 'passport-file-added'
  | 'passport-file-read'
  | 'passport-file-removed'
  | 'passport-joined'
  | 'passport-member-invited'
  | 'passport-member-removed'
  | 'passport-reopened'
  | 'passport-returned'
  | 'passport-submitted'
  | 'password-set'
  | 'phone-added'
  | 'phone-removed'
  | 'provider-disabled'
  | 'provider-domain-removed'
  | 'provider-domain-verified'
  | 'provider-enabled'
  | 'provider-linked'
  | 'provider-unlinked'
  | 'provider-refused'
  | 'provider-setup-invited'
  | 'provider-setup-opened'
  | 'questions-set'
  | 'recovery-codes-made'
  | 'registered'
  | 'registration-begun'
  | 'role-granted'
  | 'role-revoked'
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

/** What a security event is about. Its details hold no secret, code, token or e-mail address. */
interface AuditSubject {
  readonly identityId: string | null
  readonly at: number
  /** By default the organization of the visitor's page. */
  readonly organizationCode?: string
  readonly details?: Readonly<Record<string, string | number>>
}

/** The visitor that caused an event. */
type AuditSource = Pick<Visitor, 'network'> & {
  readonly organization: Pick<Visitor['organization'], 'orgCode'>
}

/** The append-only log of security events. */
export function auditStore(database: Database) {
  return {
    async record(
      kind: AuditKind,
      { identityId, at, organizationCode, details = {} }: AuditSubject,
      { organization, network }: AuditSource,
    ): Promise<void> {
      await database
        .insertInto('auditEvents')
        .values({
          id: randomUUID(),
          createdAt: at,
          kind,
          identityId,
          organizationCode: organizationCode ?? organization.orgCode,
          network,
          details: JSON.stringify(details),
        })
        .execute()
    },

    /** The latest events of an identity, newest first: `only` these kinds, or all `except` these. */
    listLatest: (
      identityId: string,
      {
        limit,
        ...filter
      }: { readonly limit: number } & (
        | { readonly only: readonly AuditKind[] }
        | { readonly except: readonly AuditKind[] }
      ),
    ) =>
      database
        .selectFrom('auditEvents')
        .select(['createdAt as at', 'kind', 'network'])
        .where('identityId', '=', identityId)
        .where(({ eb }) =>
          'only' in filter ? eb('kind', 'in', filter.only) : eb('kind', 'not in', filter.except),
        )
        .orderBy('createdAt', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute(),
  }
}
