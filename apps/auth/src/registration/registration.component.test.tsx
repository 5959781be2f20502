import { fakeClient } from '@portico/client/testing'
import { memoryStorage, pageData } from '@portico/shell/testing'
import { ToastProvider } from '@portico/ui/toast'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { EnvironmentContext } from '../environment.ts'
import { serverEnvironment } from '../server-environment.ts'
import { Registration } from './registration.tsx'

const email = 'ada@example.com'

test('4.6 "Resend code" registers again, because a registration expires sooner than an open page', async () => {
  const { client, calls } = fakeClient({ register: { jwt: 'begun' }, sendToken: { uuid: 'uuid' } })
  const environment = {
    ...serverEnvironment,
    client,
    clock: () => 0,
    storage: memoryStorage(),
    wait: async () => undefined,
    reportError: (error: unknown) => {
      throw error
    },
  }
  await render(
    <EnvironmentContext value={environment}>
      <ToastProvider>
        <Registration page={pageData()} query={new URLSearchParams()} />
      </ToastProvider>
    </EnvironmentContext>,
  )
  await page.getByLabelText('Email').fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Resend code' }).click()
  await expect.element(page.getByText('Code successfully resent.').first()).toBeVisible()
  const sent = [
    { name: 'register', body: { email } },
    { name: 'sendToken', body: { email }, headers: { authorization: 'Bearer begun' } },
  ]
  expect(calls).toEqual([...sent, ...sent])
})
