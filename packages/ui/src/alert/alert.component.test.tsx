import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Alert } from './alert.tsx'

test('2.8 a danger alert interrupts, other alerts are polite', async () => {
  const { rerender } = await render(<Alert tone="danger">Wrong password</Alert>)
  await expect.element(page.getByRole('alert')).toHaveTextContent('Wrong password')
  for (const tone of ['warn', 'info', 'ok'] as const) {
    await rerender(<Alert tone={tone}>Code sent</Alert>)
    await expect.element(page.getByRole('status')).toHaveTextContent('Code sent')
    await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  }
})

test("2.8 an alert's severity is shown by icon and text, not by color alone", async () => {
  const { container, rerender } = await render(null)
  const icons = new Set<string | undefined>()
  for (const tone of ['danger', 'warn', 'info', 'ok'] as const) {
    await rerender(<Alert tone={tone}>Text</Alert>)
    icons.add(container.querySelector('svg')?.innerHTML)
  }
  expect(icons.size).toBe(4)
  expect(icons).not.toContain(undefined)
})
