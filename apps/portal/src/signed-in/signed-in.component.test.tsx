import { ApiError } from '@portico/client/api-error'
import { fakeClient, refusal } from '@portico/client/testing'
import type { PageSession } from '@portico/contracts/page-data'
import { memoryStorage, pageData } from '@portico/shell/testing'
import { ToastProvider } from '@portico/ui/toast'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ActingAccountProvider } from '../acting-account/acting-account.tsx'
import { type Environment, EnvironmentContext } from '../environment.ts'
import { serverEnvironment } from '../server-environment.ts'
import { SignedIn } from './signed-in.tsx'

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

async function showPage(
  answers: Record<string, unknown> = {},
  path = '/dashboard',
  session = SESSION,
) {
  answers['readAccounts'] ??= []
  const { client, calls } = fakeClient(answers)
  const network = new EventTarget()
  let isOnline = true
  const redirects: string[] = []
  const reported: unknown[] = []
  const listeners = new Set<(stored: boolean) => void>()
  const environment: Environment = {
    ...serverEnvironment,
    client,
    hasWalletConnection: () => false,
    storage: memoryStorage(),
    watchIdentityToken: () => () => undefined,
    network: {
      isOnline: () => isOnline,
      watch(listener) {
        network.addEventListener('change', listener)
        return () => network.removeEventListener('change', listener)
      },
    },
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
  const at = (path: string) => (
    <EnvironmentContext value={environment}>
      <ToastProvider>
        <ActingAccountProvider here={path}>
          <SignedIn page={pageData({ path })} session={session} here={{ path, query: 'a=b' }}>
            <h1>Page</h1>
          </SignedIn>
        </ActingAccountProvider>
      </ToastProvider>
    </EnvironmentContext>
  )
  const { unmount, rerender } = await render(at(path))
  await expect.poll(() => verifications(calls)).toBe(1)
  return {
    verifications: () => verifications(calls),
    redirects,
    reported,
    listeners,
    unmount,
    open: (path: string) => rerender(at(path)),
    /** The browser goes online or offline. */
    connect(online: boolean) {
      isOnline = online
      network.dispatchEvent(new Event('change'))
    },
    /** Another tab stores or removes the token. */
    changeToken(stored: boolean) {
      for (const listener of listeners) listener(stored)
    },
  }
}

const verifications = (calls: readonly { name: string }[]) =>
  calls.filter(({ name }) => name === 'readIdentity').length

const rejected = (status: number) =>
  new ApiError('refused', 'No', { response: new Response(null, { status }) })

test('2.1 the account menu shows who is signed in, when and how they signed in, and a logout link', async () => {
  const { redirects } = await showPage()
  const opener = page.getByRole('button', { name: 'Your account, ada@example.com' })
  await expect.element(page.getByText(/with a one-time passcode$/)).not.toBeVisible()
  await opener.click()
  const menu = page.getByRole('dialog', { name: 'Your account, ada@example.com' })
  await expect.element(menu.getByText('ada@example.com')).toBeVisible()
  await expect.element(menu.getByText(/with a one-time passcode$/)).toBeVisible()
  await expect
    .element(menu.getByRole('time'))
    .toHaveAttribute('datetime', '1970-01-01T00:00:00.000Z')
  await expect
    .element(menu.getByRole('link', { name: 'Log out' }))
    .toHaveAttribute('href', '/auth/logout')
  await userEvent.keyboard('{Escape}')
  await expect.element(menu).not.toBeInTheDocument()
  await expect.element(opener).toHaveFocus()
  await expect.element(warning).not.toBeInTheDocument()
  expect(redirects).toEqual([])
})

test.each([
  ['/dashboard', 'Home', 'page'],
  ['/dashboard/wallet', 'Accounts', 'true'],
  [`/dashboard/transactions/${'a1'.repeat(32)}`, 'Activity', 'true'],
])('2.1 at %s the navigation marks %s as current', async (path, name, current) => {
  await showPage({}, path)
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  const marked = links.elements().filter((link) => link.ariaCurrent !== null)
  expect(marked.map((link) => [link.textContent, link.getAttribute('aria-current')])).toEqual([
    [name, current],
  ])
  expect(links.elements().map((link) => link.getAttribute('href'))).toEqual([
    '/dashboard',
    '/dashboard/accounts',
    '/universal-passport',
    '/dashboard/activity',
    '/dashboard/security',
  ])
})

test('2.3 help names the phone and the email address of the organization', async () => {
  await showPage()
  await page.getByRole('button', { name: 'Help' }).click()
  const help = page.getByRole('dialog', { name: 'Help' })
  await expect
    .element(help.getByRole('link', { name: '(800) 555-0142' }))
    .toHaveAttribute('href', 'tel:+18005550142')
  await expect
    .element(help.getByRole('link', { name: 'help@figure.example' }))
    .toHaveAttribute('href', 'mailto:help@figure.example')
})

test('offline, the page says so; back online, it verifies the session that it could not verify before', async () => {
  const answers: Record<string, unknown> = {
    readIdentity: new ApiError('unreachable', 'Error fetching'),
  }
  const { connect, verifications } = await showPage(answers)
  await expect.element(warning).toBeVisible()
  connect(false)
  await expect.element(page.getByText('You are offline')).toBeVisible()
  await expect.element(warning).not.toBeInTheDocument()
  delete answers['readIdentity']
  connect(true)
  await expect.poll(verifications).toBe(2)
  await expect.element(page.getByText('You are offline')).not.toBeInTheDocument()
  await expect.element(warning).not.toBeInTheDocument()
})

test.each([
  ['401', rejected(401)],
  ["403 'Unauthenticated'", rejected(403)],
])('2.2 a user with a token that is refused with %s logs in and returns here', async (_, error) => {
  const { redirects } = await showPage({ readIdentity: error })
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
    const { verifications, redirects, reported } = await showPage(answers)
    await expect.element(warning).toBeVisible()
    expect(reported).toHaveLength(reports)
    delete answers['readIdentity']
    await retry.click()
    await expect.element(warning).not.toBeInTheDocument()
    expect([verifications(), redirects]).toEqual([2, []])
  },
)

test('2.1 logging out in one tab logs the other out at once; a new token does not', async () => {
  const { changeToken, listeners, redirects, unmount } = await showPage()
  changeToken(true)
  expect(redirects).toEqual([])
  changeToken(false)
  expect(redirects).toEqual([LOGIN])
  await unmount()
  expect(listeners.size).toBe(0)
})

test('15 impersonation: a view that the person ended returns to the console with the next page', async () => {
  const answers: Record<string, unknown> = {}
  const impersonation = {
    sessionUuid: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    identityUuid: '3f333df6-90a4-4fda-8dd3-9485d27cee36',
    operatorEmail: 'sam.support@people.example',
    secondsLeft: 1700,
  }
  const { open, redirects } = await showPage(answers, '/dashboard', { ...SESSION, impersonation })
  expect(redirects).toEqual([])
  answers['readIdentity'] = refusal('unauthenticated')
  await open('/dashboard/activity')
  await expect.poll(() => redirects).toEqual([`/console/people/${impersonation.identityUuid}`])
})
