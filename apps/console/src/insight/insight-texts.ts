import type { Device, SERIES } from '@portico/contracts/admin/insight'

export const DEVICE_TEXTS: Readonly<Record<Device, string>> = {
  phone: 'Phone',
  tablet: 'Tablet',
  desktop: 'Desktop',
}

const STEP_TEXTS: Readonly<Record<string, string>> = {
  'login-page': 'Opened the login page',
  'signed-in': 'Signed in',
  'signed-in-by-code': 'Signed in by code',
  'registration-page': 'Opened the registration',
  registered: 'Confirmed the address',
  'password-chosen': 'Chose a password',
  'password-set': 'Set a new password',
  'wallet-page': 'Opened the wallet page',
  'wallet-connected': 'Connected a wallet',
  'account-chosen': 'Chose an account',
  'onboarding-page': 'Came from a partner',
  onboarded: 'Finished onboarding',
  'passport-page': 'Opened the passport',
  'passport-created': 'Started a passport',
  'passport-submitted': 'Submitted the passport',
}

/** The default text of a step or count: `page-views` becomes 'Page views'. */
const plainText = (name: string) => {
  const words = name.replaceAll('-', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

export const stepText = (step: string): string => STEP_TEXTS[step] ?? plainText(step)

/** Errors without an error code of the server. */
const REASON_TEXTS: Readonly<Record<string, string>> = {
  unreachable: 'The server could not be reached.',
  'timed-out': 'The server did not respond in time.',
  unreadable: 'The response could not be read.',
  other: 'Another error',
}

/** The message that visitors saw, or a description. */
export const reasonText = ({ reason, message }: { reason: string; message: string }): string =>
  message || (REASON_TEXTS[reason] ?? plainText(reason))

const METRIC_TEXTS: Partial<Record<(typeof SERIES)[number], string>> = {
  problems: 'Errors shown',
  'new-device': 'Logins in a new browser',
  'sign-in-locked': 'Accounts locked',
  'sign-in-refused': 'Logins refused',
  'signed-in': 'Logins',
  registered: 'Registrations',
  'second-factor-refused': 'Second factors refused',
}

export const metricText = (metric: (typeof SERIES)[number]): string =>
  METRIC_TEXTS[metric] ?? plainText(metric)
