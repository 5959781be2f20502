import { refusal } from '@portico/client/testing'
import { after, chance, walk } from '@portico/flow/testing'
import { lasting } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { change } from './change.flow.ts'
import { events, inputs } from './change.samples.ts'
import { changeServices } from './change.services.ts'

const given = { type: 'submitted', values: {} } as const

test('a change is made once, and the result is returned', () => {
  expect(after(change, null, [given, given])).toHaveLength(1)
  expect(after(change, null, [given, { type: 'changed' }])).toEqual([
    { step: 'left', result: 'changed' },
    { type: 'returnResult', result: 'changed' },
  ])
})

test('random walk: the result is returned exactly once', () => {
  walk(
    change,
    { inputs, events },
    {
      steps: 2000,
      chance: chance(),
      invariant(state, commands, before) {
        const handedBack = commands.filter(({ type }) => type === 'returnResult')
        expect(handedBack).toHaveLength(state.step === 'left' && before.step !== 'left' ? 1 : 0)
      },
    },
  )
})

const NO_PASSKEY_CREATED = { notices: ['No passkey was created.'] }

test.each([
  ['nothing to say', async () => undefined, { type: 'changed' }],
  [
    'a browser that did not do its part',
    async () => NO_PASSKEY_CREATED,
    { type: 'refused', failure: NO_PASSKEY_CREATED },
  ],
  [
    'a refusal',
    () => Promise.reject(refusal('session-ended')),
    { type: 'refused', failure: { reason: 'session-ended' } },
  ],
])('a change with %s', async (_, make, event) => {
  const services = changeServices({ change: make, onResult: () => undefined })
  expect(await services.change({ type: 'change', values: {} }, lasting)).toMatchObject(event)
})
