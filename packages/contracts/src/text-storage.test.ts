import { expect, test } from 'vitest'
import { textStorage } from './text-storage.ts'

test('3 stored values: writes to a blocked storage are dropped without an error', () => {
  const storage = textStorage(() => {
    throw new Error('SecurityError')
  })
  storage.write('key', 'text')
  storage.remove('key')
  expect(storage.read('key')).toBeUndefined()
})

test('3 stored values: a full storage does not return an outdated value', () => {
  const entries = new Map([['key', 'old']])
  // Only these three members of a storage are used.
  const full = {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: () => {
      throw new Error('QuotaExceededError')
    },
    removeItem: (key: string) => void entries.delete(key),
  } as unknown as Storage
  const storage = textStorage(() => full)
  storage.write('key', 'new')
  expect(storage.read('key')).toBeUndefined()
})

test('3 stored values: what a blocked storage refuses is kept in memory, if there is one', () => {
  const blocked = () => {
    throw new Error('SecurityError')
  }
  const storage = textStorage(blocked, new Map())
  storage.write('key', 'text')
  expect(storage.read('key')).toBe('text')
  storage.remove('key')
  expect(storage.read('key')).toBeUndefined()
})
