import { test } from 'vitest'
import { walkSession } from './session-walk.testing.ts'

// A generous limit: the walk is mostly cryptography and slow on machines under load.
const TIMEOUT_MS = 10 * 60_000

test('4.1 ten thousand random steps never diverge from the model', { timeout: TIMEOUT_MS }, () =>
  walkSession(100),
)
