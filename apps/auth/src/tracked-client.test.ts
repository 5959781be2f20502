import { fakeClient } from '@portico/client/testing'
import { login, redeemToken, register, sendToken } from '@portico/contracts/identity'
import { expect, test } from 'vitest'
import { trackedClient } from './tracked-client.ts'

const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e'
const email = 'ada@people.example'

test('7.2 login and token/send carry telemetryTrackingId if there is one; no other call does', async () => {
  const { client, calls } = fakeClient({})
  const found: { uuid?: string } = {}
  const call = trackedClient(client, () => found.uuid)
  const sent = { body: { email } }
  await call(sendToken, sent)
  found.uuid = UUID
  await call(login, { body: { email, password: 'secret' }, headers: { 'x-recaptcha-token': '1' } })
  await call(sendToken, sent)
  await call(register, sent)
  await call(redeemToken, { body: { loginUuid: UUID, token: '123456' } })
  expect(calls.map(({ body }) => body)).toEqual([
    { email },
    { email, password: 'secret', telemetryTrackingId: UUID },
    { email, telemetryTrackingId: UUID },
    { email },
    { loginUuid: UUID, token: '123456' },
  ])
  expect(calls[1]?.headers).toEqual({ 'x-recaptcha-token': '1' })
})
