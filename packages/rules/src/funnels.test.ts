import { expect, test } from 'vitest'
import { funnelOfPath, isCompleted, marksOfAudit, marksOfEvent, reachedSteps } from './funnels.ts'

const view = (pagePath: string) => marksOfEvent({ event: 'page_view', pagePath })
const registerAt = (pagePath: string) => marksOfEvent({ event: 'register', pagePath })
const audit = (kind: string, method?: string) => marksOfAudit(kind, method)
const visit = (...marks: number[]) => marks.reduce((all, each) => all | each, 0)

test.each([
  ['nothing', visit(), {}],
  ['the login page', visit(view('/auth/login')), { 'sign-in': 1, recovery: 1 }],
  [
    'a login by password',
    visit(view('/auth/login'), audit('signed-in', 'password')),
    { 'sign-in': 2, recovery: 1 },
  ],
  ['a login without its page', visit(audit('signed-in', 'password')), {}],
  [
    'a forgotten password',
    visit(view('/auth/login'), audit('signed-in', 'passcode'), audit('password-set')),
    { 'sign-in': 2, recovery: 3 },
  ],
  [
    'a registration, which is no recovery',
    visit(
      view('/auth/login'),
      view('/auth/register'),
      audit('registered'),
      audit('signed-in', 'passcode'),
      audit('password-set'),
      registerAt('/auth/register'),
    ),
    { 'sign-in': 2, registration: 3 },
  ],
  [
    'a partner’s borrower',
    visit(
      view('/auth/credit-karma/register'),
      audit('signed-in', 'passcode'),
      registerAt('/auth/credit-karma/register'),
    ),
    { onboarding: 3 },
  ],
  [
    'a wallet',
    visit(
      view('/auth/wallet/create-wallet'),
      audit('hosted-account-made'),
      audit('account-chosen'),
    ),
    { wallet: 3 },
  ],
  [
    'a chosen account without a connection',
    visit(view('/auth/wallet'), audit('account-chosen')),
    { wallet: 1 },
  ],
  [
    'a passport',
    visit(view('/universal-passport/onboarding/*/resume'), audit('passport-created')),
    { passport: 2 },
  ],
])('7.8 a visit with %s', (_, marks, expected) => {
  const none = { 'sign-in': 0, registration: 0, recovery: 0, wallet: 0, onboarding: 0, passport: 0 }
  expect(reachedSteps(marks)).toEqual({ ...none, ...expected })
})

test('7.8 only known pages and kinds count', () => {
  expect(view('/auth/login-other')).toBe(0)
  expect(view('/dashboard')).toBe(0)
  expect(marksOfEvent({ event: 'other', pagePath: '/auth/login' })).toBe(0)
  expect(audit('constructor')).toBe(0)
  expect(audit('signed-out')).toBe(0)
  expect(funnelOfPath('/auth/register')).toBe('registration')
  expect(funnelOfPath('/dashboard')).toBeUndefined()
  expect(isCompleted('registration', 3)).toBe(true)
  expect(isCompleted('registration', 2)).toBe(false)
})
