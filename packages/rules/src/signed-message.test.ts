import { MAX_MESSAGE_BYTES } from '@portico/contracts/limits'
import { expect, test } from 'vitest'
import { messageError } from './signed-message.ts'

test('9 a message to sign is any text up to the limit, counted in UTF-8 bytes', () => {
  expect(messageError(' \n')).toBe('Please enter a message.')
  expect(messageError('I agree')).toBeUndefined()
  expect(messageError('é'.repeat(MAX_MESSAGE_BYTES / 2))).toBeUndefined()
  expect(messageError('é'.repeat(MAX_MESSAGE_BYTES / 2 + 1))).toMatch(/too long/)
})
