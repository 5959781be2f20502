import { after, walk } from '@portico/flow/testing'
import { expect, test } from 'vitest'
import { walletSession } from './wallet-session.flow.ts'
import { events, inputs } from './wallet-session.samples.ts'

test('protocol 6: a session ends once, closes once, and notifies a page that is still connected', () => {
  walk(
    walletSession,
    { inputs, events },
    {
      steps: 5000,
      invariant(state, commands, before) {
        const types = commands.map(({ type }) => type)
        const endsNow = state.step === 'ended' && before.step !== 'ended'
        expect(types.filter((type) => type === 'close')).toHaveLength(endsNow ? 1 : 0)
        if (!endsNow) return
        const pageWaits = before.step !== 'waiting' && state.how !== 'ended-by-page'
        const notified = types.some((type) => type === 'sendEnd' || type === 'refuse')
        expect(notified).toBe(pageWaits)
      },
    },
  )
})

test('protocol 6: only a connected wallet serves requests, and only one session request is accepted', () => {
  const [sessionRequested, , , , request] = events
  if (sessionRequested === undefined || request === undefined) return expect.fail()
  expect(after(walletSession, {}, [request])).toEqual([{ step: 'waiting' }])
  expect(after(walletSession, {}, [sessionRequested, sessionRequested])).toHaveLength(1)
  expect(after(walletSession, {}, [sessionRequested, request])).toHaveLength(1)
})

test('a page that has ended the session gets no response to a later decision', () => {
  const [sessionRequested, , chosen] = events
  if (sessionRequested === undefined || chosen === undefined) return expect.fail()
  const [state, ...commands] = after(walletSession, {}, [
    sessionRequested,
    { type: 'pageEnded' },
    chosen,
  ])
  expect([state.step, commands]).toEqual(['ended', []])
})
