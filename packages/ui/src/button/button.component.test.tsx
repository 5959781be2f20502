import type { SubmitEvent } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { AnchorButton } from './anchor-button.tsx'
import { Button } from './button.tsx'

const button = page.getByRole('button')

test('2.8 a button reports a click, Enter and Space', async () => {
  const onClick = vi.fn<() => void>()
  await render(<Button onClick={onClick}>Log in</Button>)
  await button.click()
  await userEvent.keyboard('{Enter}')
  await userEvent.keyboard(' ')
  expect(onClick).toHaveBeenCalledTimes(3)
})

test('2.8 a press on a busy button does nothing and submits nothing', async () => {
  const onClick = vi.fn<() => void>()
  const onSubmit = vi.fn<(event: SubmitEvent) => void>((event) => event.preventDefault())
  const form = (busy: boolean) => (
    <form onSubmit={onSubmit}>
      <input aria-label="Code" />
      <Button type="submit" busy={busy} onClick={onClick}>
        Log in
      </Button>
    </form>
  )
  const { rerender } = await render(form(true))
  // Without force, Playwright waits until the button is no longer disabled.
  await button.click({ force: true })
  await page.getByRole('textbox').click()
  await userEvent.keyboard('{Enter}')
  expect([onClick, onSubmit].map((spy) => spy.mock.calls.length)).toEqual([0, 0])
  await rerender(form(false))
  await userEvent.keyboard('{Enter}')
  expect([onClick, onSubmit].map((spy) => spy.mock.calls.length)).toEqual([1, 1])
})

test('2.8 a busy button shows its busy label and keeps its focus and width', async () => {
  const labeled = (busy: boolean) => (
    <Button busy={busy} busyLabel="Logging in…">
      Log in
    </Button>
  )
  const { rerender } = await render(labeled(false))
  await userEvent.keyboard('{Tab}')
  const { width } = button.element().getBoundingClientRect()
  await rerender(labeled(true))
  await expect.element(page.getByRole('button', { name: 'Logging in…', exact: true })).toHaveFocus()
  await expect.element(button).toHaveAttribute('aria-disabled', 'true')
  expect(button.element().getBoundingClientRect().width).toBe(width)
})

test('2.8 a button does not submit unless its type is submit', async () => {
  const onSubmit = vi.fn<(event: SubmitEvent) => void>((event) => event.preventDefault())
  await render(
    <form onSubmit={onSubmit}>
      <Button>Back</Button>
      <Button type="submit">Log in</Button>
    </form>,
  )
  await page.getByRole('button', { name: 'Back' }).click()
  expect(onSubmit).not.toHaveBeenCalled()
  await page.getByRole('button', { name: 'Log in' }).click()
  expect(onSubmit).toHaveBeenCalledOnce()
})

test('2.8 an action that leads to another page is a link', async () => {
  await render(<AnchorButton href="/dashboard">Go To Dashboard</AnchorButton>)
  await expect
    .element(page.getByRole('link', { name: 'Go To Dashboard' }))
    .toHaveAttribute('href', '/dashboard')
})
