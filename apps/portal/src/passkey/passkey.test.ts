import { fakeClient } from '@portico/client/testing'
import { expect, test } from 'vitest'
import { makePasskey } from './passkey.tsx'

const answers = { beginPasskey: { challengeUuid: 'challenge', options: {} } }

test('a passkey that the browser made is kept under its name', async () => {
  const { client, asked } = fakeClient(answers)
  const make = async () => ({ id: 'credential' })
  expect(await makePasskey(client, { make }, 'My phone')).toBeUndefined()
  expect(asked[1]).toEqual({
    name: 'addPasskey',
    body: { challengeUuid: 'challenge', name: 'My phone', response: { id: 'credential' } },
  })
})

test('where the browser made none nothing is kept, and the dialog says so', async () => {
  const { client, asked } = fakeClient(answers)
  const failure = await makePasskey(client, { make: async () => undefined }, 'My phone')
  expect(failure?.notices[0]).toContain('No passkey was made.')
  expect(asked).toHaveLength(1)
})
