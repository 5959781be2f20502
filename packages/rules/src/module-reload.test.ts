import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { moduleFailure } from './module-reload.ts'

test.each([
  [0, { kind: 'reload', reloads: 1 }],
  [4, { kind: 'reload', reloads: 5 }],
  [5, { kind: 'giveUp' }],
  [6, { kind: 'giveUp' }],
])('4.11 after %d reloads: %j', (reloads, expected) => {
  expect(moduleFailure(reloads)).toEqual(expected)
})

test('4.11 a browser session has at most five reloads, however often a module fails', () => {
  fc.assert(
    fc.property(fc.nat({ max: 50 }), (failures) => {
      let reloads = 0
      for (let failure = 0; failure < failures; failure += 1) {
        const next = moduleFailure(reloads)
        if (next.kind === 'reload') reloads = next.reloads
      }
      expect(reloads).toBe(Math.min(failures, 5))
    }),
  )
})
