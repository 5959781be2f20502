import { memoryStorage } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { pendingCode } from './pending-code.ts'

test.each(['', '{', 'null', '[]', '{"purpose":"login"}', '{"purpose":"other","email":"a"}'])(
  '3 stored values: a pending code that reads %j is none',
  (text) => {
    expect(pendingCode(memoryStorage({ 'pending-code': text }), () => 0).recall()).toBeUndefined()
  },
)
