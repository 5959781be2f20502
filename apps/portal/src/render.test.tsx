import type { PageData, PageSession } from '@portico/contracts/page-data'
import { pageData, textOf } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { render } from './render.tsx'

const session: PageSession = {
  email: 'ada@example.com',
  organizationCode: 'FIGURE',
  organizationName: 'Figure',
  profileType: 'CUSTOMER',
  signedInAt: 0,
  method: 'password',
}

function rendered(page: PageData) {
  const answer = render(page)
  if ('redirect' in answer) throw new Error(`A redirect to ${answer.redirect}`)
  return answer
}

test.each([
  ['/dashboard', 'Home'],
  ['/dashboard/accounts', 'Accounts'],
  ['/dashboard/wallet', 'Wallet'],
  ['/universal-passport', 'Passport'],
  ['/dashboard/activity', 'Activity'],
  ['/dashboard/security', 'Security'],
  [`/dashboard/transactions/${'a1'.repeat(32)}`, 'Transaction'],
])('2.1 %s is rendered by the server, with navigation and its heading', (path, title) => {
  const { html, ...answer } = rendered(pageData({ path, session }))
  expect(answer).toEqual({ title: `${title} | Figure`, status: 200 })
  expect(html).toMatch(new RegExp(`<h1[^>]*>${title}</h1>`))
  expect(html).toContain('href="/universal-passport"')
  // A user without scripts can log out too.
  expect(html).toContain('href="/auth/logout"')
})

test.each([
  ['/dashboard/', '', '/dashboard'],
  ['/universal-passport//', 'label=apollo', '/universal-passport?label=apollo'],
  ['/dashboard/security/', 'change=password', '/dashboard/security?change=password'],
])('2.1 %s with the query %j redirects to %s', (path, query, redirect) => {
  expect(render(pageData({ path, query, session }))).toEqual({ redirect })
})

test('an unknown path is a 404; with a session, inside the application', () => {
  expect(rendered(pageData({ path: '/dashboard/nowhere/', session })).status).toBe(404)
  const signedIn = rendered(pageData({ path: '/dashboard/nowhere', session }))
  expect([signedIn.status, signedIn.title]).toEqual([404, 'Page not found | Figure'])
  expect(textOf(signedIn.html)).toContain('Go to your dashboard')
  expect(signedIn.html).toContain('href="/dashboard/accounts"')
})

test('without a session nothing of the application is rendered', () => {
  const { html, status, title } = rendered(pageData({ path: '/dashboard' }))
  expect([status, title]).toEqual([404, 'Page not found | Figure'])
  expect(textOf(html)).toContain('Go to the login page')
  expect(html).not.toContain('href="/dashboard/accounts"')
})
