import { ApiError } from '@portico/client/api-error'
import { refusal } from '@portico/client/testing'
import { expect, test } from 'vitest'
import { ACCOUNT_LOCKED, type Failure, UNEXPECTED } from './failure.ts'
import { FailureAlert } from './failure-alert.tsx'
import { failureOf } from './failure-of.ts'
import { seen } from './testing.tsx'

const alert = (failure: Failure) =>
  seen(<FailureAlert failure={failure} supportPhone="8005550142" />)

test.each<[string, unknown, string]>([
  ['a refusal in the words of the server', refusal('code-used'), 'has already been used'],
  [
    "403 'Unauthenticated' as a session that has ended",
    refusal('unauthenticated'),
    'Your session has ended. Please log in again.',
  ],
  [
    'no answer as what to do',
    new ApiError('unreachable', 'Error fetching'),
    'We could not reach the server. Check your connection, then try again.',
  ],
  [
    'a time-out as what to do',
    new ApiError('timed-out', 'Error fetching'),
    'The server took too long to answer. Please try again.',
  ],
  [
    'what something in between refuses without words as what to do',
    new ApiError('refused', 'Error fetching', {
      response: new Response('<html>', { status: 502 }),
    }),
    'We got no usable answer from the server. Please try again in a minute.',
  ],
])('8 a person reads %s', (_, error, words) => {
  const { text } = alert(failureOf(error))
  expect(text).toContain(words)
  expect(text).not.toContain('Error fetching')
})

test('8 the notification of a call without an answer is the default fetch error', () => {
  expect(failureOf(new ApiError('unreachable', 'Error fetching')).notices).toEqual([
    'Error fetching',
  ])
})

test('8 a 429 by something in between is told in the words of the catalogue', () => {
  const said = refusal('too-many-requests').message
  const response = new Response('<html>', { status: 429 })
  expect(alert(failureOf(new ApiError('refused', said, { response }))).text).toBe(said)
})

test('8 a longer wait than the minute of the sentence is named', () => {
  expect(failureOf(refusal('too-many-requests', { 'retry-after': '60' })).advice).toBeUndefined()
  expect(failureOf(refusal('too-many-requests', { 'retry-after': '61' })).advice).toBe(
    'You can try again in 2 minutes.',
  )
})

test.each([new TypeError('bug'), new ApiError('unreadable', 'Broken contract')])(
  '8 %s is a defect and is thrown on',
  (error) => {
    expect(() => failureOf(error)).toThrow(error)
  },
)

test('8 what is said of a defect tells nothing inside, and of a lock whom to call', () => {
  expect(alert(UNEXPECTED).text).toBe(
    'Something went wrong on our side. Please try again in a minute.',
  )
  expect(alert(ACCOUNT_LOCKED).text).toContain('Call us at (800) 555-0142')
})

test('8 an ended session has a way on', () => {
  expect(alert(failureOf(refusal('session-ended'))).html).toContain('href="/auth/login"')
  expect(alert(failureOf(refusal('code-wrong'))).html).not.toContain('href')
})
