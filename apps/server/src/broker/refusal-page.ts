import { ROUTER_BASE } from '@portico/contracts/limits'
import { NOTICES } from '@portico/contracts/notices'
import type { FastifyReply } from 'fastify'
import type { BrandAppearance } from '../brands/brands.ts'
import { escapeHtml } from '../escape-html.ts'
import { referenceOf, sendPlainPage, supportSentence } from '../http/plain-page.ts'
import type { CompletedLogin } from './complete-login.ts'

type Refused = Extract<CompletedLogin, { kind: 'refused' }>

interface RefusalTexts {
  readonly status: number
  readonly heading: string
  readonly text: (provider: string) => string
  /** What the user can do besides starting over. */
  readonly options?: (provider: string) => readonly string[]
  /** Whether users without an account can register instead. */
  readonly canRegister?: true
}

const NO_ACCESS = 'You cannot log in with this account'

const TEXTS: Readonly<Record<Refused['reason'], RefusalTexts>> = {
  expired: {
    status: 410,
    heading: 'This login has expired or was already used',
    text: () => 'Please start again from the login page.',
  },
  'too-many-codes': {
    status: 429,
    heading: 'Too many codes were requested',
    text: () =>
      'We have already sent several codes to your email address. Please start again from the login page in ten minutes.',
  },
  declined: {
    status: 403,
    heading: 'You are not logged in',
    text: (provider) => `The login with ${provider} was not completed. You can try again.`,
  },
  unavailable: {
    status: 503,
    heading: 'The login is not available right now',
    text: (provider) => `We could not reach ${provider}. Please try again in a minute.`,
  },
  'invalid-answer': {
    status: 403,
    heading: 'We could not verify your login',
    text: (provider) =>
      `We could not verify the response of ${provider}. Please start again from the login page.`,
  },
  'other-email': {
    status: 403,
    heading: 'You used another email address',
    text: (provider) =>
      `The address that you entered on the login page is not the one that you use at ${provider}. Start again with the address that you use there.`,
  },
  'group-missing': {
    status: 403,
    heading: NO_ACCESS,
    text: (provider) =>
      `Your account at ${provider} has no access here. Ask the administrator of your organization for access.`,
  },
  'groups-omitted': {
    status: 403,
    heading: NO_ACCESS,
    text: (provider) =>
      `${provider} did not tell us which groups you belong to, so we could not check your access. Ask the administrator of your organization for help.`,
  },
  'left-directory': {
    status: 403,
    heading: NO_ACCESS,
    text: (provider) =>
      `Your access with ${provider} has ended. If you still need it, ask the administrator of your organization.`,
  },
  'unverified-email': {
    status: 403,
    heading: NO_ACCESS,
    text: (provider) =>
      `With ${provider} you can log in only with a confirmed email address of your organization. You used another one, for example a private address. You can do one of the following:`,
    options: (provider) => [
      `Log in to ${provider} with your address at the organization.`,
      `Log in here without ${provider}, with your password or a one-time passcode. If you have no account yet, register first.`,
      `If this is your address at the organization, ask its administrator to add your email domain to ${provider}.`,
    ],
    canRegister: true,
  },
  'managed-elsewhere': {
    status: 403,
    heading: NO_ACCESS,
    text: (provider) =>
      `Another organization manages the account with your email address, so it cannot be used with ${provider}. Log in the way you did before.`,
  },
  'other-organization': {
    status: 403,
    heading: 'Log in as you did before',
    text: (provider) =>
      `The account with your email address belongs to another company, so it cannot be connected to ${provider}. Log in with your password or a one-time passcode.`,
  },
  'other-user-type': {
    status: 403,
    heading: NO_ACCESS,
    text: (provider) =>
      `An account with your email address exists that cannot be used with ${provider}. Log in with your password or a one-time passcode instead.`,
  },
  locked: {
    status: 403,
    heading: 'Your account is locked',
    text: () => NOTICES.accountLocked,
  },
  protected: {
    status: 403,
    heading: 'Log in as you did before',
    text: (provider) =>
      `Your account asks for a second step, so it cannot be connected to ${provider} by email. Log in with your password and your second step.`,
  },
}

/** Says why the login was refused and what the user can do. The details are in the log. */
export function sendRefusalPage(
  reply: FastifyReply,
  { reason, provider, email }: Refused,
  { organization, css }: BrandAppearance,
): FastifyReply {
  const { status, heading, text, options, canRegister } = TEXTS[reason]
  const name = provider?.name ?? 'your organization'
  const { companyInfo, orgCode } = organization
  const { name: company, logoPath, darkLogoPath } = companyInfo
  const queryOf = (parameters: Readonly<Record<string, string>>) =>
    escapeHtml(new URLSearchParams({ ...parameters, orgCode }).toString())
  const query = queryOf({})
  // The address is the hint for the provider when the person chooses an account there.
  const loginQuery = queryOf(email === undefined ? {} : { email })
  const items = (options?.(name) ?? []).map((option) => `<li>${escapeHtml(option)}</li>`)
  return sendPlainPage(reply.code(status).header('cache-control', 'no-store'), {
    title: `${heading} | ${company}`,
    heading,
    brand: { css, name: company, logoPath, darkLogoPath },
    html: `<p>${escapeHtml(text(name))}</p>
${items.length === 0 ? '' : `<ul>${items.join('')}</ul>`}
<p><a href="${ROUTER_BASE}/login?${loginQuery}">Go to the login page</a></p>
${canRegister ? `<p><a href="${ROUTER_BASE}/register?${query}">Register</a></p>` : ''}
<p>${supportSentence(companyInfo)}</p>
${referenceOf(reply)}`,
  })
}
