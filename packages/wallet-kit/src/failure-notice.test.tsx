import { renderStatic } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { FailureNotice } from './failure-notice.tsx'

const shown = (notices: string[], reason: string) =>
  renderStatic(<FailureNotice failure={{ notices, reason }} onLogIn={() => undefined} />)

test('8 a technical message is shown muted below a plain sentence and advice', () => {
  const { text, html } = shown(['x'], 'invalid-request')
  expect(text).toMatch(/Nothing was changed. Try again, or reject the request. Details: x$/)
  expect(html).toMatch(/<p class="[^"]*details[^"]*">Details: x<\/p>/)
})

test('8 the chain’s own text is not shown', () => {
  expect(shown(['call 555-0100'], 'transaction-refused').text).toBe(
    'The network did not accept the transaction. Nothing was sent. Check your balance and the request, then try again.',
  )
})

test('8 a user-facing message is shown unchanged and without technical details', () => {
  expect(shown(['Account name is required'], 'account-name-required').text).toBe(
    'Account name is required',
  )
  const sentence = 'The network did not accept the transaction.'
  expect(shown([sentence], 'transaction-refused').text).not.toContain('Details')
})
