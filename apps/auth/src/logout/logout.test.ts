import { fakeClient, refusal } from '@portico/client/testing'
import { after, chance, walk } from '@portico/flow/testing'
import { neverAborted } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { memoryJwt } from '../testing.tsx'
import { logout } from './logout.flow.ts'
import { events, inputs } from './logout.samples.ts'
import { logoutServices } from './logout.services.ts'

test('4.4 logout: navigates to the target in the response, or to /auth/login on failure', () => {
  expect(after(logout, null, [{ type: 'loggedOut', to: '/elsewhere' }])).toEqual([
    { step: 'leaving' },
    { type: 'leave', to: '/elsewhere' },
  ])
  expect(after(logout, null, [logout.failed])).toEqual([
    { step: 'leaving' },
    { type: 'leave', to: '/auth/login' },
  ])
})

test('4.4 logout: random walk: navigates exactly once', () => {
  walk(
    logout,
    { inputs, events },
    {
      steps: 500,
      chance: chance(),
      invariant(state, commands, before) {
        expect(commands.length).toBe(state.step === before.step ? 0 : 1)
      },
    },
  )
})

function world(answer: unknown, disconnect: () => Promise<void>) {
  const order: string[] = []
  const reported: unknown[] = []
  const jwt = memoryJwt('Bearer jwt')
  const { client, calls } = fakeClient({ logout: answer })
  const services = logoutServices({
    client,
    jwt,
    navigate: (to) => order.push(to),
    reportError: (error) => reported.push(error),
    wallet: { open: () => undefined, disconnect },
  })
  return { services, jwt, calls, reported }
}

test('2.2 /logout disconnects any connected wallet, calls logout, then redirects', async () => {
  let disconnected = false
  const { services, jwt, calls } = world(undefined, async () => {
    disconnected = true
  })
  expect(await services.logOut({ type: 'logOut' }, neverAborted)).toEqual({
    type: 'loggedOut',
    to: '/auth/login',
  })
  expect([disconnected, jwt.read(), calls.length]).toEqual([true, undefined, 1])
})

test('2.2 a wallet that fails to disconnect does not keep the user signed in', async () => {
  const { services, calls, reported } = world(undefined, async () => {
    throw new Error('no answer')
  })
  expect(await services.logOut({ type: 'logOut' }, neverAborted)).toMatchObject({
    type: 'loggedOut',
  })
  expect([calls.length, reported.length]).toEqual([1, 1])
})

test('4.4 logout: a rejected call is a failure, but the jwt is removed anyway', async () => {
  const { services, jwt } = world(refusal('server-fault'), async () => undefined)
  expect(await services.logOut({ type: 'logOut' }, neverAborted)).toEqual({ type: 'refused' })
  expect(jwt.read()).toBeUndefined()
})
