import { fakeClient } from '@portico/client/testing'
import { neverAborted } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { createPasskey } from './passkey.tsx'

const answers = { beginPasskey: { challengeUuid: 'challenge', options: {} } }

test('a passkey created by the browser is registered under its name', async () => {
  const { client, calls } = fakeClient(answers)
  const create = async () => ({ id: 'credential' })
  expect(await createPasskey(client, { create }, 'My phone', neverAborted)).toBeUndefined()
  expect(calls[1]).toEqual({
    name: 'addPasskey',
    body: { challengeUuid: 'challenge', name: 'My phone', response: { id: 'credential' } },
  })
})

test('without a passkey from the browser nothing is registered, and the dialog says so', async () => {
  const { client, calls } = fakeClient(answers)
  const failure = await createPasskey(
    client,
    { create: async () => undefined },
    'My phone',
    neverAborted,
  )
  expect(failure?.notices[0]).toContain('No passkey was created.')
  expect(calls).toHaveLength(1)
})
