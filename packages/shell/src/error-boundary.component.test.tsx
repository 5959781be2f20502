import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ErrorBoundary, FailureScreen } from './error-boundary.tsx'

const heading = page.getByRole('heading', { name: 'Sorry, looks like we have hit a snag!' })
const link = (name: string) => page.getByRole('link', { name })

test("2.8 'Sorry, looks like we have hit a snag!' with 'Try again', phone and e-mail", async () => {
  const onRetry = vi.fn<() => void>()
  await render(
    <FailureScreen
      supportPhone="8005550142"
      supportEmail="help@figure.example"
      signedIn={false}
      onRetry={onRetry}
    />,
  )
  await expect.element(heading).toBeVisible()
  await expect.element(link('(800) 555-0142')).toHaveAttribute('href', 'tel:+18005550142')
  await expect
    .element(link('help@figure.example'))
    .toHaveAttribute('href', 'mailto:help@figure.example')
  await expect.element(link('Go To Dashboard')).not.toBeInTheDocument()
  await expect
    .element(page.getByText(/Reference for support: \d{4}-\d\d-\d\dT[\d:.]+Z$/))
    .toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  expect(onRetry).toHaveBeenCalledOnce()
})

test("2.8 'Go To Dashboard' if the user is signed in", async () => {
  await render(<FailureScreen signedIn onRetry={() => undefined} />)
  await expect.element(link('Go To Dashboard')).toHaveAttribute('href', '/dashboard')
})

test('4.11 a component that fails to render is replaced with the error screen', async () => {
  function Failing(): never {
    throw new Error('a defect')
  }
  await render(
    <ErrorBoundary signedIn={false} onRetry={() => undefined}>
      <Failing />
    </ErrorBoundary>,
    { createRootOptions: { onCaughtError: () => undefined } },
  )
  await expect.element(heading).toBeVisible()
})
