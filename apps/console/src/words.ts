/** Times and numbers as operators read them, in the browser's language and time zone, and names that several pages show. */
import type { Funnel } from '@portico/contracts/admin/insight'

export const dateText = (at: number): string =>
  new Date(at).toLocaleDateString(undefined, { dateStyle: 'medium' })

export const timeText = (at: number): string =>
  new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })

export const numberText = (value: number): string => value.toLocaleString()

export const percentText = (share: number, digits = 1): string =>
  share.toLocaleString(undefined, {
    style: 'percent',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })

export const FUNNEL_WORDS: Readonly<Record<Funnel, string>> = {
  'sign-in': 'Sign-in',
  registration: 'Registration',
  recovery: 'Recovery',
  wallet: 'Wallet connection',
  onboarding: 'Partner onboarding',
  passport: 'Passport',
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
