import { expect, test } from 'vitest'
import { textStorage } from './text-storage.ts'

test('3 stored values: a storage that is blocked forgets, and nothing else happens', () => {
  const storage = textStorage(() => {
    throw new Error('SecurityError')
  })
  storage.keep('key', 'text')
  storage.remove('key')
  expect(storage.read('key')).toBeUndefined()
})
