import { test } from 'vitest'
import { walkSession } from './session-walk.testing.ts'

test('4.1 fifteen hundred random steps never diverge from the model', () => walkSession(15))
