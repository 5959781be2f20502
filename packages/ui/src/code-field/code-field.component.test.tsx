import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { CodeField, type CodeFieldProps } from './code-field.tsx'

const field = page.getByRole('textbox', { name: 'Passcode' })

async function showField(props: Partial<CodeFieldProps> = {}) {
  const onComplete = vi.fn<(code: string) => void>()
  const { rerender } = await render(
    <>
      <CodeField label="Passcode" {...props} onComplete={onComplete} />
      <input aria-label="Mail" defaultValue="Your code is 004-217 88." />
    </>,
  )
  await userEvent.keyboard('{Tab}')
  return {
    rerender,
    completed: () => onComplete.mock.calls.map(([code]) => code),
  }
}

test('5 passcode fields accept digits only, six of them', async () => {
  await showField()
  await userEvent.keyboard('1a2 3-4b56789')
  await expect.element(field).toHaveValue('123456')
})

test('5 passcode fields strip non-digits and cut a pasted value to 6', async () => {
  const { completed } = await showField()
  await userEvent.tripleClick(page.getByRole('textbox', { name: 'Mail' }))
  await userEvent.copy()
  await field.click()
  await userEvent.paste()
  await expect.element(field).toHaveValue('004217')
  expect(completed()).toEqual(['004217'])
})

test('5 a passcode is complete once at six digits, and again only when it changed', async () => {
  const { completed } = await showField()
  await userEvent.keyboard('12345')
  expect(completed()).toEqual([])
  await userEvent.keyboard('67x')
  expect(completed()).toEqual(['123456'])
  await userEvent.keyboard('{Backspace}')
  await expect.element(field).toHaveValue('12345')
  await userEvent.keyboard('9')
  expect(completed()).toEqual(['123456', '123459'])
})

test('5 a digit is inserted at the caret, and a rejected letter does not move the caret', async () => {
  await showField()
  await userEvent.keyboard('1246{ArrowLeft}{ArrowLeft}x3')
  await expect.element(field).toHaveValue('12346')
  await userEvent.keyboard('{ArrowRight}5')
  await expect.element(field).toHaveValue('123456')
})

test('5 passcode fields are one numeric input with one-time-code autocomplete', async () => {
  await showField()
  expect(page.getByLabelText('Passcode').elements()).toHaveLength(1)
  await expect.element(field).toHaveAttribute('inputmode', 'numeric')
  await expect.element(field).toHaveAttribute('autocomplete', 'one-time-code')
})

test('5 the error of a passcode is announced and keeps the entered code', async () => {
  const { rerender } = await showField({ hint: '6 digits' })
  await expect.element(field).toHaveAccessibleDescription('6 digits')
  await userEvent.keyboard('123456')
  await rerender(<CodeField label="Passcode" error="Passcode is incorrect." />)
  await expect.element(field).toHaveAccessibleDescription('Passcode is incorrect.')
  await expect.element(field).toBeInvalid()
  await expect.element(field).toHaveValue('123456')
})
