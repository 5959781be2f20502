import { fakeClient, refusal } from '@portico/client/testing'
import type { PageSession } from '@portico/contracts/page-data'
import { memoryStorage, pageData } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { EnvironmentContext } from '../environment.ts'
import { serverEnvironment } from '../server-environment.ts'
import { memoryJwt } from '../testing.tsx'
import { Logout } from './logout.tsx'

async function renderLogout(
  answer: unknown,
  disconnect: () => Promise<void> = () => Promise.resolve(),
  {
    session = null,
    isFromOtherSite = false,
    brokerLogout,
  }: { session?: PageSession | null; isFromOtherSite?: boolean; brokerLogout?: unknown } = {},
) {
  const { client, calls } = fakeClient({ logout: answer, logOutAgent: brokerLogout })
  const jwt = memoryJwt('Bearer jwt')
  const deviceStorage = memoryStorage({
    'last-gatekeeper-flow-request': '{}',
    'portico-hosted-wallet': '{}',
  })
  const storage = memoryStorage({ ownerWallet: 'tp1wallet' })
  const visited: string[] = []
  const reported: unknown[] = []
  const environment = {
    ...serverEnvironment,
    client,
    deviceStorage,
    jwt,
    loadModule: <Part,>(load: () => Promise<Part>) => load(),
    navigate: (to: string) => visited.push(to),
    reportError: (error: unknown) => reported.push(error),
    storage,
    wallet: { ...serverEnvironment.wallet, disconnect },
  }
  const { unmount } = await render(
    <EnvironmentContext value={environment}>
      <Logout page={pageData({ session, isFromOtherSite })} />
    </EnvironmentContext>,
  )
  return { calls, deviceStorage, jwt, storage, visited, reported, unmount }
}

test('2.2 /logout disconnects any connected wallet, calls logout, then redirects', async () => {
  let disconnects = 0
  const { calls, deviceStorage, jwt, storage, visited } = await renderLogout(
    undefined,
    async () => {
      disconnects += 1
    },
  )
  await expect.element(page.getByRole('heading', { name: 'Logging you out' })).toBeVisible()
  await expect.poll(() => visited).toEqual(['/auth/login'])
  expect([disconnects, jwt.read()]).toEqual([1, undefined])
  expect(calls).toEqual([{ name: 'logout' }])
  expect(deviceStorage.read('last-gatekeeper-flow-request')).toBeUndefined()
  expect(deviceStorage.read('portico-hosted-wallet')).toBeUndefined()
  expect(storage.read('ownerWallet')).toBeUndefined()
})

test('2.2 a wallet that fails to disconnect does not keep the user signed in', async () => {
  const error = new Error('no response')
  const { calls, visited, reported } = await renderLogout(undefined, () => Promise.reject(error))
  await expect.poll(() => visited).toEqual(['/auth/login'])
  expect(calls).toHaveLength(1)
  expect(reported).toEqual([error])
})

test.each([
  ['a rejected call', refusal('server-fault'), 0],
  ['a defect', new TypeError('broken'), 1],
])(
  '4.4 logout: after %s the jwt is removed anyway, and the page navigates to /auth/login',
  async (_, error, reports) => {
    const { jwt, visited, reported } = await renderLogout(error)
    await expect.poll(() => visited).toEqual(['/auth/login'])
    expect(jwt.read()).toBeUndefined()
    expect(reported).toHaveLength(reports)
  },
)

test('4.4 logout: a page that was left does not navigate', async () => {
  const pending = Promise.withResolvers<undefined>()
  const { calls, visited, unmount } = await renderLogout(pending.promise)
  await expect.poll(() => calls.length).toBe(1)
  await unmount()
  pending.resolve(undefined)
  await pending.promise
  expect(visited).toEqual([])
})

const AGENT: PageSession = {
  email: 'abel@brokers.example',
  organizationCode: 'FIGURE',
  organizationName: 'Figure',
  profileType: 'AGENT',
  signedInAt: 0,
  method: 'provider',
}

test('4.4 logout: another site’s link ends no session until the user agrees', async () => {
  const { calls, jwt, visited } = await renderLogout(undefined, undefined, {
    session: { ...AGENT, method: 'password' },
    isFromOtherSite: true,
  })
  await expect.element(page.getByRole('heading', { name: 'Do you want to log out?' })).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Stay logged in' }))
    .toHaveAttribute('href', '/dashboard')
  expect([calls, jwt.read()]).toEqual([[], 'Bearer jwt'])
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect.poll(() => visited).toEqual(['/auth/login'])
  expect(calls).toEqual([{ name: 'logout' }])
})

test('4.4 logout: the broker’s logout returns a redirect', async () => {
  const redirect = 'https://id.example/end'
  const { calls, jwt, visited } = await renderLogout(undefined, undefined, {
    session: AGENT,
    brokerLogout: { redirect },
  })
  await expect.poll(() => visited).toEqual([redirect])
  expect(calls.map(({ name }) => name)).toEqual(['logOutAgent'])
  expect(calls[0]?.headers).toMatchObject({ authorization: 'Bearer jwt' })
  expect(jwt.read()).toBeUndefined()
})

test('4.4 logout: if the broker’s logout fails, the session ends here and the page goes to /auth/login', async () => {
  const { calls, visited } = await renderLogout(undefined, undefined, {
    session: AGENT,
    brokerLogout: refusal('server-fault'),
  })
  await expect.poll(() => visited).toEqual(['/auth/login'])
  expect(calls.map(({ name }) => name)).toEqual(['logOutAgent', 'logout'])
})
