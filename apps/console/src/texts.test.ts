import { formatDate } from '@portico/rules/format'
import { afterEach, expect, test, vi } from 'vitest'
import { utcDayText } from './texts.ts'

afterEach(() => vi.unstubAllEnvs())

test('7.8 a day that was counted in UTC is the same day in every time zone', () => {
  vi.stubEnv('TZ', 'America/New_York')
  const day = Date.UTC(2026, 10, 24)
  expect(formatDate(day)).toBe('Nov 23, 2026')
  expect(utcDayText(day)).toBe('Nov 24, 2026')
})
