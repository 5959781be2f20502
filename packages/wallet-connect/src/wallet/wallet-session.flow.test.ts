import { after, chance, walk } from '@portico/flow/testing'
import { expect, test } from 'vitest'
import { walletSession } from './wallet-session.flow.ts'
import { events, inputs } from './wallet-session.samples.ts'

test('protocol 6: a session ends once, closes once, and tells a page that is still there', () => {
  walk(
    walletSession,
    { inputs, events },
    {
      steps: 5000,
      chance: chance(),
      invariant(state, commands, before) {
        const types = commands.map(({ type }) => type)
        const endsNow = state.step === 'ended' && before.step !== 'ended'
        expect(types.filter((type) => type === 'close')).toHaveLength(endsNow ? 1 : 0)
        if (!endsNow) return
        const pageWaits = before.step !== 'waiting' && state.how !== 'ended-by-page'
        const told = types.some((type) => type === 'sendEnd' || type === 'refuse')
        expect(told).toBe(pageWaits)
      },
    },
  )
})

test('protocol 6: only a connected wallet serves requests, and the request of one page only is heard', () => {
  const [asked, , , , request] = events
  if (asked === undefined || request === undefined) return expect.fail()
  expect(after(walletSession, {}, [request])).toEqual([{ step: 'waiting' }])
  expect(after(walletSession, {}, [asked, asked])).toHaveLength(1)
  expect(after(walletSession, {}, [asked, request])).toHaveLength(1)
})

test('a page that ended cannot be answered, whatever the person still decides', () => {
  const [asked, , chosen] = events
  if (asked === undefined || chosen === undefined) return expect.fail()
  const [state, ...commands] = after(walletSession, {}, [asked, { type: 'pageEnded' }, chosen])
  expect([state.step, commands]).toEqual(['ended', []])
})
