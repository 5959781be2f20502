import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Banner } from './banner.tsx'

test('2.8 info and warn differ by icon and text, not by color alone', async () => {
  const { container, rerender } = await render(<Banner variant="info" message="Closed" />)
  await expect.element(page.getByText('Information: Closed')).toBeVisible()
  const infoIcon = container.querySelector('svg')?.innerHTML
  await rerender(<Banner variant="warn" message="Closed" />)
  await expect.element(page.getByText('Warning: Closed')).toBeVisible()
  expect(container.querySelector('svg')?.innerHTML).not.toBe(infoIcon)
})

test('2.8 the message is rendered as plain text', async () => {
  const message = '<img src=x> https://lender.example'
  const { container } = await render(<Banner variant="info" message={message} />)
  await expect.element(page.getByRole('paragraph')).toHaveTextContent(`Information: ${message}`)
  expect(container.querySelector('img, a')).toBeNull()
})

test('2.8 the message has its own direction, whatever is announced before it', async () => {
  await render(<Banner variant="warn" message="הבנק סגור עד 12:30, Friday" />)
  const message = page.getByRole('paragraph')
  await expect.element(message).toBeVisible()
  expect(getComputedStyle(message.element()).direction).toBe('rtl')
})

test('4.3 only a dismissable banner has a button, which is described by its message', async () => {
  const onDismiss = vi.fn<() => void>()
  const { rerender } = await render(<Banner variant="info" message="Closed" />)
  await expect.element(page.getByRole('button')).not.toBeInTheDocument()
  await rerender(<Banner variant="info" message="Closed" onDismiss={onDismiss} />)
  const button = page.getByRole('button', { name: 'Dismiss announcement' })
  await expect.element(button).toHaveAccessibleDescription('Information: Closed')
  await userEvent.keyboard('{Tab}{Enter}')
  expect(onDismiss).toHaveBeenCalledOnce()
})
