import { expect, test } from 'vitest'
import { documentTitle, routeOf, transactionOf, transactionPath } from './routes.ts'

test('2.1 every page of the portal has a title and belongs to an entry of the navigation', () => {
  const pages = [
    ['/dashboard', 'Home', 'home'],
    ['/dashboard/accounts', 'Accounts', 'accounts'],
    ['/dashboard/wallet', 'Wallet', 'accounts'],
    ['/universal-passport', 'Passport', 'passport'],
    ['/dashboard/activity', 'Activity', 'activity'],
    ['/dashboard/security', 'Security', 'security'],
  ] as const
  for (const [path, title, section] of pages) expect(routeOf(path)).toEqual({ title, section })
  expect(routeOf('/dashboard/nowhere')).toBeUndefined()
  expect(routeOf('toString')).toBeUndefined()
  expect(documentTitle('/dashboard', 'Figure')).toBe('Home | Figure')
  expect(documentTitle('/nowhere', 'Figure')).toBe('Page not found | Figure')
})

test('2.1 every transaction has a page', () => {
  const hash = 'A1'.repeat(32)
  expect(routeOf(transactionPath(hash))).toEqual({ title: 'Transaction', section: 'activity' })
  expect(transactionOf(transactionPath(hash.toLowerCase()))).toBe(hash)
  for (const path of ['A1', `${hash}0`, '../security', `${hash}/x`]) {
    expect(routeOf(transactionPath(path))).toBeUndefined()
  }
})
