import { test } from 'vitest'
import { walkSession } from './session-walk.testing.ts'

test('4.1 fifteen hundred steps at random never part from the model', () => walkSession(15))
