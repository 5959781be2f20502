import { fakeClient, refusal } from '@portico/client/testing'
import { WINDOW_MESSAGES } from '@portico/wallet-connect/session'
import { expect, test, vi } from 'vitest'
import { memoryJwt } from '../../testing.tsx'
import { refreshAfterSwitch } from './refresh-after-switch.ts'
import { fakeConnection } from './testing.ts'

function world(answer: unknown, group?: string) {
  const fake = fakeConnection({ connected: { address: 'tp1me', ...(group ? { group } : {}) } })
  const jwt = memoryJwt('Bearer old')
  const reported: unknown[] = []
  const queries: unknown[] = []
  const { client } = fakeClient({ readWalletJwt: answer })
  const stop = refreshAfterSwitch(fake.connection, {
    client: (call, input) => {
      queries.push(input.query)
      return client(call, input)
    },
    jwt,
    identityTokenUpdated: () => undefined,
    reportError: (error) => reported.push(error),
  })
  const complete = () => fake.emit(WINDOW_MESSAGES.SWITCH_TO_GROUP_COMPLETE, { valid: true })
  return { complete, jwt, reported, queries, stop }
}

test.each([
  ['a group', 'tp1group', { walletAddress: 'tp1me', groupPolicyAddress: 'tp1group' }],
  ['nobody but the person', undefined, { walletAddress: 'tp1me' }],
])(
  '4.1 after a switch to %s completes, the identity token is refreshed',
  async (_, group, query) => {
    const { complete, jwt, queries } = world({ jwt: 'new' }, group)
    complete()
    await vi.waitFor(() => expect(jwt.read()).toBe('new'))
    expect(queries).toEqual([query])
  },
)

test('4.1 a refusal leaves the token there is; who has stopped listening asks nothing', async () => {
  const { complete, jwt, reported, queries, stop } = world(
    refusal('account-not-authorized'),
    'tp1g',
  )
  complete()
  await vi.waitFor(() => expect(reported).toHaveLength(1))
  expect(jwt.read()).toBe('Bearer old')
  stop()
  complete()
  expect(queries).toHaveLength(1)
})
