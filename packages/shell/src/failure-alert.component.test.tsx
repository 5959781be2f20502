import { ApiError } from '@portico/client/api-error'
import { refusal } from '@portico/client/testing'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ACCOUNT_LOCKED, type Failure, PASSKEY_CANCELED, UNEXPECTED } from './failure.ts'
import { FailureAlert } from './failure-alert.tsx'
import { failureOf } from './failure-of.ts'

const alert = page.getByRole('alert')
const link = (name: string) => alert.getByRole('link', { name })

const show = (failure: Failure, codeFor?: string) =>
  render(<FailureAlert failure={failure} supportPhone="8005550142" codeFor={codeFor} />)

const paragraphs = () =>
  alert
    .getByRole('paragraph')
    .elements()
    .map(({ textContent }) => textContent)

test.each<[string, unknown, string]>([
  ["the server's message for a rejected call", refusal('code-used'), 'has already been used'],
  [
    "that the session has ended for 403 'Unauthenticated'",
    refusal('unauthenticated'),
    'Your session has ended. Please log in again.',
  ],
  [
    'what to do without a response',
    new ApiError('unreachable', 'Error fetching'),
    'We could not reach the server. Check your connection, then try again.',
  ],
  [
    'what to do after a timeout',
    new ApiError('timed-out', 'Error fetching'),
    'The server took too long to respond. Please try again.',
  ],
  [
    'what to do if a proxy rejects the call without a message',
    new ApiError('refused', 'Error fetching', {
      response: new Response('<html>', { status: 502 }),
    }),
    'The server sent an unusable response. Please try again in a minute.',
  ],
])('8 the alert shows %s', async (_, error, words) => {
  await show(failureOf(error))
  expect(alert.element().textContent).toContain(words)
})

test('8 without a response the alert starts with the advice; the default fetch error is below it, once', async () => {
  await show(failureOf(new ApiError('unreachable', 'Error fetching')))
  expect(paragraphs()).toEqual([
    'We could not reach the server. Check your connection, then try again.',
    'Error fetching',
  ])
})

test('8 each string of the errors list is shown, without duplicates', async () => {
  await show({ notices: ['One.', 'Two.', 'One.'] })
  expect(paragraphs()).toEqual(['One.', 'Two.'])
})

test("8 a 429 from a proxy shows the catalog's message", async () => {
  const message = refusal('too-many-requests').message
  const response = new Response('<html>', { status: 429 })
  await show(failureOf(new ApiError('refused', message, { response })))
  expect(paragraphs()).toEqual([message])
})

test('8 a wait longer than the minute in the message is stated', async () => {
  const { rerender } = await show(failureOf(refusal('too-many-requests', { 'retry-after': '60' })))
  expect(paragraphs()).toEqual([
    "You're submitting requests too quickly; please give us a minute to process your last one.",
  ])
  const longer = failureOf(refusal('too-many-requests', { 'retry-after': '61' }))
  await rerender(<FailureAlert failure={longer} supportPhone="8005550142" />)
  expect(paragraphs()).toEqual([
    "You're submitting requests too quickly.",
    'You can try again in 2 minutes.',
  ])
})

test.each([new TypeError('bug'), new ApiError('unreadable', 'Broken contract')])(
  '8 %s is a defect and is rethrown',
  (error) => {
    expect(() => failureOf(error)).toThrow(error)
  },
)

test('8 a defect shows no internal details, and a locked account shows the support phone', async () => {
  const { rerender } = await show(UNEXPECTED)
  expect(paragraphs()).toEqual(['Something went wrong on our side. Please try again in a minute.'])
  await rerender(<FailureAlert failure={ACCOUNT_LOCKED} supportPhone="8005550142" />)
  await expect.element(link('(800) 555-0142')).toHaveAttribute('href', 'tel:+18005550142')
  expect(paragraphs().at(-1)).toBe('Call us at (800) 555-0142.')
})

test('8 an ended session offers a way to continue', async () => {
  const { rerender } = await show(failureOf(refusal('session-ended')))
  await expect
    .element(link('Go to the login page'))
    .toHaveAttribute('href', expect.stringMatching(/^\/auth\/login/))
  const wrongCode = failureOf(refusal('code-wrong'))
  await rerender(<FailureAlert failure={wrongCode} supportPhone="8005550142" />)
  await expect.element(alert.getByRole('link')).not.toBeInTheDocument()
})

test('2.4 after a session that ended before the first password, a link sends a new code', async () => {
  await show(failureOf(refusal('sign-in-too-old')), 'ada@example.com')
  await expect
    .element(link('Send me a code'))
    .toHaveAttribute(
      'href',
      expect.stringMatching(
        /^\/auth\/login\?(?:.*&)?email=ada%40example\.com&otp=true&flow=new-user$/,
      ),
    )
  await expect.element(link('Go to the login page')).not.toBeInTheDocument()
})

test('8 a canceled passkey prompt is a polite notice, not an error', async () => {
  await show(PASSKEY_CANCELED)
  await expect
    .element(page.getByRole('status'))
    .toHaveTextContent('No passkey was used. Try again, or choose another method.')
  await expect.element(alert).not.toBeInTheDocument()
})
