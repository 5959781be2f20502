import { fakeClient } from '@portico/client/testing'
import { expect, test, vi } from 'vitest'
import { botCheck } from './bot-check.ts'

// A busy machine may take its time over what is asynchronous; the default is a second.
const WAITS = { timeout: 30_000 }

test("7.2 where the bot check is 'off' there is no token, and nothing is fetched", async () => {
  const { client, asked } = fakeClient()
  const check = botCheck({ kind: 'off' }, { client, clock: () => 0 })
  check.prepare()
  expect(await check.token()).toBeUndefined()
  expect(asked).toEqual([])
})

test('7.2 a check that could not be made fails one request and is made anew for the next', async () => {
  const { client, asked } = fakeClient({ readBotCheckChallenge: new Error('offline') })
  const check = botCheck({ kind: 'altcha' }, { client, clock: () => 0 })
  check.prepare()
  check.prepare()
  await vi.waitFor(() => expect(asked).toHaveLength(1), WAITS)
  await expect(check.token()).rejects.toThrow('offline')
  await expect(check.token()).rejects.toThrow('offline')
  expect(asked.length).toBeGreaterThan(1)
})

test('7.2 a puzzle is solved ahead of time once, and again when it has grown old', async () => {
  const { client, asked } = fakeClient({ readBotCheckChallenge: new Promise(() => undefined) })
  let now = 0
  const check = botCheck({ kind: 'altcha' }, { client, clock: () => now })
  check.prepare()
  now += 60_000
  check.prepare()
  await vi.waitFor(() => expect(asked).toHaveLength(1), WAITS)
  now += 60_000
  check.prepare()
  await vi.waitFor(() => expect(asked).toHaveLength(2), WAITS)
})
