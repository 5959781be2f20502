import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { LinkButton } from './link-button.tsx'

test('a button that disables itself keeps the focus, and does nothing while it is disabled', async () => {
  let presses = 0
  function Resend() {
    const [sent, setSent] = useState(false)
    return (
      <LinkButton
        disabled={sent}
        onClick={() => {
          presses += 1
          setSent(true)
        }}
      >
        {sent ? 'Code Sent' : 'Resend code'}
      </LinkButton>
    )
  }
  await render(<Resend />)
  await page.getByRole('button', { name: 'Resend code' }).click()
  const sent = page.getByRole('button', { name: 'Code Sent' })
  await expect.element(sent).toHaveFocus()
  await expect.element(sent).toHaveAttribute('aria-disabled', 'true')
  await userEvent.keyboard('{Enter}')
  expect(presses).toBe(1)
})
