import { expect, test } from 'vitest'
import { titleOf, transactionOf, transactionPath } from './routes.ts'

test('2.1 the portal has a dashboard, a security page and a page per transaction, and nothing else', () => {
  expect(titleOf('/dashboard')).toBe('Dashboard')
  expect(titleOf('/dashboard/security')).toBe('Security')
  expect(titleOf('/dashboard/nowhere')).toBeUndefined()
  expect(titleOf('toString')).toBeUndefined()
  const hash = 'A1'.repeat(32)
  expect(titleOf(transactionPath(hash))).toBe('Transaction')
  expect(transactionOf(transactionPath(hash.toLowerCase()))).toBe(hash)
  for (const path of ['A1', `${hash}0`, '../security', `${hash}/x`]) {
    expect(titleOf(transactionPath(path))).toBeUndefined()
  }
})
