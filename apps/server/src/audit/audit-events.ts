/** A security event: the type of its webhook, and what happened. */
interface AuditEvent {
  /** Undefined for an event without a webhook. */
  readonly type: string | undefined
  /** Completes 'Sent when …'. */
  readonly when: string
  /** `account`: about a person, and sent only if the person has an account. */
  readonly about: 'account' | 'organization'
  /** The details it contains besides the account, with an example of each. */
  readonly details?: Readonly<Record<string, string | number>>
  /** Whether its webhook contains the address of the account. */
  readonly hasEmail?: true
}

const UUID = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

/**
 * Every security event by its kind in the audit log. Webhook types are public: a new event gets a new type, and no type
 * changes its meaning.
 */
const EVENTS = {
  'account-chosen': event('wallet.account_chosen', 'the account to act as was selected'),
  'account-deleted': event('account.deleted', 'an account was deleted by its owner'),
  'banner-published': consoleEvent('an operator published a banner'),
  'messages-retried': consoleEvent('an operator had all waiting messages sent at once'),
  'organization-draft-discarded': consoleEvent(
    'an operator discarded the draft of an organization',
  ),
  'organization-published': consoleEvent('an operator published an edited organization'),
  'organization-submitted': consoleEvent('an operator submitted an organization for review'),
  'organization-undone': consoleEvent(
    'an operator published an earlier version of an organization',
  ),
  'audit-exported': consoleEvent('an operator downloaded entries of the audit log'),
  'audit-searched': consoleEvent('an operator searched the audit log'),
  'call-refused': consoleEvent('a call that shows an attack was refused'),
  'directory-refused': consoleEvent('a request with an invalid token of a directory was refused'),
  'foreign-origin-refused': consoleEvent('a request from a page of another site was refused'),
  'lockout-refused': consoleEvent('an attempt was refused during a lockout'),
  'messages-viewed': consoleEvent('an operator listed waiting messages'),
  'openid-refused': consoleEvent('the OpenID provider refused a request'),
  'operator-refused': consoleEvent('a call of the admin API was refused'),
  'people-searched': consoleEvent('an operator searched or listed people'),
  'person-viewed': consoleEvent('an operator opened the page of a person'),
  'operators-listed': consoleEvent('an operator listed the operators'),
  'relay-refused': consoleEvent('the relay refused a connection or a webhook'),
  'session-cookie-missing': consoleEvent('a token without the cookie of its session was refused'),
  'viewing-refused': consoleEvent('an operator who views a person’s pages tried more than to read'),
  'act-approved': consoleEvent('an operator approved an act of another one'),
  'act-declined': consoleEvent('an operator declined an act of another one'),
  'act-failed': consoleEvent('an approved act failed'),
  'act-requested': consoleEvent('an operator requested an act that needs a second operator'),
  'act-withdrawn': consoleEvent('an operator withdrew the request for an act'),
  'approval-asked': event('approval.requested', 'the hosted wallet was asked to sign', {
    details: { approval: UUID, kind: 'send' },
  }),
  'approval-given': event('approval.given', 'a request to the hosted wallet was approved', {
    details: { approval: UUID, kind: 'send' },
  }),
  'approval-rejected': event('approval.rejected', 'a request to the hosted wallet was rejected', {
    details: { approval: UUID, kind: 'send' },
  }),
  'confirmation-refused': event('confirmation.refused', 'a confirmation of identity failed'),
  'confirmation-sent': event('confirmation.sent', 'a confirmation code was mailed'),
  confirmed: event('confirmation.succeeded', 'a person confirmed their identity'),
  'data-exported': event('account.exported', 'a person downloaded their data'),
  'directory-left': event('directory.user_left', 'a person left the directory'),
  'directory-returned': event('directory.user_returned', 'a person returned to the directory'),
  'directory-token-created': organizationEvent(
    'directory.token_created',
    'a token for the directory was created',
  ),
  'directory-token-revoked': organizationEvent(
    'directory.token_revoked',
    'a token for the directory was revoked',
  ),
  'email-change-begun': event(
    'account.email_change_started',
    'an email address change was started',
  ),
  'email-changed': event('account.email_changed', 'the address of an account changed', {
    hasEmail: true,
  }),
  'email-factor-off': event('factor.email_disabled', 'emailed codes were turned off'),
  'email-factor-on': event('factor.email_enabled', 'emailed codes were turned on'),
  'hosted-account-made': event('wallet.hosted_created', 'a hosted account was created'),
  'hosted-account-restored': event('wallet.hosted_restored', 'a hosted account was restored'),
  'hosted-wallet-locked': event('wallet.hosted_locked', 'the hosted wallet was locked'),
  'impersonation-ended': event(
    'operator.impersonation_ended',
    'an operator stopped viewing a person’s pages, or the time ran out',
  ),
  'impersonation-started': event(
    'operator.impersonation_started',
    'an operator started viewing a person’s pages, read-only',
  ),
  // An import's report lists the accounts.
  'experiment-ended': consoleEvent('an operator ended an experiment run'),
  'experiment-started': consoleEvent('an operator started an experiment run'),
  imported: { type: undefined, when: 'an account was imported', about: 'account' },
  'new-device': event('session.new_device', 'a person logged in with a new browser', {
    details: { method: 'password' },
  }),
  'organization-created': event(
    'group.created',
    'an organization with several members was created',
  ),
  'organization-declined': event(
    'group.declined',
    'a person declined an invitation to a group, or hid its account',
  ),
  'organization-invited': event('group.invited', 'a person was invited to the account of a group'),
  'organization-joined': event('group.joined', 'a person accepted the account of a group'),
  'organization-left': event('group.left', 'a person is no longer a member of a group'),
  'passcode-refused': event('passcode.refused', 'a wrong passcode was entered'),
  'passcode-sent': event('passcode.sent', 'a passcode was mailed'),
  'passkey-added': event('passkey.added', 'a passkey was added'),
  'passkey-removed': event('passkey.removed', 'a passkey was removed'),
  'passport-answers-read': event('passport.answers_read', 'a reviewer read a section', {
    details: { passport: UUID, section: 'kyc' },
  }),
  'passport-approved': event('passport.approved', 'a reviewer approved a section', {
    details: { passport: UUID, section: 'kyc' },
  }),
  'passport-created': event('passport.created', 'an investor passport was created'),
  'passport-denied': event('passport.denied', 'a reviewer denied a section', {
    details: { passport: UUID, section: 'kyc' },
  }),
  'passport-file-added': event('passport.file_added', 'an evidence file was uploaded'),
  'passport-file-read': event('passport.file_read', 'a reviewer read an evidence file', {
    details: { passport: UUID, file: UUID },
  }),
  'passport-file-removed': event('passport.file_removed', 'an evidence file was removed'),
  'passport-joined': event('passport.member_joined', 'an invited person joined a passport'),
  'passport-member-invited': event('passport.member_invited', 'a person was invited'),
  'passport-member-removed': event('passport.member_removed', 'a member was removed'),
  'passport-reopened': event('passport.reopened', 'an approved section was reopened'),
  'passport-returned': event('passport.returned', 'a reviewer asked for more', {
    details: { passport: UUID, section: 'kyc' },
  }),
  'passport-submitted': event('passport.submitted', 'a section was submitted for review'),
  'password-set': event('password.set', 'a password was set or changed'),
  'person-deleted': event('operator.account_deleted', 'an operator deleted an account'),
  'person-exported': event('operator.account_exported', 'an operator exported a person’s data'),
  'person-factor-reset': event('operator.factor_removed', 'an operator removed a factor', {
    details: { factor: 'totp' },
  }),
  'person-locked': event('operator.account_locked', 'an operator locked an account'),
  'person-message-resent': event(
    'operator.message_resent',
    'an operator sent a waiting message immediately',
  ),
  'person-organization-changed': event(
    'operator.organization_changed',
    'an operator moved a person to another organization',
    { details: { organization: 'HARBORLINE' } },
  ),
  'person-sessions-ended': event('operator.sessions_ended', 'an operator ended all sessions'),
  'person-unlocked': event('operator.account_unlocked', 'an operator unlocked an account'),
  'phone-added': event('factor.phone_added', 'a phone was added'),
  'phone-removed': event('factor.phone_removed', 'a phone was removed'),
  'provider-disabled': organizationEvent('provider.disabled', 'an identity provider was disabled'),
  'provider-domain-removed': organizationEvent('provider.domain_removed', 'a domain was removed', {
    domain: 'lender.example',
  }),
  'provider-domain-verified': organizationEvent(
    'provider.domain_verified',
    'a domain was verified',
    { domain: 'lender.example' },
  ),
  'provider-enabled': organizationEvent('provider.enabled', 'an identity provider was enabled', {
    protocol: 'saml',
    version: 3,
  }),
  'provider-linked': event('provider.linked', 'an account was connected to an identity provider'),
  'provider-unlinked': event(
    'provider.unlinked',
    'an account was disconnected from an identity provider',
  ),
  'provider-refused': organizationEvent(
    'provider.login_refused',
    'a login at the identity provider was refused',
    { reason: 'expired' },
  ),
  'provider-setup-ended': organizationEvent(
    'provider.setup_ended',
    'the sessions and links to set up the identity provider were ended',
  ),
  'provider-setup-invited': organizationEvent(
    'provider.setup_invited',
    'an administrator received the link to set up the identity provider',
    { userType: 'customer' },
  ),
  'provider-setup-opened': organizationEvent(
    'provider.setup_opened',
    'the link to set up the identity provider was opened',
  ),
  'questions-set': event('factor.questions_set', 'recovery questions were answered'),
  'recovery-codes-made': event('factor.recovery_codes_created', 'recovery codes were created'),
  registered: event('account.created', 'an account was created', { hasEmail: true }),
  // There is no account yet.
  'registration-begun': { type: undefined, when: 'a registration began', about: 'account' },
  'role-granted': event('account.role_granted', 'a role was granted to an account', {
    details: { role: 'reviewer' },
  }),
  'role-revoked': event('account.role_revoked', 'a role was revoked from an account', {
    details: { role: 'reviewer' },
  }),
  'second-factor-asked': event('second_step.requested', 'a login needs its second step', {
    details: { method: 'password' },
  }),
  'second-factor-refused': event('second_step.refused', 'the second step of a login failed', {
    details: { second: 'totp' },
  }),
  'second-factor-sent': event('second_step.sent', 'a code for the second step was sent', {
    details: { alias: 'Phone' },
  }),
  'service-token-created': organizationEvent(
    'service_token.created',
    'a service token was created',
    { name: 'crm-sync' },
  ),
  'service-token-revoked': organizationEvent(
    'service_token.revoked',
    'a service token was revoked',
    { name: 'crm-sync' },
  ),
  'sessions-ended': event('session.ended_by_owner', 'a person ended sessions'),
  'sign-in-locked': event('session.locked', 'the login of a locked account was refused', {
    details: { method: 'password' },
  }),
  'sign-in-refused': event('session.refused', 'a wrong password was entered'),
  'signed-in': event('session.started', 'a person logged in', {
    details: { method: 'password', second: 'totp' },
  }),
  'signed-out': event('session.ended', 'a person logged out'),
  'totp-added': event('factor.totp_added', 'an authenticator app was added'),
  'totp-removed': event('factor.totp_removed', 'an authenticator app was removed'),
  'wallet-attached': event('wallet.attached', 'a wallet was added to an account'),
  'wallet-converted': event('wallet.converted', 'an old wallet was converted'),
} satisfies Readonly<Record<string, AuditEvent>>

export type AuditKind = keyof typeof EVENTS

export const AUDIT_EVENTS: Readonly<Record<AuditKind, AuditEvent>> = EVENTS

/** What operators read about a person. It would displace what happened in lists of the person's latest events. */
export const READS_OF_PERSON = [
  'audit-exported',
  'audit-searched',
  'person-viewed',
] as const satisfies readonly AuditKind[]

/** Refusals that may be about a person and did nothing. */
export const REFUSALS_OF_PERSON = [
  'call-refused',
  'lockout-refused',
  'session-cookie-missing',
  'viewing-refused',
] as const satisfies readonly AuditKind[]

/** The kinds by the type of their webhook. */
export const KINDS_BY_TYPE: ReadonlyMap<string, AuditKind> = new Map(
  // The keys of a literal object are its kinds.
  (Object.keys(AUDIT_EVENTS) as AuditKind[]).flatMap((kind) => {
    const { type } = AUDIT_EVENTS[kind]
    return type === undefined ? [] : [[type, kind] as const]
  }),
)

export function isAuditKind(text: string): text is AuditKind {
  return Object.hasOwn(AUDIT_EVENTS, text)
}

function event(
  type: string,
  when: string,
  more: Pick<AuditEvent, 'details' | 'hasEmail'> = {},
): AuditEvent {
  return { type, when, about: 'account', ...more }
}

/** What an operator does in the console. There is no webhook. */
function consoleEvent(when: string): AuditEvent {
  return { type: undefined, when, about: 'organization' }
}

function organizationEvent(
  type: string,
  when: string,
  details?: AuditEvent['details'],
): AuditEvent {
  return { type, when, about: 'organization', ...(details === undefined ? {} : { details }) }
}
