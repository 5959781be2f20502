import { afterEach, expect, test } from 'vitest'
import {
  countryName,
  formatDate,
  formatExactTime,
  formatNumber,
  formatPercent,
  formatTime,
  formatTimeOfDay,
} from './format.ts'

const AT = Date.UTC(2026, 10, 23, 15, 42, 31)
const UTC = { timeZone: 'UTC' } as const

const { DateTimeFormat, NumberFormat } = Intl
afterEach(() => Object.assign(Intl, { DateTimeFormat, NumberFormat }))

test.each(['ar-EG', 'th-TH', 'fa-IR', 'ja-JP-u-ca-japanese'])(
  'a browser in %s gets English dates and numbers, in the Gregorian calendar',
  (language) => {
    // The default of a browser applies where code names no locale.
    Object.assign(Intl, {
      DateTimeFormat: function (locale: string = language, options = {}) {
        return new DateTimeFormat(locale, options)
      },
      NumberFormat: function (locale: string = language, options = {}) {
        return new NumberFormat(locale, options)
      },
    })
    expect(formatDate(AT, UTC)).toBe('Nov 23, 2026')
    expect(formatDate('2026-11-23', { length: 'long', ...UTC })).toBe('November 23, 2026')
    expect(formatTime(AT, UTC)).toBe('Nov 23, 2026, 3:42 PM')
    expect(formatTime(AT, { length: 'long', ...UTC })).toBe('November 23, 2026 at 3:42 PM')
    expect(formatExactTime(AT)).toMatch(/^November 23, 2026 at \d+:42:31 [AP]M$/)
    expect(formatTimeOfDay(AT)).toMatch(/^\d+:42 [AP]M$/)
    expect(formatNumber(1234567.89)).toBe('1,234,567.89')
    expect(formatNumber(12.345, { digits: 1 })).toBe('12.3')
    expect(formatNumber(10n ** 20n)).toBe('100,000,000,000,000,000,000')
    expect(formatPercent(0.125)).toBe('12.5%')
    expect(countryName('CH')).toBe('Switzerland')
  },
)
