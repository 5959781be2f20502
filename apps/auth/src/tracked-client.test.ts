import { fakeClient, refusal } from '@portico/client/testing'
import { login, redeemToken, register, sendToken } from '@portico/contracts/identity'
import { passkeyLogin } from '@portico/contracts/two-factor'
import { expect, test } from 'vitest'
import { trackedClient } from './tracked-client.ts'

const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e'
const email = 'ada@people.example'

test('7.2 login, passkey login and token/send carry telemetryTrackingId if there is one; no other call does', async () => {
  const { client, calls } = fakeClient({})
  const found: { uuid?: string } = {}
  const call = trackedClient(client, {
    trackingId: () => found.uuid,
    problemShown: () => undefined,
  })
  const sent = { body: { email } }
  await call(sendToken, sent)
  found.uuid = UUID
  await call(login, { body: { email, password: 'secret' }, headers: { 'x-recaptcha-token': '1' } })
  await call(sendToken, sent)
  await call(passkeyLogin, { body: { challengeUuid: UUID, response: {} } })
  await call(register, sent)
  await call(redeemToken, { body: { loginUuid: UUID, token: '123456' } })
  expect(calls.map(({ body }) => body)).toEqual([
    { email },
    { email, password: 'secret', telemetryTrackingId: UUID },
    { email, telemetryTrackingId: UUID },
    { challengeUuid: UUID, response: {}, telemetryTrackingId: UUID },
    { email },
    { loginUuid: UUID, token: '123456' },
  ])
  expect(calls[1]?.headers).toEqual({ 'x-recaptcha-token': '1' })
})

test('7.8 the errors of failed calls are recorded by their codes, and still thrown', async () => {
  const error = refusal('wrong-credentials')
  const { client } = fakeClient({ login: error })
  const problems: string[] = []
  const call = trackedClient(client, {
    trackingId: () => undefined,
    problemShown: (reason) => problems.push(reason),
  })
  await expect(call(login, { body: { email, password: 'secret' } })).rejects.toBe(error)
  await call(register, { body: { email } })
  expect(problems).toEqual(['wrong-credentials'])
})
