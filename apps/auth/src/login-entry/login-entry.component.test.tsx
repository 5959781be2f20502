import { fakeClient, refusal } from '@portico/client/testing'
import type { PageData, PageSession } from '@portico/contracts/page-data'
import { memoryStorage, pageData } from '@portico/shell/testing'
import { ToastProvider } from '@portico/ui/toast'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { EnvironmentContext } from '../environment.ts'
import { serverEnvironment } from '../server-environment.ts'
import { memoryJwt } from '../testing.tsx'
import { LoginEntry } from './login-entry.tsx'

const SESSION: PageSession = {
  email: 'ada@example.com',
  organizationCode: 'FIGURE',
  organizationName: 'Figure',
  profileType: 'CUSTOMER',
  signedInAt: 0,
  method: 'password',
}

const heading = page.getByRole('heading', { name: 'Log in to Figure' })

async function renderEntry(
  query: string,
  { session = SESSION, logout, ...data }: Partial<PageData> & { logout?: unknown } = {},
) {
  const { client, calls } = fakeClient({ logout })
  const jwt = memoryJwt(session === null ? undefined : 'Bearer jwt')
  const visited = new Set<string>()
  const reported: unknown[] = []
  const exposed: string[] = []
  const deviceStorage = memoryStorage({ 'last-gatekeeper-flow-request': '{}' })
  const storage = memoryStorage({ ownerWallet: 'tp1wallet' })
  const environment = {
    ...serverEnvironment,
    client,
    deviceStorage,
    jwt,
    storage,
    recordExposure: (key: string) => exposed.push(key),
    // The pointer may already be above the form.
    botCheck: { ...serverEnvironment.botCheck, prepare: () => undefined },
    location: () => new URL('https://lender.example/auth/login#terms'),
    navigate: (to: string) => visited.add(to),
    reportError: (error: unknown) => reported.push(error),
    wallet: {
      ...serverEnvironment.wallet,
      open: (to: string) => visited.add(`wallet, then ${to}`),
      disconnect: async () => void visited.add('disconnected'),
    },
  }
  await render(
    <EnvironmentContext value={environment}>
      <ToastProvider>
        <LoginEntry page={pageData({ session, ...data })} query={new URLSearchParams(query)} />
      </ToastProvider>
    </EnvironmentContext>,
  )
  return { calls, deviceStorage, exposed, jwt, reported, storage, visited }
}

test('4.4 without a session the login page is shown', async () => {
  const { calls, visited } = await renderEntry('', { session: null })
  await expect.element(heading).toBeVisible()
  expect([calls, visited.size]).toEqual([[], 0])
})

test('7.8 the login page exposes the experiments that decide it', async () => {
  const { exposed } = await renderEntry('', {
    session: null,
    loginExperiments: ['broker-customer-login'],
  })
  await expect.element(heading).toBeVisible()
  // The server counts a visitor once, so the page may say it again.
  await expect.poll(() => [...new Set(exposed)]).toEqual(['broker-customer-login'])
})

test.each([
  ['answers', undefined, 0],
  ['is rejected', refusal('server-fault'), 0],
  ['fails', new TypeError('broken'), 1],
])(
  '4.4 logging out first removes the stored jwt, then the login page is shown when the call %s',
  async (_, logout, reports) => {
    const { calls, jwt, reported } = await renderEntry('flow=new-user', { logout })
    await expect.element(heading).toBeVisible()
    expect(jwt.read()).toBeUndefined()
    expect(calls).toEqual([{ name: 'logout' }])
    expect(reported).toHaveLength(reports)
  },
)

test('4.4 logging out first removes everything of the previous user from the browser', async () => {
  const { deviceStorage, storage, visited } = await renderEntry('email=other@example.com')
  await expect.element(heading).toBeVisible()
  expect(deviceStorage.read('last-gatekeeper-flow-request')).toBeUndefined()
  expect(storage.read('ownerWallet')).toBeUndefined()
  expect([...visited]).toEqual(['disconnected'])
})

test('4.4 the login page is not shown until the session has ended', async () => {
  const pending = Promise.withResolvers<undefined>()
  await renderEntry('flow=new-user', { logout: pending.promise })
  await expect.element(page.getByText('One moment…')).toBeVisible()
  expect(heading.query()).toBeNull()
  pending.resolve(undefined)
  await expect.element(heading).toBeVisible()
})

test.each([
  ['redirectUrl=/loans', '/loans#terms'],
  ['redirectUrl=/loans&walletconnect=true', 'wallet, then /loans#terms'],
])('4.4 otherwise navigate to the redirect target: %s', async (query, to) => {
  const { calls, visited } = await renderEntry(query)
  await expect.poll(() => [...visited]).toEqual([to])
  await expect.element(page.getByText('One moment…')).toBeVisible()
  expect(calls).toEqual([])
})
