import { expect, test } from 'vitest'
import { titleOf } from './routes.ts'

test('2.1 the portal has a dashboard and a security page, and nothing else', () => {
  expect(titleOf('/dashboard')).toBe('Dashboard')
  expect(titleOf('/dashboard/security')).toBe('Security')
  expect(titleOf('/dashboard/nowhere')).toBeUndefined()
  expect(titleOf('toString')).toBeUndefined()
})
