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
    'The server sent an unusable response. Please try again in a minute.',
  ],
])('8 a person reads %s', (_, error, words) => {
  expect(alert(failureOf(error)).text).toContain(words)
})

test('8 without a response the alert starts with the advice; the default fetch error is below it, once', () => {
  const { text } = alert(failureOf(new ApiError('unreachable', 'Error fetching')))
  expect(text).toBe(
    'We could not reach the server. Check your connection, then try again. Error fetching',
  )
})

test('8 each string of the errors list is shown, without duplicates', () => {
  expect(alert({ notices: ['One.', 'Two.', 'One.'] }).text).toBe('One. Two.')
})

test("8 a 429 from a proxy shows the catalogue's message", () => {
  const said = refusal('too-many-requests').message
  const response = new Response('<html>', { status: 429 })
  expect(alert(failureOf(new ApiError('refused', said, { response }))).text).toBe(said)
})

test('8 a longer wait than the minute of the sentence is named', () => {
  expect(failureOf(refusal('too-many-requests', { 'retry-after': '60' })).advice).toBeUndefined()
  expect(failureOf(refusal('too-many-requests', { 'retry-after': '60' })).notices).toEqual([
    "You're submitting requests too quickly; please give us a minute to process your last one.",
  ])
  const longer = failureOf(refusal('too-many-requests', { 'retry-after': '61' }))
  expect(alert(longer).text).toBe(
    "You're submitting requests too quickly. You can try again in 2 minutes.",
  )
})

test.each([new TypeError('bug'), new ApiError('unreadable', 'Broken contract')])(
  '8 %s is a defect and is thrown on',
  (error) => {
    expect(() => failureOf(error)).toThrow(error)
  },
)

test('8 a defect shows no internal details, and a locked account shows the support phone', () => {
  expect(alert(UNEXPECTED).text).toBe(
    'Something went wrong on our side. Please try again in a minute.',
  )
  expect(alert(ACCOUNT_LOCKED).text).toContain('Call us at (800) 555-0142')
})

test('8 an ended session offers a way to continue', () => {
  expect(alert(failureOf(refusal('session-ended'))).html).toContain('href="/auth/login"')
  expect(alert(failureOf(refusal('code-wrong'))).html).not.toContain('href')
})
