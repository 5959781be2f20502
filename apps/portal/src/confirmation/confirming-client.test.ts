import { fakeClient, refusal } from '@portico/client/testing'
import { removeTotp } from '@portico/contracts/account-security'
import { expect, test } from 'vitest'
import { confirmingClient } from './confirming-client.ts'

/** A client that rejects the first call and answers later ones. */
function refusing(code: 'confirmation-needed' | 'sign-in-too-old' | 'code-wrong') {
  let calls = 0
  const { client } = fakeClient()
  const once: typeof client = async (call, input) => {
    calls += 1
    if (calls === 1) throw refusal(code)
    return client(call, input)
  }
  return { client: once, calls: () => calls }
}

test.each(['confirmation-needed', 'sign-in-too-old'] as const)(
  'a change that answers %s is repeated by itself after the confirmation',
  async (code) => {
    const { client, calls } = refusing(code)
    await confirmingClient(client, async () => true)(removeTotp, {})
    expect(calls()).toBe(2)
  },
)

test("without a confirmation the server's error is thrown, and the call is not repeated", async () => {
  const { client, calls } = refusing('confirmation-needed')
  const change = confirmingClient(client, async () => false)(removeTotp, {})
  await expect(change).rejects.toMatchObject({ reason: 'confirmation-needed' })
  expect(calls()).toBe(1)
})

test('any other error asks for no confirmation', async () => {
  const { client } = refusing('code-wrong')
  const change = confirmingClient(client, async () => {
    throw new Error('asked')
  })(removeTotp, {})
  await expect(change).rejects.toMatchObject({ reason: 'code-wrong' })
})
