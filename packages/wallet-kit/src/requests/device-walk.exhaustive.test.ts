import { test } from 'vitest'
import { walkDevice } from './device-walk.testing.ts'

test('2.6 a thousand walks: nothing is signed twice or for another page, and nothing is lost', async () => {
  for (let seed = 1001; seed <= 2000; seed += 1) await walkDevice(seed)
})
