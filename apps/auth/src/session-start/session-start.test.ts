import { fakeClient, refusal } from '@portico/client/testing'
import { after, walk } from '@portico/flow/testing'
import type { Failure } from '@portico/shell/failure'
import { neverAborted } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { memoryJwt } from '../testing.tsx'
import { type Event, type Input, sessionStart } from './session-start.flow.ts'
import { events, inputs } from './session-start.samples.ts'
import { sessionStartServices } from './session-start.services.ts'

const input: Input = {
  jwt: 'jwt',
  start: { kind: 'continue', to: '/loans', queryParams: { label: 'apollo' } },
}
const toWallet: Input = { jwt: 'jwt', start: { kind: 'openWallet', to: '/loans' } }
const fresh: Event = { type: 'identityRead', passwordExpired: false, hasPassword: true }
const expired: Event = { type: 'identityRead', passwordExpired: true, hasPassword: true }

test('4.4 session start reads whether a password reset is forced', () => {
  expect(after(sessionStart, input)).toEqual([
    { step: 'reading', ...input },
    { type: 'readIdentity', jwt: 'jwt' },
  ])
})

test("4.4 if a forced password reset is flagged, 'Reset Password' appears, then it continues", () => {
  expect(after(sessionStart, input, [expired])).toEqual([
    { step: 'resetting', hasPassword: true, ...input },
  ])
  expect(after(sessionStart, input, [expired, { type: 'passwordSet' }])).toEqual(
    after(sessionStart, input, [fresh]),
  )
})

test('4.4 a user who declined a first password is not asked again; an expired password is still reset', () => {
  const offered: Input = { ...input, passwordOffered: true }
  const withoutPassword: Event = { type: 'identityRead', passwordExpired: true, hasPassword: false }
  expect(after(sessionStart, offered, [withoutPassword])).toEqual(
    after(sessionStart, input, [fresh]),
  )
  expect(after(sessionStart, offered, [expired])[0].step).toBe('resetting')
  // Not 'Reset Password', because there is none to reset.
  expect(after(sessionStart, input, [withoutPassword])[0]).toMatchObject({
    step: 'resetting',
    hasPassword: false,
  })
})

test('4.4 if walletconnect=true, the jwt is stored and the wallet connect opens', () => {
  expect(after(sessionStart, toWallet, [fresh])).toEqual([
    { step: 'leaving' },
    { type: 'storeJwt', jwt: 'jwt' },
    { type: 'openWallet', to: '/loans' },
  ])
})

test('4.4 otherwise the jwt is stored, the query parameters are saved, and the page navigates', () => {
  expect(after(sessionStart, input, [fresh])).toEqual([
    { step: 'saving', to: '/loans' },
    { type: 'storeJwt', jwt: 'jwt' },
    { type: 'saveQuery', queryParams: { label: 'apollo' } },
  ])
  const leaving = [{ step: 'leaving' }, { type: 'leave', to: '/loans' }]
  expect(after(sessionStart, input, [fresh, { type: 'querySaved' }])).toEqual(leaving)
})

test('4.4 an identity that cannot be read stops the session start and returns the failure', () => {
  const failure = { notices: ['Your session has ended. Please log in again.'] }
  expect(after(sessionStart, input, [{ type: 'refused', failure }])).toEqual([
    { step: 'stopped', failure },
    { type: 'returnResult', failure },
  ])
})

test('4.4 random walk: the token is stored before navigating, and only after a forced reset', () => {
  walk(
    sessionStart,
    { inputs, events },
    {
      steps: 3000,
      invariant(_, commands, before) {
        if (commands.some(({ type }) => type === 'storeJwt')) {
          expect(['reading', 'resetting']).toContain(before.step)
        }
        if (commands.some(({ type }) => type === 'leave')) expect(before.step).toBe('saving')
      },
    },
  )
})

function world(answers: Record<string, unknown>) {
  const { client, calls } = fakeClient(answers)
  const jwt = memoryJwt()
  const visited: string[] = []
  const failures: Failure[] = []
  const services = sessionStartServices({
    client,
    jwt,
    location: () => new URL('https://lender.example/auth/login#terms'),
    navigate: (to) => visited.push(to),
    wait: () => new Promise(() => undefined),
    wallet: { open: (to) => visited.push(`wallet, then ${to}`), disconnect: async () => undefined },
    onFailed: (failure) => failures.push(failure),
  })
  return { services, calls, jwt, visited }
}

test('7.2 identity: passwordExpired, authorized with the jwt that is not stored yet', async () => {
  const { services, calls, jwt } = world({ readIdentity: { passwordExpired: true } })
  expect(await services.readIdentity({ type: 'readIdentity', jwt: 'jwt' }, neverAborted)).toEqual(
    expired,
  )
  expect(calls[0]?.headers).toEqual({ authorization: 'Bearer jwt' })
  expect(jwt.read()).toBeUndefined()
})

test("8 an identity lookup without a result shows 'User not found'; other failures show their own message", async () => {
  const read = async (answer: unknown) =>
    world({ readIdentity: answer }).services.readIdentity(
      { type: 'readIdentity', jwt: 'jwt' },
      neverAborted,
    )
  expect(await read(refusal('not-found'))).toMatchObject({
    type: 'refused',
    failure: { notices: ['User not found'] },
  })
  expect(await read(refusal('session-ended'))).toMatchObject({
    type: 'refused',
    failure: { reason: 'session-ended' },
  })
})

test.each([
  ['succeeds', undefined],
  ['fails', refusal('server-fault')],
])('4.4 the page proceeds whether the save succeeds or fails: it %s', async (_, answer) => {
  const { services, calls } = world({ storeBorrowerQueryParams: answer })
  const command = { type: 'saveQuery', queryParams: { label: 'apollo' } } as const
  expect(await services.saveQuery(command, neverAborted)).toEqual({ type: 'querySaved' })
  expect(calls[0]?.body).toEqual({ queryParams: { label: 'apollo' } })
})

test('4.4 without query parameters nothing is saved', async () => {
  const { services, calls } = world({})
  await services.saveQuery({ type: 'saveQuery', queryParams: {} }, neverAborted)
  expect(calls).toEqual([])
})

test('3 stored values: the jwt is stored when the session starts', () => {
  const { services, jwt, visited } = world({})
  void services.storeJwt({ type: 'storeJwt', jwt: 'jwt' }, neverAborted)
  void services.openWallet({ type: 'openWallet', to: '/loans' }, neverAborted)
  expect(jwt.read()).toBe('jwt')
  expect(visited).toEqual(['wallet, then /loans#terms'])
})

test.each([
  [true, { type: 'identityRead', passwordExpired: false, hasPassword: false }],
  [false, { type: 'refused', failure: { notices: ['User not found'], reason: 'user-not-found' } }],
])('8 after a login at an identity provider: a user who is found: %s', async (found, event) => {
  const { client, calls } = fakeClient({})
  const services = sessionStartServices({
    client,
    jwt: memoryJwt(),
    location: () => new URL('https://lender.example/auth/login'),
    navigate: () => undefined,
    wait: () => Promise.resolve(),
    wallet: { open: () => undefined, disconnect: () => Promise.resolve() },
    lookUp: () => Promise.resolve(found),
    onFailed: () => undefined,
  })
  const answer = await services.readIdentity({ type: 'readIdentity', jwt: 'jwt' }, neverAborted)
  expect(answer).toEqual(event)
  expect(calls).toEqual([])
})
