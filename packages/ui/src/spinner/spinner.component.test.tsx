import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Icon } from '../icon/icon.tsx'
import { Spinner } from './spinner.tsx'

test('2.8 a spinner announces its label, and stands still for users who want less motion', async () => {
  await render(<Spinner label="Checking the signature…" />)
  await expect.element(page.getByRole('status')).toHaveTextContent('Checking the signature…')
  const ring = page.getByRole('status').element().querySelector('svg')
  expect(ring && getComputedStyle(ring).animationName).toBe('none')
})

test('2.8 icons, and a spinner beside text, are hidden from screen readers', async () => {
  const { container } = await render(
    <button type="button">
      <Icon name="copy" />
      Copy
      <Spinner />
    </button>,
  )
  expect(page.getByRole('status').elements()).toEqual([])
  await expect.element(page.getByRole('button')).toHaveAccessibleName('Copy')
  const pictures = [...container.querySelectorAll('svg')]
  expect(pictures.map((picture) => picture.getAttribute('aria-hidden'))).toEqual(['true', 'true'])
})
