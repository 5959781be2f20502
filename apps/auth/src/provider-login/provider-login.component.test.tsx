import { fakeClient, refusal } from '@portico/client/testing'
import type { PageSession } from '@portico/contracts/page-data'
import { memoryStorage, pageData } from '@portico/shell/testing'
import { ToastProvider } from '@portico/ui/toast'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { EnvironmentContext } from '../environment.ts'
import { serverEnvironment } from '../server-environment.ts'
import { ProviderLogin } from './provider-login.tsx'

const SESSION: PageSession = {
  email: 'nils@northgale.example',
  organizationCode: 'NORTHGALE',
  organizationName: 'Northgale',
  profileType: 'CUSTOMER',
  signedInAt: 0,
  method: 'provider',
}

test('4.4 a login that is completed too late says so', async () => {
  const { client } = fakeClient({ redeemCustomerProviderLogin: refusal('code-used') })
  const storage = memoryStorage()
  storage.write('provider-login nonce', JSON.stringify({ userType: 'customer', search: '' }))
  const visited: string[] = []
  const navigate = (to: string) => void visited.push(to)
  await render(
    <EnvironmentContext value={{ ...serverEnvironment, client, storage, navigate }}>
      <ToastProvider>
        <ProviderLogin
          page={pageData({ session: SESSION })}
          query={new URLSearchParams('state=nonce')}
        />
      </ToastProvider>
    </EnvironmentContext>,
  )
  await expect.element(page.getByRole('heading', { name: 'You are not logged in' })).toBeVisible()
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('This login has expired. Please start again from the login page.')
  await expect
    .element(page.getByRole('link', { name: 'Go to the login page' }))
    .toHaveAttribute('href', '/auth/logout')
  expect(visited).toEqual([])
})

test('4.5 the second step that a login at a provider requires is asked for', async () => {
  const { client } = fakeClient({
    redeemCustomerProviderLogin: {
      twoFactorOptions: {
        loginUuid: 'login',
        aliases: [],
        emailFactorSupported: false,
        totpEnabled: true,
      },
    },
  })
  const environment = {
    ...serverEnvironment,
    client,
    storage: memoryStorage(),
    clock: () => 0,
    passkeys: { ...serverEnvironment.passkeys, supported: () => false },
  }
  const { getByRole, getByText } = await render(
    <EnvironmentContext value={environment}>
      <ToastProvider>
        <ProviderLogin
          page={pageData({ session: null })}
          query={new URLSearchParams('state=nonce')}
        />
      </ToastProvider>
    </EnvironmentContext>,
  )
  await expect.element(getByRole('dialog', { name: 'Two-step verification' })).toBeVisible()
  await expect
    .element(getByText('Enter the current code from your authenticator app.'))
    .toBeVisible()
})

test('4.4 Back from a login that connected an account continues with the session', async () => {
  const { client, calls } = fakeClient({ redeemCustomerProviderLogin: refusal('code-used') })
  const visited: string[] = []
  const environment = {
    ...serverEnvironment,
    client,
    storage: memoryStorage(),
    navigate: (to: string) => void visited.push(to),
  }
  await render(
    <EnvironmentContext value={environment}>
      <ToastProvider>
        <ProviderLogin
          page={pageData({ session: SESSION })}
          query={new URLSearchParams('state=nonce&step=link')}
        />
      </ToastProvider>
    </EnvironmentContext>,
  )
  await expect.poll(() => visited).toEqual(['/auth/login'])
  expect(calls.map(({ name }) => name)).toEqual(['redeemCustomerProviderLogin'])
})
