import { expect, test } from 'vitest'
import { memoryStore } from './memory-store.ts'

test('only an update that changes the value is reported', async () => {
  const store = memoryStore()
  const reported: (string | undefined)[] = []
  store.subscribe('key', () => reported.push(store.values.get('key')))
  for (const value of [undefined, 'one', 'one', 'two', undefined, undefined]) {
    await store.update('key', () => value)
  }
  expect(reported).toEqual(['one', 'two', undefined])
})
