import type { PageSession } from '@portico/contracts/page-data'

/** Display text for each sign-in method. */
export const METHOD_LABELS = {
  password: 'with a password',
  passcode: 'with a one-time passcode',
  passkey: 'with a passkey',
  provider: 'with the login of your organization',
  operator: 'by our support team, without the right to change anything',
} as const satisfies Record<PageSession['method'], string>
