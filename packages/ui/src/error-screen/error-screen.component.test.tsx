import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ErrorScreen } from './error-screen.tsx'

test("8 error screen: 'Sorry, looks like we have hit a snag!' with 'Try again'", async () => {
  const onRetry = vi.fn<() => void>()
  await render(<ErrorScreen onRetry={onRetry} />)
  await expect
    .element(page.getByRole('heading', { name: 'Sorry, looks like we have hit a snag!' }))
    .toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  expect(onRetry).toHaveBeenCalledOnce()
  await expect.element(page.getByRole('link')).not.toBeInTheDocument()
  await expect.element(page.getByText(/we are here to help/)).not.toBeInTheDocument()
})

test("2.8 error screen: optional 'Go To Dashboard', support phone and e-mail", async () => {
  await render(
    <ErrorScreen
      onRetry={() => undefined}
      dashboardHref="/dashboard"
      phone={{ label: '(888) 555-0123', href: 'tel:+18885550123' }}
      email="help@lender.example"
      reference="2026-11-22T19:00:00.000Z"
    />,
  )
  for (const [name, href] of [
    ['Go To Dashboard', '/dashboard'],
    ['(888) 555-0123', 'tel:+18885550123'],
    ['help@lender.example', 'mailto:help@lender.example'],
  ] as const) {
    await expect.element(page.getByRole('link', { name })).toHaveAttribute('href', href)
  }
  await expect.element(page.getByText('2026-11-22T19:00:00.000Z')).toBeVisible()
})
