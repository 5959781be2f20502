import { expect, test } from 'vitest'
import { outbox } from './outbox.ts'

test('2.6 a page with a relay that confirms nothing cannot fill the storage of the wallet', () => {
  const { post, texts } = outbox({
    peer: { send: () => undefined, confirm: () => new Promise<never>(() => undefined) },
    storage: {
      save: async () => undefined,
      afterSaving: () => undefined,
      saved: async () => true,
      settled: async () => undefined,
    },
    onConfirmed: () => undefined,
    resumed: [],
  })
  for (let count = 0; count < 50; count += 1) post('page', `${count}`.padEnd(100_000, '.'))
  expect(texts()).toEqual([expect.stringMatching(/^49/)])
  for (let count = 0; count < 50; count += 1) post('page', `${count}`.padEnd(1000, '"'))
  // In storage, each quotation mark takes eight characters.
  expect(texts()).toHaveLength(8)
  expect(texts().at(-1)).toMatch(/^49/)
})
