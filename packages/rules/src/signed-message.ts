import { MAX_MESSAGE_BYTES } from '@portico/contracts/limits'
import type { FieldError } from './field-errors.ts'

/** The field of a message to sign, which is signed as UTF-8. */
export function messageError(text: string): FieldError {
  if (text.trim() === '') return 'Please enter a message.'
  return new TextEncoder().encode(text).length > MAX_MESSAGE_BYTES
    ? 'This message is too long. Please shorten it.'
    : undefined
}
