import { renderStatic } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { FailureNotice } from './failure-notice.tsx'

const shown = (notices: string[], reason: string) =>
  renderStatic(<FailureNotice failure={{ notices, reason }} onLogIn={() => undefined} />)

test('8 a technical message is shown muted below a plain sentence and advice', () => {
  const { text, html } = shown(['x'], 'transaction-refused')
  expect(text).toBe(
    'The network did not accept the transaction. Nothing was sent. Check your balance and the request, then try again. Details: x',
  )
  expect(html).toMatch(/<p class="[^"]*details[^"]*">Details: x<\/p>/)
})

test('8 a user-facing message is shown unchanged and without technical details', () => {
  expect(shown(['Account name is required'], 'account-name-required').text).toBe(
    'Account name is required',
  )
  const sentence = 'The network did not accept the transaction.'
  expect(shown([sentence], 'transaction-refused').text).not.toContain('Details')
})
