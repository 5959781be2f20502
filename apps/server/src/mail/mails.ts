import {
  PARTNER_ONBOARDING_PATH,
  PASSCODE_LIFETIME_MS,
  ROUTER_BASE,
} from '@portico/contracts/limits'
import { formatPhone } from '@portico/rules/phone'
import { type MailBody, mailHtml, mailText, type Sender } from './layout.ts'
import type { DraftMail } from './outbox.ts'

/** What a passcode is for. */
type PasscodePurpose = 'login' | 'registration' | 'second step' | 'confirmation'

const PASSCODE_HEADINGS: Readonly<Record<PasscodePurpose, string>> = {
  login: 'Your one-time passcode',
  registration: 'Verify your email address',
  'second step': 'Finish logging in',
  confirmation: 'Confirm that it is you',
}

const PASSCODE_USES: Readonly<Record<PasscodePurpose, (company: string) => string>> = {
  login: (company) => `Enter this passcode to log in to ${company}.`,
  registration: (company) => `Enter this passcode to verify your email address with ${company}.`,
  'second step': (company) => `Enter this passcode to finish logging in to ${company}.`,
  confirmation: (company) => `Enter this passcode to confirm a change to your ${company} account.`,
}

/** A passcode by mail. */
export function passcodeMail(
  sender: Sender,
  { email, code, purpose }: { email: string; code: string; purpose: PasscodePurpose },
): DraftMail {
  const { name } = sender.organization.companyInfo
  const minutes = PASSCODE_LIFETIME_MS / 60_000
  return draft(sender, 'passcode', email, `Your ${name} passcode`, {
    heading: PASSCODE_HEADINGS[purpose],
    code,
    paragraphs: [
      `${PASSCODE_USES[purpose](name)} It is valid for ${minutes} minutes.`,
      'Nobody from our company will ever ask you for it. If you did not ask for it, you can ignore this email.',
    ],
  })
}

/** What somebody without an account reads who asked for a passcode. */
export function invitationMail(sender: Sender, { email }: { email: string }): DraftMail {
  const { name } = sender.organization.companyInfo
  return draft(sender, 'invitation', email, `Your ${name} account`, {
    heading: 'There is no account for this address yet',
    paragraphs: [
      `Somebody, probably you, asked ${name} for a passcode for this address, which has no account.`,
      'You can create your login in a minute. If you did not ask, you can ignore this email.',
    ],
    button: { text: 'Create your login', href: pageLink(sender, '/register', { email }) },
  })
}

/**
 * How a partner-referred borrower continues (§7.3): a code, and a link that carries it. The code stands behind the `#`, which
 * no browser sends: it is in no log on the way, and a page with a button reads it.
 */
export function continueApplicationMail(
  sender: Sender,
  { email, code, loginUuid }: { email: string; code: string; loginUuid: string },
): DraftMail {
  const { name } = sender.organization.companyInfo
  const minutes = PASSCODE_LIFETIME_MS / 60_000
  const fragment = new URLSearchParams({ code })
  return draft(sender, 'inquiry-welcome', email, `Continue your application with ${name}`, {
    heading: 'Continue your application',
    code,
    paragraphs: [
      `Enter this code to continue your application with ${name}, or use the button below. Either works once, for ${minutes} minutes; after that the button leads to a new code.`,
      'Nobody from our company will ever ask you for the code. If you did not apply, you can ignore this email.',
    ],
    button: {
      text: 'Continue',
      href: `${pageLink(sender, PARTNER_ONBOARDING_PATH, { email, loginUuid })}#${fragment}`,
    },
  })
}

/** Tells the owner that a first password was chosen. */
export function passwordChosenMail(
  sender: Sender,
  { email, at }: { email: string; at: number },
): DraftMail {
  const { name } = sender.organization.companyInfo
  return draft(sender, 'password-chosen', email, `Welcome to ${name}`, {
    heading: 'Your login is ready',
    paragraphs: [
      `A password was chosen for your ${name} account on ${moment(at)}. You can log in with it from now on.`,
      `If this was not you, reset your password now and contact us${support(sender)}.`,
    ],
    button: { text: 'Log in', href: pageLink(sender, '/login') },
  })
}

/** Tells the owner that the password was changed. */
export function passwordChangedMail(
  sender: Sender,
  { email, at }: { email: string; at: number },
): DraftMail {
  const { name } = sender.organization.companyInfo
  return draft(sender, 'password-changed', email, `Your ${name} password was changed`, {
    heading: 'Your password was changed',
    paragraphs: [
      `The password of your ${name} account was changed on ${moment(at)}. You were logged out everywhere else.`,
      `If this was not you, reset your password now and contact us${support(sender)}.`,
    ],
    button: { text: 'Reset your password', href: pageLink(sender, '/login') },
  })
}

/** Tells the owner of a change to how the account is protected. */
export function securityChangedMail(
  sender: Sender,
  { email, at, change }: { email: string; at: number; change: string },
): DraftMail {
  const { name } = sender.organization.companyInfo
  return draft(sender, 'security-changed', email, `The security of your ${name} account`, {
    heading: 'A change to the security of your account',
    paragraphs: [
      `On ${moment(at)}: ${change}`,
      `If this was not you, reset your password now and contact us${support(sender)}.`,
    ],
    button: { text: 'Reset your password', href: pageLink(sender, '/login') },
  })
}

/** Tells the owner that the account was opened in a browser it was never opened in before. */
export function newDeviceMail(
  sender: Sender,
  { email, at }: { email: string; at: number },
): DraftMail {
  const { name } = sender.organization.companyInfo
  return draft(sender, 'new-device', email, `New login to your ${name} account`, {
    heading: 'New login to your account',
    paragraphs: [
      `Somebody logged in to your ${name} account on ${moment(at)} in a browser we have not seen before.`,
      `If this was not you, reset your password now and contact us${support(sender)}.`,
    ],
    button: { text: 'Reset your password', href: pageLink(sender, '/login') },
  })
}

/** A page of ours in the brand that the mail is in, also for somebody who opens it in another browser. */
function pageLink(
  { organization: { orgCode, label }, linkOrigin }: Sender,
  path: string,
  parameters: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({
    ...parameters,
    orgCode,
    ...(label === undefined ? {} : { label: label.code }),
  })
  return `${linkOrigin}${ROUTER_BASE}${path}?${query}`
}

function draft(
  sender: Sender,
  kind: string,
  to: string,
  subject: string,
  body: MailBody,
): DraftMail {
  const { mailFrom, companyInfo } = sender.organization
  return {
    kind,
    to,
    subject,
    senderName: mailFrom?.name ?? companyInfo.name,
    senderAddress: mailFrom?.address,
    text: mailText(sender, body),
    html: mailHtml(sender, body),
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

function support({ organization }: Sender): string {
  const { supportPhone, supportEmail } = organization.companyInfo
  return ` at ${formatPhone(supportPhone)} or ${supportEmail}`
}
