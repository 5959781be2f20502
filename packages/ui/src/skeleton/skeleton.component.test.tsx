import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Spinner } from '../spinner/spinner.tsx'
import { Skeleton } from './skeleton.tsx'

test('2.8 loading content is announced by name', async () => {
  await render(
    <>
      <Skeleton label="Loading your accounts" count={3} />
      <Spinner label="One moment…" />
    </>,
  )
  await expect
    .element(page.getByRole('status', { name: 'Loading your accounts' }))
    .toBeInTheDocument()
  await expect.element(page.getByText('One moment…')).toBeVisible()
})

test('2.8 a spinner beside a text is not announced', async () => {
  await render(<Spinner />)
  await expect.element(page.getByRole('status')).not.toBeInTheDocument()
})
