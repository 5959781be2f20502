/** Texts shared by several pages, and days in UTC. */

import type { Funnel } from '@portico/contracts/admin/insight'
import type { ResettableFactor } from '@portico/contracts/admin/people'
import type { OperatorRole } from '@portico/contracts/admin/permissions'
import { formatDate } from '@portico/rules/format'

/** A day in UTC, by its beginning: in the browser's time zone, it could be the day before. */
export const utcDayText = (at: number): string => formatDate(at, { timeZone: 'UTC' })

export const FUNNEL_TEXTS: Readonly<Record<Funnel, string>> = {
  'sign-in': 'Sign-in',
  registration: 'Registration',
  recovery: 'Recovery',
  wallet: 'Wallet connection',
  onboarding: 'Partner onboarding',
  passport: 'Passport',
}

export const FACTOR_TEXTS: Readonly<Record<ResettableFactor, string>> = {
  totp: 'Authenticator app',
  passkeys: 'Passkeys',
  phones: 'Phone numbers',
  email: 'Codes by email',
  questions: 'Recovery questions',
  'recovery-codes': 'Recovery codes',
}

/** The title and purpose of each role. */
export const ROLE_TEXTS: Readonly<Record<OperatorRole, { title: string; purpose: string }>> = {
  admin: { title: 'Administrator', purpose: 'everything, including operators and service tokens' },
  support: { title: 'Support', purpose: 'finds people and helps them back into their accounts' },
  reviewer: { title: 'Reviewer', purpose: 'reviews investor passports' },
  brand: { title: 'Brand manager', purpose: 'edits organizations, banners and experiments' },
  analyst: { title: 'Analyst', purpose: 'reads funnels, series and experiment results' },
  auditor: { title: 'Auditor', purpose: 'reads the audit log, people, insight and operations' },
}

/** An audit kind or a mail, such as `sign-in-refused` or `passcodeMail`, as readable text. */
export function kindText(kind: string): string {
  const words = kind
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[-._]/g, ' ')
    .toLowerCase()
    .replace(/^sign in /, 'sign-in ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
