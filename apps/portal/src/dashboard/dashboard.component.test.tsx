import { ApiError } from '@portico/client/api-error'
import { fakeClient } from '@portico/client/testing'
import type { PageSession } from '@portico/contracts/page-data'
import { pageData } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { type Environment, EnvironmentContext } from '../environment.ts'
import { serverEnvironment } from '../server-environment.ts'
import { Dashboard } from './dashboard.tsx'

const SESSION: PageSession = {
  email: 'ada@example.com',
  organizationCode: 'FIGURE',
  organizationName: 'Figure',
  profileType: 'CUSTOMER',
  signedInAt: 0,
  method: 'passcode',
}

const LOGIN = '/auth/login?redirectUrl=%2Fdashboard%3Fa%3Db'

const warning = page.getByText('We could not reach the server')
const retry = page.getByRole('button', { name: 'Try again' })

async function showDashboard(answers: Record<string, unknown> = {}) {
  const { client, calls } = fakeClient(answers)
  const redirects: string[] = []
  const reported: unknown[] = []
  const listeners = new Set<(stored: boolean) => void>()
  const environment: Environment = {
    ...serverEnvironment,
    client,
    hasWalletConnection: () => false,
    jwt: {
      ...serverEnvironment.jwt,
      watch(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
    replace: (to) => redirects.push(to),
    reportError: (error) => reported.push(error),
  }
  const { unmount } = await render(
    <EnvironmentContext value={environment}>
      <Dashboard page={pageData({ path: '/dashboard', query: 'a=b' })} session={SESSION} />
    </EnvironmentContext>,
  )
  await expect.poll(() => calls).toHaveLength(1)
  return {
    calls,
    redirects,
    reported,
    listeners,
    unmount,
    /** Another tab stores or removes the token. */
    changeToken(stored: boolean) {
      for (const listener of listeners) listener(stored)
    },
  }
}

const rejected = (status: number) =>
  new ApiError('refused', 'No', { response: new Response(null, { status }) })

test('2.1 the page shows who is signed in, since when and how, and offers to log out', async () => {
  const { calls, redirects } = await showDashboard()
  await expect.element(page.getByText('ada@example.com')).toBeVisible()
  await expect.element(page.getByText(/with a one-time passcode$/)).toBeVisible()
  await expect
    .element(page.getByRole('time'))
    .toHaveAttribute('datetime', '1970-01-01T00:00:00.000Z')
  for (const [name, href] of [
    ['Log out', '/auth/logout'],
    ['Security How you sign in, and where you are signed in.', '/dashboard/security'],
  ] as const) {
    await expect.element(page.getByRole('link', { name })).toHaveAttribute('href', href)
  }
  await expect.element(warning).not.toBeInTheDocument()
  expect([calls, redirects]).toEqual([[{ name: 'readIdentity' }], []])
})

test.each([
  ['401', rejected(401)],
  ["403 'Unauthenticated'", rejected(403)],
])('2.2 a user with a token that is refused with %s logs in and returns here', async (_, error) => {
  const { redirects } = await showDashboard({ readIdentity: error })
  await expect.poll(() => redirects).toEqual([LOGIN])
  await expect.element(warning).not.toBeInTheDocument()
})

test.each([
  ['a server error, which is reported,', rejected(500), 1],
  ['no response', new ApiError('unreachable', 'Error fetching'), 0],
])(
  '4.4 with %s the page stays, says that it may be out of date, and can retry',
  async (_, error, reports) => {
    const answers: Record<string, unknown> = { readIdentity: error }
    const { calls, redirects, reported } = await showDashboard(answers)
    await expect.element(warning).toBeVisible()
    expect(reported).toHaveLength(reports)
    delete answers['readIdentity']
    await retry.click()
    await expect.element(warning).not.toBeInTheDocument()
    expect([calls.length, redirects]).toEqual([2, []])
  },
)

test('2.1 logging out in one tab logs the other out at once; a new token does not', async () => {
  const { changeToken, listeners, redirects, unmount } = await showDashboard()
  changeToken(true)
  expect(redirects).toEqual([])
  changeToken(false)
  expect(redirects).toEqual([LOGIN])
  await unmount()
  expect(listeners.size).toBe(0)
})
