import { fakeClient } from '@portico/client/testing'
import type { PageSession } from '@portico/contracts/page-data'
import { pageData } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { EnvironmentContext } from '../environment.ts'
import { serverEnvironment } from '../server-environment.ts'
import { memoryJwt } from '../testing.tsx'
import { ConfirmLogin } from './confirm-login.tsx'

const SESSION: PageSession = {
  email: 'ada@example.com',
  organizationCode: 'FIGURE',
  organizationName: 'Figure',
  profileType: 'CUSTOMER',
  signedInAt: 0,
  method: 'password',
}

async function renderConfirmLogin(
  overview: object,
  { session = SESSION, token = 'Bearer jwt' }: { session?: PageSession; token?: string } = {},
) {
  const { client, calls } = fakeClient({
    readSecurity: {
      confirmWith: { change: ['password', 'totp', 'passcode'], payment: [] },
      sessions: [],
      ...overview,
    },
  })
  const visited: string[] = []
  const environment = {
    ...serverEnvironment,
    client,
    jwt: memoryJwt(token === '' ? undefined : token),
    location: () => new URL('https://login.example/auth/confirm?redirectUrl=/oidc/interaction/i'),
    navigate: (to: string) => visited.push(to),
    reportError: () => undefined,
  }
  const query = new URLSearchParams({ redirectUrl: '/oidc/interaction/i' })
  await render(
    <EnvironmentContext value={environment}>
      <ConfirmLogin page={pageData({ session })} query={query} />
    </EnvironmentContext>,
  )
  return { calls, visited }
}

test('a user who logged in with a password enters another proof and returns to the application', async () => {
  const { calls, visited } = await renderConfirmLogin({})
  await expect.element(page.getByText(/^The application requires a second factor\./)).toBeVisible()
  await expect.element(page.getByRole('button', { name: /password/ })).not.toBeInTheDocument()
  await userEvent.keyboard('123456')
  await expect.poll(() => visited).toEqual(['/oidc/interaction/i'])
  expect(calls).toContainEqual({ name: 'confirmIdentity', body: { totp: '123456' } })
})

test('a user without another proof learns where to add one', async () => {
  await renderConfirmLogin(
    { confirmWith: { change: ['passcode'], payment: [] } },
    { session: { ...SESSION, method: 'passcode' } },
  )
  await expect
    .element(page.getByRole('link', { name: 'Go to your security settings' }))
    .toHaveAttribute('href', '/dashboard/security')
})

test('without the stored token the user logs in first and returns', async () => {
  const { visited } = await renderConfirmLogin({}, { token: '' })
  await expect
    .poll(() => visited)
    .toEqual([
      `/auth/login?redirectUrl=${encodeURIComponent('/auth/confirm?redirectUrl=/oidc/interaction/i')}`,
    ])
})
