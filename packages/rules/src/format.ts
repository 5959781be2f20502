/**
 * Dates, times and numbers as users read them. Every page and mail is in English, so that the browser's language, calendar and
 * digits must not appear in them. Other code does not format with `toLocale…` or `Intl`; the check refuses it.
 */
const LOCALE = 'en-US-u-ca-gregory-nu-latn'

/** A point in time: epoch milliseconds or an ISO 8601 text. */
type Time = number | string

interface Zone {
  /** The time zone; by default the user's. The server names one. */
  readonly timeZone?: 'UTC'
}

/** A day: 'Nov 23, 2026', or 'November 23, 2026'. */
export function formatDate(
  at: Time,
  { length = 'medium', ...zone }: Zone & { readonly length?: 'medium' | 'long' } = {},
): string {
  return format(at, { dateStyle: length, ...zone })
}

/** A day and time: 'Nov 23, 2026, 10:42 AM', or 'November 23, 2026 at 10:42 AM'. */
export function formatTime(
  at: Time,
  { length = 'medium', ...zone }: Zone & { readonly length?: 'medium' | 'long' } = {},
): string {
  return format(at, { dateStyle: length, timeStyle: 'short', ...zone })
}

/** A day and time with seconds: 'November 23, 2026 at 10:42:31 AM'. */
export function formatExactTime(at: Time): string {
  return format(at, { dateStyle: 'long', timeStyle: 'medium' })
}

/** A time of day: '10:42 AM'. */
export function formatTimeOfDay(at: Time): string {
  return format(at, { timeStyle: 'short' })
}

/** A number: '1,234.5'. */
export function formatNumber(
  value: number | bigint,
  { digits = 3 }: { readonly digits?: number } = {},
): string {
  return new Intl.NumberFormat(LOCALE, { maximumFractionDigits: digits }).format(value)
}

/** A share of one: '12.5%'. */
export function formatPercent(share: number, digits = 1): string {
  return new Intl.NumberFormat(LOCALE, {
    style: 'percent',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(share)
}

/** The name of a country, from its ISO 3166 code: 'Switzerland'. */
export function countryName(code: string): string {
  return new Intl.DisplayNames(LOCALE, { type: 'region' }).of(code) ?? code
}

function format(at: Time, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(LOCALE, options).format(new Date(at))
}

/** The user's time zone: 'America/New_York'. */
export function userTimeZone(): string {
  return new Intl.DateTimeFormat(LOCALE).resolvedOptions().timeZone
}
