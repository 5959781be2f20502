import { test } from 'vitest'
import { walkDevice } from './device-walk.testing.ts'

test('2.6 whenever the process is stopped, nothing is signed twice or for another page, and nothing is lost', async () => {
  for (let seed = 1; seed <= 50; seed += 1) await walkDevice(seed)
})
