import { AUDIT_EVENTS, isAuditKind } from '../audit/audit-events.ts'

/** The payload of an event. It contains no secrets, codes or network addresses. */
export interface WebhookPayload {
  readonly type: string
  readonly timestamp: string
  readonly data: {
    readonly organization: string
    readonly identityId?: string
    readonly email?: string
    readonly [detail: string]: string | number | undefined
  }
}

/** Undefined for an event from a later version. */
export function webhookPayload({
  kind,
  at,
  organization,
  identityId,
  email,
  details,
}: {
  readonly kind: string
  readonly at: number
  readonly organization: string
  readonly identityId: string | null
  readonly email: string | null
  readonly details: Readonly<Record<string, string | number>>
}): WebhookPayload | undefined {
  if (!isAuditKind(kind)) return undefined
  const { type, details: known = {}, hasEmail } = AUDIT_EVENTS[kind]
  if (type === undefined) return undefined
  const described = Object.entries(details).filter(([name]) => name in known)
  return {
    type,
    timestamp: new Date(at).toISOString(),
    data: {
      organization,
      ...(identityId === null ? {} : { identityId }),
      ...(hasEmail === undefined || email === null ? {} : { email }),
      ...Object.fromEntries(described),
    },
  }
}
