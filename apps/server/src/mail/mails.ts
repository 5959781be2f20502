import { PASSCODE_LIFETIME_MS, ROUTER_BASE } from '@portico/contracts/limits'
import { formatPhone } from '@portico/rules/phone'
import type { Visitor } from '../http/visitor.ts'
import { type MailBody, mailHtml, mailText } from './layout.ts'
import type { DraftMail } from './outbox.ts'

/** A passcode for signing in or for finishing a registration. */
export function passcodeMail(
  visitor: Visitor,
  { email, code, registering }: { email: string; code: string; registering: boolean },
): DraftMail {
  const { name } = visitor.organization.companyInfo
  const minutes = PASSCODE_LIFETIME_MS / 60_000
  return draft(visitor, 'passcode', email, `Your ${name} passcode`, {
    heading: registering ? 'Verify your email address' : 'Your one-time passcode',
    code,
    paragraphs: [
      registering
        ? `Enter this passcode to verify your email address with ${name}. It is valid for ${minutes} minutes.`
        : `Enter this passcode to log in to ${name}. It is valid for ${minutes} minutes.`,
      'Nobody from our company will ever ask you for it. If you did not ask for it, you can ignore this email.',
    ],
  })
}

/** What somebody without an account reads who asked for a passcode. */
export function invitationMail(visitor: Visitor, { email }: { email: string }): DraftMail {
  const { name } = visitor.organization.companyInfo
  const query = new URLSearchParams({ email, orgCode: visitor.organization.orgCode })
  return draft(visitor, 'invitation', email, `Your ${name} account`, {
    heading: 'There is no account for this address yet',
    paragraphs: [
      `Somebody, probably you, asked ${name} for a passcode for this address, which has no account.`,
      'You can create your login in a minute. If you did not ask, you can ignore this email.',
    ],
    button: {
      text: 'Create your login',
      href: `${visitor.origin}${ROUTER_BASE}/register?${query}`,
    },
  })
}

/** Tells the owner that the password was changed. */
export function passwordChangedMail(
  visitor: Visitor,
  { email, at }: { email: string; at: number },
): DraftMail {
  const { name } = visitor.organization.companyInfo
  return draft(visitor, 'password-changed', email, `Your ${name} password was changed`, {
    heading: 'Your password was changed',
    paragraphs: [
      `The password of your ${name} account was changed on ${moment(at)}. You were logged out everywhere else.`,
      `If this was not you, reset your password now and contact us${support(visitor)}.`,
    ],
    button: { text: 'Reset your password', href: `${visitor.origin}${ROUTER_BASE}/login` },
  })
}

/** Tells the owner that the account was opened in a browser it was never opened in before. */
export function newDeviceMail(
  visitor: Visitor,
  { email, at }: { email: string; at: number },
): DraftMail {
  const { name } = visitor.organization.companyInfo
  return draft(visitor, 'new-device', email, `New login to your ${name} account`, {
    heading: 'New login to your account',
    paragraphs: [
      `Somebody logged in to your ${name} account on ${moment(at)} in a browser we have not seen before.`,
      `If this was not you, reset your password now and contact us${support(visitor)}.`,
    ],
    button: { text: 'Reset your password', href: `${visitor.origin}${ROUTER_BASE}/login` },
  })
}

function draft(
  visitor: Visitor,
  kind: string,
  to: string,
  subject: string,
  body: MailBody,
): DraftMail {
  const senderName = visitor.organization.companyInfo.name
  return {
    kind,
    to,
    subject,
    senderName,
    text: mailText(visitor, body),
    html: mailHtml(visitor, body),
  }
}

function moment(at: number): string {
  const text = new Intl.DateTimeFormat('en-US', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(at)
  return `${text} UTC`
}

function support({ organization }: Visitor): string {
  const { supportPhone, supportEmail } = organization.companyInfo
  return supportPhone === undefined
    ? ` at ${supportEmail}`
    : ` at ${formatPhone(supportPhone)} or ${supportEmail}`
}
