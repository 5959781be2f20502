import { fakeClient, refusal } from '@portico/client/testing'
import { removeTotp } from '@portico/contracts/account-security'
import { expect, test } from 'vitest'
import { confirmingClient } from './confirming-client.ts'

/** A client that rejects the first call and accepts later ones. */
function rejectingOnce(code: 'confirmation-needed' | 'sign-in-too-old' | 'code-wrong') {
  let calls = 0
  const { client } = fakeClient()
  const rejecting: typeof client = async (call, input) => {
    calls += 1
    if (calls === 1) throw refusal(code)
    return client(call, input)
  }
  return { client: rejecting, calls: () => calls }
}

test.each(['confirmation-needed', 'sign-in-too-old'] as const)(
  'a change rejected with %s is repeated automatically after the confirmation',
  async (code) => {
    const { client, calls } = rejectingOnce(code)
    await confirmingClient(client, async () => true)(removeTotp, {})
    expect(calls()).toBe(2)
  },
)

test("without a confirmation the server's error is thrown, and the call is not repeated", async () => {
  const { client, calls } = rejectingOnce('confirmation-needed')
  const change = confirmingClient(client, async () => false)(removeTotp, {})
  await expect(change).rejects.toMatchObject({ reason: 'confirmation-needed' })
  expect(calls()).toBe(1)
})

test('any other error requires no confirmation', async () => {
  const { client } = rejectingOnce('code-wrong')
  const change = confirmingClient(client, async () => {
    throw new Error('No confirmation was expected')
  })(removeTotp, {})
  await expect(change).rejects.toMatchObject({ reason: 'code-wrong' })
})
