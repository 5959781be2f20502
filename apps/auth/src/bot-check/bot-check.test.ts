import { fakeClient } from '@portico/client/testing'
import { expect, test, vi } from 'vitest'
import { botCheck, botCheckHeaders } from './bot-check.ts'
import { BotCheckBlocked } from './bot-check-blocked.ts'

// A busy machine may need more than the default timeout of one second.
const LONG_TIMEOUT = { timeout: 30_000 }

test("7.2 with the bot check 'off' there is no token and no request", async () => {
  const { client, calls } = fakeClient()
  const check = botCheck({ kind: 'off' }, { client, clock: () => 0 })
  check.prepare()
  expect(await check.token()).toBeUndefined()
  expect(calls).toEqual([])
})

test('7.2 a failed bot check fails one request, and the next request tries again', async () => {
  const { client, calls } = fakeClient({ readBotCheckChallenge: new Error('offline') })
  const check = botCheck({ kind: 'altcha' }, { client, clock: () => 0 })
  check.prepare()
  check.prepare()
  await vi.waitFor(() => expect(calls).toHaveLength(1), LONG_TIMEOUT)
  await expect(check.token()).rejects.toThrow('offline')
  await expect(check.token()).rejects.toThrow('offline')
  expect(calls.length).toBeGreaterThan(1)
})

test('7.2 the challenge is solved ahead of time once, and again when the solution is too old', async () => {
  const { client, calls } = fakeClient({ readBotCheckChallenge: new Promise(() => undefined) })
  let now = 0
  const check = botCheck({ kind: 'altcha' }, { client, clock: () => now })
  check.prepare()
  now += 60_000
  check.prepare()
  await vi.waitFor(() => expect(calls).toHaveLength(1), LONG_TIMEOUT)
  now += 60_000
  check.prepare()
  await vi.waitFor(() => expect(calls).toHaveLength(2), LONG_TIMEOUT)
})

test('where the browser blocks the worker, the advice is not to reload', async () => {
  const blocked = {
    botCheck: {
      prepare: () => undefined,
      token: () => Promise.reject(new BotCheckBlocked('The browser refused to start the worker')),
    },
    reportError: () => undefined,
  }
  const failure = await botCheckHeaders(blocked).catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 'refused', reason: 'bot-check-failed' })
  expect(String(failure)).toContain('your browser blocks a part of this page')
  expect(String(failure)).not.toContain('reload')
})
