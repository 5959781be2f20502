import { ACT_TITLES, type ApprovableAct } from '@portico/contracts/admin/second-operator'
import type { UserType } from '@portico/contracts/broker'
import { CONSOLE_PATH } from '@portico/contracts/console-page'
import {
  DAY_MS,
  IMPERSONATION_MS,
  LOCKOUT_LINK_LIFETIME_MS,
  PARTNER_ONBOARDING_PATH,
  PASSCODE_LIFETIME_MS,
  PASSPORT_INVITATION_LIFETIME_MS,
  ROUTER_BASE,
  SETUP_LINK_LIFETIME_MS,
  SETUP_SESSION_LIFETIME_MS,
  SSO_SETUP_PATH,
} from '@portico/contracts/limits'
import { type PassportSection, SECTION_TITLES } from '@portico/contracts/passport-sections'
import { formatTime } from '@portico/rules/format'
import { formatPhone } from '@portico/rules/phone'
import type { Sender } from '../brands/brands.ts'
import { type MailBody, mailHtml, mailText } from './layout.ts'
import type { DraftMail } from './outbox.ts'

type PasscodePurpose =
  | 'login'
  | 'registration'
  | 'second step'
  | 'confirmation'
  | 'current address'
  | 'new address'

const PASSCODE_HEADINGS: Readonly<Record<PasscodePurpose, string>> = {
  login: 'Your one-time passcode',
  registration: 'Verify your email address',
  'second step': 'Finish logging in',
  confirmation: "Confirm it's you",
  'current address': 'Confirm your change of address',
  'new address': 'Confirm your new address',
}

const PASSCODE_USES: Readonly<Record<PasscodePurpose, (company: string) => string>> = {
  login: (company) => `Enter this passcode to log in to ${company}.`,
  registration: (company) => `Enter this passcode to verify your email address with ${company}.`,
  'second step': (company) => `Enter this passcode to finish logging in to ${company}.`,
  confirmation: (company) =>
    `Enter this passcode where ${company} asks you to confirm it's you, before a change or a payment.`,
  'current address': (company) =>
    `Enter this passcode to confirm that the email address of your ${company} account may change.`,
  'new address': (company) =>
    `Enter this passcode to confirm that this is the new email address of your ${company} account.`,
}

export function passcodeMail(
  sender: Sender,
  { email, code, purpose }: { email: string; code: string; purpose: PasscodePurpose },
): DraftMail {
  const { name } = sender.organization.companyInfo
  const minutes = PASSCODE_LIFETIME_MS / 60_000
  return draftMail(sender, 'passcode', email, `Your ${name} passcode`, {
    heading: PASSCODE_HEADINGS[purpose],
    code,
    paragraphs: [
      `${PASSCODE_USES[purpose](name)} It is valid for ${minutes} minutes.`,
      'No one from our company will ever ask you for it. If you did not ask for it, you can ignore this email.',
    ],
  })
}

/** For the passcode that connects an account to an identity provider. Says who can then enter it. */
export function accountLinkMail(
  sender: Sender,
  { email, code, provider }: { email: string; code: string; provider: string },
): DraftMail {
  const { name } = sender.organization.companyInfo
  const minutes = PASSCODE_LIFETIME_MS / 60_000
  return draftMail(sender, 'passcode', email, `Your ${name} passcode`, {
    heading: 'Connect your account',
    code,
    paragraphs: [
      `Enter this passcode to connect your ${name} account to ${provider}. From then on you can log in with either. It is valid for ${minutes} minutes.`,
      `The people who run ${provider} will then be able to log in to your account, too. If you do not want that, do not enter the passcode, or add a second step in your security settings first.`,
      'No one from our company will ever ask you for it. If you did not ask for it, you can ignore this email.',
    ],
  })
}

/** For a passcode request for an address without an account. */
export function invitationMail(sender: Sender, { email }: { email: string }): DraftMail {
  const { name } = sender.organization.companyInfo
  return draftMail(sender, 'invitation', email, `Your ${name} account`, {
    heading: 'There is no account for this address yet',
    paragraphs: [
      `Someone, probably you, asked ${name} for a passcode for this address, which has no account.`,
      'You can create your login in a minute. If you did not ask, you can ignore this email.',
    ],
    button: { text: 'Create your login', href: pageLink(sender, '/register', { email }) },
  })
}

/**
 * How a partner-referred borrower continues (§7.3): a code, and a link that carries it after the `#`. Browsers never
 * send that part, so the code appears in no log; a page with a button reads it.
 *
 * @param borrower.isLinkTrusted - whether the link may carry the code
 */
export function continueApplicationMail(
  sender: Sender,
  {
    email,
    code,
    loginUuid,
    isLinkTrusted,
  }: { email: string; code: string; loginUuid: string; isLinkTrusted: boolean },
): DraftMail {
  const { name } = sender.organization.companyInfo
  const minutes = PASSCODE_LIFETIME_MS / 60_000
  const link = pageLink(sender, PARTNER_ONBOARDING_PATH, { email, loginUuid })
  return draftMail(sender, 'inquiry-welcome', email, `Continue your application with ${name}`, {
    heading: 'Continue your application',
    code,
    paragraphs: [
      isLinkTrusted
        ? `Enter this code to continue your application with ${name}, or use the button below. Either works once, for ${minutes} minutes; after that the button leads to a new code.`
        : `Enter this code to continue your application with ${name}. The button below leads to the page that asks for it. The code works once, for ${minutes} minutes; after that the button leads to a new code.`,
      'No one from our company will ever ask you for the code. If you did not apply, you can ignore this email.',
    ],
    button: {
      text: 'Continue',
      href: isLinkTrusted ? `${link}#${new URLSearchParams({ code })}` : link,
    },
  })
}

/** Notifies the owner of the first password, also of one that the login or registration asked for without another proof. */
export function passwordChosenMail(
  sender: Sender,
  { email, at }: { email: string; at: number },
): DraftMail {
  const { name } = sender.organization.companyInfo
  return draftMail(sender, 'password-chosen', email, `Welcome to ${name}`, {
    heading: 'Your login is ready',
    paragraphs: [
      `A password was chosen for your ${name} account on ${utcTime(at)}. You can log in with it from now on.`,
      `If this was not you, reset your password now and contact us${support(sender)}.`,
    ],
    button: { text: 'Log in', href: pageLink(sender, '/login') },
  })
}

/** Sent instead of a passcode: how to log in to an account managed by an identity provider. */
export function providerLoginMail(
  sender: Sender,
  { email, provider }: { email: string; provider: { name: string; userType: UserType } },
): DraftMail {
  const { name } = sender.organization.companyInfo
  // The page that the link opens offers the provider first, whether or not it offers the provider to others.
  const href = pageLink(sender, '/login', { email, provider: provider.userType })
  return draftMail(sender, 'provider-login', email, `How you log in to ${name}`, {
    heading: `Log in with ${provider.name}`,
    paragraphs: [
      `You asked for a passcode for your ${name} account. Your organization manages this account, so you log in with ${provider.name} instead.`,
      'If you did not ask for a passcode, you can ignore this email.',
    ],
    button: { text: `Log in with ${provider.name}`, href },
  })
}

/** Notifies the owner of a changed password. */
export function passwordChangedMail(
  sender: Sender,
  { email, at }: { email: string; at: number },
): DraftMail {
  const { name } = sender.organization.companyInfo
  return draftMail(sender, 'password-changed', email, `Your ${name} password was changed`, {
    heading: 'Your password was changed',
    paragraphs: [
      `The password of your ${name} account was changed on ${utcTime(at)}. You were logged out everywhere else.`,
      `If this was not you, reset your password now and contact us${support(sender)}.`,
    ],
    button: resetButton(sender, email),
  })
}

/** Notifies the owner of a change to the account's security settings. */
export function securityChangedMail(
  sender: Sender,
  {
    email,
    provider,
    at,
    change,
  }: { email: string; provider?: string | undefined; at: number; change: string },
): DraftMail {
  const { name } = sender.organization.companyInfo
  const notYou = ifNotYou(sender, email, provider)
  return draftMail(sender, 'security-changed', email, `The security of your ${name} account`, {
    heading: 'A change to the security of your account',
    paragraphs: [`On ${utcTime(at)}: ${change}`, notYou.text],
    button: notYou.button,
  })
}

/** Notifies the owner of a transaction approved with a hosted wallet. */
export function transactionMail(
  sender: Sender,
  transaction: {
    email: string
    provider?: string | undefined
    at: number
    effect: string
    account: string
    fee: string
    recipients: readonly string[]
  },
): DraftMail {
  const { name } = sender.organization.companyInfo
  const { email, provider, at, effect, account, fee, recipients } = transaction
  const notYou = ifNotYou(sender, email, provider)
  return draftMail(
    sender,
    'transaction-approved',
    email,
    `A transaction with your ${name} wallet`,
    {
      heading: 'A transaction was approved',
      paragraphs: [
        `${effect}.`,
        `Approved on ${utcTime(at)} with your wallet account ${account}. Network fee: ${fee}.`,
        ...recipients.map((address) => `Recipient: ${address}`),
        notYou.text,
      ],
      button: notYou.button,
    },
  )
}

/** Notifies the owner of a login in a new browser. */
export function newDeviceMail(
  sender: Sender,
  { email, provider, at }: { email: string; provider?: string | undefined; at: number },
): DraftMail {
  const { name } = sender.organization.companyInfo
  const notYou = ifNotYou(sender, email, provider)
  return draftMail(sender, 'new-device', email, `New login to your ${name} account`, {
    heading: 'New login to your account',
    paragraphs: [
      `Someone logged in to your ${name} account on ${utcTime(at)} in a browser we have not seen before.`,
      notYou.text,
    ],
    button: notYou.button,
  })
}

/** The page that the link of `lockoutLinkMail` opens. */
export const LOCKOUT_PATH = '/lockout'

/** Lets the owner log in from a new browser during a lockout caused by someone else's attempts. */
export function lockoutLinkMail(
  sender: Sender,
  { email, token }: { email: string; token: string },
): DraftMail {
  const { name } = sender.organization.companyInfo
  const hours = LOCKOUT_LINK_LIFETIME_MS / 3_600_000
  return draftMail(sender, 'lockout-link', email, `Log in to ${name} from a new browser`, {
    heading: 'Too many wrong attempts',
    paragraphs: [
      `Too many wrong passwords or codes were entered for your ${name} account, so browsers you have not used before have to wait.`,
      `If you are trying to log in, open this link in the browser you want to use. It works once, within ${hours} hours, and lets you log in there without waiting.`,
      'If you are not trying to log in, you can ignore this email. Browsers you have used before are not affected.',
    ],
    button: { text: 'Continue to log in', href: pageLink(sender, LOCKOUT_PATH, { token }) },
  })
}

/** What users of each type are called in mail to their administrator. */
const PEOPLE: Readonly<Record<UserType, string>> = { customer: 'customers', agent: 'agents' }

/**
 * The link for the administrator of an organization's identity provider. The token is after the `#`, which browsers never
 * send, so it appears in no log.
 */
export function providerSetupMail(
  sender: Sender,
  { email, token, userType }: { email: string; token: string; userType: UserType },
): DraftMail {
  const { organization } = sender
  const { name } = organization.companyInfo
  const days = SETUP_LINK_LIFETIME_MS / DAY_MS
  const hours = SETUP_SESSION_LIFETIME_MS / 3_600_000
  return draftMail(sender, 'provider-setup', email, `Set up single sign-on with ${name}`, {
    heading: 'Connect your identity provider',
    paragraphs: [
      `With this link you let ${PEOPLE[userType]} of ${name} log in with your identity provider, such as Okta, Microsoft Entra ID or Google Workspace.`,
      `It opens in one browser, within ${days} days. You then have ${hours} hours; everything you save is kept, and we can send you another link.`,
      'Do not forward this email. If you did not expect it, you can ignore it.',
    ],
    button: {
      text: 'Set up single sign-on',
      href: `${pageLink(sender, SSO_SETUP_PATH)}#${new URLSearchParams({ token })}`,
    },
  })
}

/** Warns a provider's administrator that its certificate is about to expire. */
export function certificateMail(
  sender: Sender,
  { email, provider, expiresAt }: { email: string; provider: string; expiresAt: number },
): DraftMail {
  const { name } = sender.organization.companyInfo
  return draftMail(
    sender,
    'provider-certificate',
    email,
    `The certificate of ${provider} expires`,
    {
      heading: 'Renew the certificate of your identity provider',
      paragraphs: [
        `The certificate with which ${provider} signs logins to ${name} expires on ${utcTime(expiresAt)}. After that no one can log in with ${provider}.`,
        `Create a new certificate at your identity provider, then ask ${name} for a new setup link${support(sender)} and upload the new metadata.`,
      ],
    },
  )
}

/** Notifies an endpoint's contact that its webhooks are turned off. */
export function webhookDisabledMail(
  sender: Sender,
  { email, endpoint, host }: { email: string; endpoint: string; host: string },
): DraftMail {
  const { name } = sender.organization.companyInfo
  return draftMail(sender, 'webhook-disabled', email, `Webhooks to ${host} are turned off`, {
    heading: 'Your webhooks are turned off',
    paragraphs: [
      `${host} has not accepted any webhook of ${name} for days, or has answered that it is gone. The endpoint "${endpoint}" is turned off.`,
      `Fix the receiver, then ask ${name}${support(sender)} to turn the endpoint on again. Events of the last 30 days are kept, and are sent then.`,
    ],
  })
}

/** Warns the owner that someone passed the first step and is guessing codes at the second. */
export function wrongCodesMail(
  sender: Sender,
  { email, at }: { email: string; at: number },
): DraftMail {
  const { name } = sender.organization.companyInfo
  return draftMail(sender, 'wrong-codes', email, `Wrong codes for your ${name} account`, {
    heading: 'Wrong codes after your first step',
    paragraphs: [
      `On ${utcTime(at)} someone completed the first step of a login to your ${name} account, for example with your password, and then entered several wrong codes.`,
      `If this was not you, reset your password now and contact us${support(sender)}.`,
    ],
    button: resetButton(sender, email),
  })
}

/** Notifies the owner of an account that another account wanted to change to this address. */
export function addressTakenMail(sender: Sender, { email }: { email: string }): DraftMail {
  const { name } = sender.organization.companyInfo
  return draftMail(sender, 'address-taken', email, `Your ${name} account`, {
    heading: 'You already have an account',
    paragraphs: [
      `Someone asked to use this address for another ${name} account. It belongs to your account, so nothing was changed.`,
      'If that was you, log in with this address, or choose another one. Otherwise you can ignore this email.',
    ],
    button: { text: 'Log in', href: pageLink(sender, '/login', { email }) },
  })
}

/** Notifies the owner of a changed address, at both addresses. The new one is masked. */
export function emailChangedMail(
  sender: Sender,
  { to, masked, at }: { to: string; masked: string; at: number },
): DraftMail {
  const { name } = sender.organization.companyInfo
  return draftMail(sender, 'email-changed', to, `The email address of your ${name} account`, {
    heading: 'Your email address was changed',
    paragraphs: [
      `Since ${utcTime(at)} you log in to ${name} with ${masked}. You were logged out everywhere else.`,
      `If this was not you, contact us now${support(sender)}.`,
    ],
  })
}

/** Notifies the owner of a download of the account's data. */
export function dataExportedMail(
  sender: Sender,
  { email, provider, at }: { email: string; provider?: string | undefined; at: number },
): DraftMail {
  const { name } = sender.organization.companyInfo
  const notYou = ifNotYou(sender, email, provider)
  return draftMail(sender, 'data-exported', email, `The data of your ${name} account`, {
    heading: 'Your data was downloaded',
    paragraphs: [`The data of your ${name} account was downloaded on ${utcTime(at)}.`, notYou.text],
    button: notYou.button,
  })
}

/** Notifies the owner that an operator views the account's pages. The reason stays in the audit log. */
export function accountViewedMail(
  sender: Sender,
  { email, at }: { email: string; at: number },
): DraftMail {
  const { name } = sender.organization.companyInfo
  const minutes = IMPERSONATION_MS / 60_000
  return draftMail(
    sender,
    'account-viewed',
    email,
    `Our support team viewed your ${name} account`,
    {
      heading: 'Our support team viewed your account',
      paragraphs: [
        `On ${utcTime(at)} a member of our support team opened the pages of your ${name} account to help you. They can read them for up to ${minutes} minutes, and cannot change or sign anything.`,
        `If you did not ask for help, contact us${support(sender)}.`,
      ],
    },
  )
}

/** A request for an act that needs a second operator, as described in mail, without the person it is about. */
interface MailedRequest {
  readonly email: string
  readonly act: ApprovableAct
  readonly requestUuid: string
}

/** Notifies an operator who may approve a request. */
export function approvalNeededMail(
  sender: Sender,
  request: MailedRequest & {
    /** The requester's address, or the service token's name. */
    readonly requestedBy: string
    /** The names of its organizations. */
    readonly organizations: string
    readonly expiresAt: number
  },
): DraftMail {
  const { act, requestedBy, organizations, expiresAt } = request
  return actRequestMail(sender, request, {
    subject: 'A request is waiting for your approval',
    paragraphs: [
      `${requestedBy} requested this in the operator console: ${ACT_TITLES[act]}, for ${organizations}.`,
      `Nothing has changed yet. You or another operator can approve or decline it until ${utcTime(expiresAt)}.`,
    ],
  })
}

/** Notifies the requester of a request's outcome. The operator's reason is on its page. */
export function requestDecidedMail(
  sender: Sender,
  request: MailedRequest & {
    readonly outcome: 'done' | 'failed' | 'declined' | 'expired' | 'interrupted'
    readonly decidedBy: string
  },
): DraftMail {
  const { act, outcome, decidedBy } = request
  const title = ACT_TITLES[act]
  const { subject, text } = {
    done: {
      subject: 'Your request was approved',
      text: `${decidedBy} approved your request in the operator console: ${title}. It is done.`,
    },
    failed: {
      subject: 'Your request could not be carried out',
      text: `${decidedBy} approved your request in the operator console: ${title}. It could not be carried out, and nothing has changed.`,
    },
    interrupted: {
      subject: 'Your request could not be carried out',
      text: `${decidedBy} approved your request in the operator console: ${title}. The server stopped before it was carried out, and nothing has changed. Request it again if it is still needed.`,
    },
    declined: {
      subject: 'Your request was declined',
      text: `${decidedBy} declined your request in the operator console: ${title}. Nothing has changed.`,
    },
    expired: {
      subject: 'Your request has expired',
      text: `No one approved or declined your request in the operator console in time: ${title}. Nothing has changed. Request it again if it is still needed.`,
    },
  }[outcome]
  return actRequestMail(sender, request, { subject, paragraphs: [text] })
}

function actRequestMail(
  sender: Sender,
  { email, requestUuid }: MailedRequest,
  { subject, paragraphs }: { readonly subject: string; readonly paragraphs: readonly string[] },
): DraftMail {
  return draftMail(sender, 'act-request', email, subject, {
    heading: subject,
    paragraphs,
    button: {
      text: 'Read the request',
      href: `${sender.pagesOrigin}${CONSOLE_PATH}/approvals/${requestUuid}`,
    },
  })
}

/** Confirms the deletion of the account and says what is kept. */
export function accountDeletedMail(
  sender: Sender,
  { email, at }: { email: string; at: number },
): DraftMail {
  const { name } = sender.organization.companyInfo
  return draftMail(sender, 'account-deleted', email, `Your ${name} account was deleted`, {
    heading: 'Your account was deleted',
    paragraphs: [
      `Your ${name} account was deleted on ${utcTime(at)}, and every session ended.`,
      'We keep what the law requires: the record of security events, without your name or address. Loan applications and agreements are kept by your lender for as long as the law requires.',
      `If this was not you, contact us now${support(sender)}.`,
    ],
  })
}

/** Invites a person to the passport of an entity or trust. It contains no text that the inviter typed. */
export function passportInvitationMail(
  sender: Sender,
  { email, inviter, path }: { email: string; inviter: string; path: string },
): DraftMail {
  const { name } = sender.organization.companyInfo
  const days = PASSPORT_INVITATION_LIFETIME_MS / DAY_MS
  return draftMail(
    sender,
    'passport-invitation',
    email,
    `You are invited to an investor passport`,
    {
      heading: 'Help complete an investor passport',
      paragraphs: [
        `${inviter} invited you to the investor passport of an organization at ${name}. As a member you can see its answers and help to fill them in.`,
        `Log in or register with this address (${email}) and accept the invitation within ${days} days. If you do not know who invited you, you can ignore this email.`,
      ],
      button: {
        text: 'See the invitation',
        href: pageLink(sender, '/login', { email, redirectUrl: path }),
      },
    },
  )
}

/** Without the organization's name and inviter, which anyone can choose. */
export function organizationInvitationMail(
  sender: Sender,
  { email }: { email: string },
): DraftMail {
  const { name } = sender.organization.companyInfo
  return draftMail(
    sender,
    'organization-invitation',
    email,
    `You were invited to an organization at ${name}`,
    {
      heading: 'You were invited to an organization',
      paragraphs: [
        `Someone added one of your wallet accounts at ${name} to an organization. It appears among your accounts only if you accept.`,
        'Accept only if you know who invited you. If you do not, decline the invitation or ignore this email.',
      ],
      button: {
        text: 'See your invitations',
        href: pageLink(sender, '/login', { email, redirectUrl: '/dashboard/accounts' }),
      },
    },
  )
}

/** The parts of a decision shown in mail, without the reviewer's words, which may repeat answers. */
interface DecidedPassport {
  readonly email: string
  readonly section: PassportSection
  /** The page of the passport. */
  readonly path: string
}

export function passportApprovedMail(sender: Sender, decided: DecidedPassport): DraftMail {
  const { name } = sender.organization.companyInfo
  return passportDecidedMail(sender, decided, {
    subject: `${name} approved your answers`,
    heading: 'Your answers are approved',
    paragraphs: [
      `${name} has reviewed your investor passport and approved: ${SECTION_TITLES[decided.section]}.`,
      'Your passport shows what is approved and whether anything is left to do.',
    ],
    button: 'Open your passport',
  })
}

export function passportReturnedMail(sender: Sender, decided: DecidedPassport): DraftMail {
  const { name } = sender.organization.companyInfo
  return passportDecidedMail(sender, decided, {
    subject: `${name} needs more from you`,
    heading: 'We need more from you',
    paragraphs: [
      `${name} has reviewed your investor passport and needs more for: ${SECTION_TITLES[decided.section]}.`,
      "Your passport shows the reviewer's message. Change or add your answers there and submit them again.",
    ],
    button: 'See what is missing',
  })
}

export function passportDeniedMail(sender: Sender, decided: DecidedPassport): DraftMail {
  const { name } = sender.organization.companyInfo
  return passportDecidedMail(sender, decided, {
    subject: `${name} could not approve your answers`,
    heading: 'We could not approve your answers',
    paragraphs: [
      `${name} has reviewed your investor passport and could not approve: ${SECTION_TITLES[decided.section]}.`,
      `Your passport shows the reason. If something is not right, you can change your answers and submit them again, or contact us${support(sender)}.`,
    ],
    button: 'See the reason',
  })
}

function passportDecidedMail(
  sender: Sender,
  { email, path }: DecidedPassport,
  texts: Pick<MailBody, 'heading' | 'paragraphs'> & { subject: string; button: string },
): DraftMail {
  const { subject, heading, paragraphs, button } = texts
  return draftMail(sender, 'passport-decided', email, subject, {
    heading,
    paragraphs,
    button: { text: button, href: pageLink(sender, '/login', { email, redirectUrl: path }) },
  })
}

/** What owners should do about activity that was not theirs. Accounts managed by a provider have no password here. */
function ifNotYou(
  sender: Sender,
  email: string,
  provider: string | undefined,
): { readonly text: string; readonly button: MailBody['button'] } {
  return provider === undefined
    ? {
        text: `If this was not you, reset your password now and contact us${support(sender)}.`,
        button: resetButton(sender, email),
      }
    : {
        text: `If this was not you, change your password at ${provider} now. Then contact the administrator of your organization, and us${support(sender)}.`,
        button: undefined,
      }
}

/**
 * Links to the page to set a new password, through an e-mailed code or the open session. Opening the link sends no code, because mail
 * scanners open links too.
 */
function resetButton(sender: Sender, email: string): NonNullable<MailBody['button']> {
  const redirectUrl = '/dashboard/security?change=password'
  const href = pageLink(sender, '/login', { email, otp: 'ask', redirectUrl })
  return { text: 'Reset your password', href }
}

/** A link to one of our pages with the brand of the mail, which also works in another browser. */
function pageLink(
  { organization: { orgCode, label }, pagesOrigin }: Sender,
  path: string,
  parameters: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({
    ...parameters,
    orgCode,
    ...(label === undefined ? {} : { label: label.code }),
  })
  return `${pagesOrigin}${ROUTER_BASE}${path}?${query}`
}

function draftMail(
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

function utcTime(at: number): string {
  return `${formatTime(at, { length: 'long', timeZone: 'UTC' })} UTC`
}

function support({ organization }: Sender): string {
  const { supportPhone, supportEmail } = organization.companyInfo
  return ` at ${formatPhone(supportPhone)} or ${supportEmail}`
}
