import { expect, test, vi } from 'vitest'
import { outbox } from './outbox.ts'

test('2.6 a page with a relay that confirms nothing cannot fill the storage of the wallet', () => {
  const { post, texts } = outbox({
    peer: {
      send: () => undefined,
      confirm: () => new Promise<never>(() => undefined),
      wake: () => undefined,
    },
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

test('2.8 an answer during an outage reconnects at once, because the hosted wallet closes soon after it', () => {
  const peer = {
    send: vi.fn<(topic: string, text: string) => void>(),
    confirm: async () => true,
    wake: vi.fn<() => void>(),
  }
  const { post, opened, closed } = outbox({
    peer,
    storage: {
      save: async () => undefined,
      afterSaving: (done) => done(true),
      saved: async () => true,
      settled: async () => undefined,
    },
    onConfirmed: () => undefined,
    resumed: [],
  })
  opened()
  closed()
  post('page', 'yes')
  expect(peer.wake).toHaveBeenCalledOnce()
  expect(peer.send).not.toHaveBeenCalled()
  opened()
  expect(peer.send).toHaveBeenCalledExactlyOnceWith('page', 'yes')
})
