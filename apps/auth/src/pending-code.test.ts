import { memoryStorage } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { pendingCode } from './pending-code.ts'

test.each(['', '{', 'null', '[]', '{"purpose":"login"}', '{"purpose":"other","email":"a"}'])(
  '3 stored values: %j is not a valid pending code',
  (text) => {
    expect(pendingCode(memoryStorage({ 'pending-code': text }), () => 0).read()).toBeUndefined()
  },
)
