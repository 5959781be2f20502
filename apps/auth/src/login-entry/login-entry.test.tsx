import { fakeClient, refusal } from '@portico/client/testing'
import type { PageSession } from '@portico/contracts/page-data'
import { after, chance, walk } from '@portico/flow/testing'
import { neverAborted, pageData } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { EnvironmentContext } from '../environment.ts'
import { serverEnvironment } from '../server-environment.ts'
import { memoryJwt, renderStatic } from '../testing.tsx'
import { loginEntry } from './login-entry.flow.ts'
import { events, inputs } from './login-entry.samples.ts'
import { loginEntryServices } from './login-entry.services.ts'
import { LoginEntry } from './login-entry.tsx'

test('4.4 without a session the login page is shown', () => {
  expect(after(loginEntry, { kind: 'show' })).toEqual([{ step: 'showing' }])
})

test('4.4 log out, then the login page is shown', () => {
  expect(after(loginEntry, { kind: 'logOutFirst' })).toEqual([
    { step: 'loggingOut' },
    { type: 'logOut' },
  ])
  expect(after(loginEntry, { kind: 'logOutFirst' }, [{ type: 'loggedOut' }])).toEqual([
    { step: 'showing' },
  ])
})

test('4.4 otherwise navigate to the redirect target', () => {
  expect(after(loginEntry, { kind: 'goOn', to: '/loans' })).toEqual([
    { step: 'goingOn' },
    { type: 'goOn', to: '/loans' },
  ])
})

test('4.4 random walk: the login page is never shown to a user who is redirected', () => {
  walk(
    loginEntry,
    { inputs, events },
    {
      steps: 500,
      chance: chance(),
      invariant(state, _, before) {
        if (before.step === 'goingOn') expect(state).toBe(before)
      },
    },
  )
})

test.each([
  ['answers', undefined],
  ['fails', refusal('server-fault')],
])(
  '4.4 logging out first removes the stored jwt and continues when the call %s',
  async (_, answer) => {
    const jwt = memoryJwt('Bearer jwt')
    const { client, calls } = fakeClient({ logout: answer })
    const services = loginEntryServices({
      client,
      jwt,
      location: () => new URL('https://lender.example/auth/login'),
      navigate: () => undefined,
      wallet: { open: () => undefined, disconnect: async () => undefined },
    })
    expect(await services.logOut({ type: 'logOut' }, neverAborted)).toEqual({ type: 'loggedOut' })
    expect(jwt.read()).toBeUndefined()
    expect(calls.map(({ name }) => name)).toEqual(['logout'])
  },
)

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
