import { passportPath } from '@portico/rules/gatekeeper'
import { expect, test } from 'vitest'
import { passportRouteOf, passportTitle } from './passport-routes.ts'

const passportUuid = '6f0d9f5e-3b0c-4a7e-9c53-0d5f0a6f4f11'

test.each([
  { page: 'landing' },
  { page: 'type-of-investor' },
  { page: 'resume', passportUuid },
  { page: 'add-member', passportUuid },
] as const)('4.10 every page that the gatekeeper names exists: $page', (to) => {
  const route = passportRouteOf(passportPath(to))
  expect(route).toEqual(to)
  expect(route && passportTitle(route)).not.toBe('')
})

test.each([
  '/universal-passport/',
  '/universal-passport/onboarding',
  '/universal-passport/onboarding/../resume',
  `/universal-passport/onboarding/${passportUuid}x/resume`,
  `/universal-passport/group-manager/${passportUuid}`,
  '/dashboard',
])('2.1 %s is not a page of the passport', (path) => {
  expect(passportRouteOf(path)).toBeUndefined()
})
