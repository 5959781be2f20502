import { test } from 'vitest'
import { walkSession } from './session-walk.testing.ts'

// A limit that ends what hangs; the walk is all cryptography and takes its time on a busy machine.
const HANGS_MS = 10 * 60_000

test('4.1 ten thousand steps at random never part from the model', { timeout: HANGS_MS }, () =>
  walkSession(100),
)
