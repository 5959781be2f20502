import type { PageSession } from '@portico/contracts/page-data'
import { pageData } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { EnvironmentContext } from '../environment.ts'
import { serverEnvironment } from '../server-environment.ts'
import { memoryJwt, renderStatic } from '../testing.tsx'
import { LoginEntry } from './login-entry.tsx'

const session: PageSession = {
  email: 'ada@example.com',
  organizationCode: 'FIGURE',
  organizationName: 'Figure',
  profileType: 'CUSTOMER',
  signedInAt: 0,
  method: 'password',
}

function entry(query: string, stored: string | undefined, signedIn: PageSession | null = session) {
  const environment = { ...serverEnvironment, jwt: memoryJwt(stored) }
  return renderStatic(
    <EnvironmentContext value={environment}>
      <LoginEntry page={pageData({ session: signedIn })} query={new URLSearchParams(query)} />
    </EnvironmentContext>,
  ).text
}

test('4.4 the login form is never shown before a redirect', () => {
  expect(entry('', 'Bearer jwt')).toBe('One moment…')
  expect(entry('email=bob@example.com', 'Bearer jwt')).toBe('One moment…')
  expect(entry('', undefined)).toBe('One moment…')
  expect(entry('', undefined, null)).toContain('Log in to Figure')
})
