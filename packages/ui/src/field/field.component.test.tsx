import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { SelectField } from '../select-field/select-field.tsx'
import { TextField } from '../text-field/text-field.tsx'

const email = page.getByRole('textbox', { name: 'Email' })

test('5 an error replaces the hint and is associated with its field', async () => {
  const texts = { label: 'Email', hint: 'As on your loan' }
  const { rerender } = await render(<TextField {...texts} />)
  await expect.element(email).toHaveAccessibleDescription('As on your loan')
  await rerender(<TextField {...texts} error="Please enter a valid email." />)
  await expect.element(email).toHaveAccessibleDescription('Please enter a valid email.')
  await expect.element(email).toBeInvalid()
  await expect.element(page.getByText('As on your loan')).not.toBeInTheDocument()
})

test('5 a field without an error is not marked invalid and reserves space for one', async () => {
  const { container, rerender } = await render(<TextField label="Email" />)
  const height = container.offsetHeight
  await expect.element(email).toBeValid()
  await expect.element(email).toHaveAccessibleDescription('')
  await rerender(<TextField label="Email" error="Please enter a valid email." />)
  expect(container.offsetHeight).toBe(height)
})

test('5 an error that appears later is announced politely', async () => {
  const { container, rerender } = await render(<TextField label="Email" />)
  const region = container.querySelector('[aria-live="polite"]')
  expect(region).toHaveTextContent('')
  await rerender(<TextField label="Email" error="Please enter a valid email." />)
  expect(region).toHaveTextContent('Please enter a valid email.')
})

test('5 a click on the label focuses the field', async () => {
  await render(<TextField label="Email" />)
  await page.getByText('Email').click()
  await expect.element(email).toHaveFocus()
})

test('2.8 a select has a label, and its error is associated with it', async () => {
  await render(
    <SelectField label="First question" error="Please choose a question.">
      <option value="pet">First pet?</option>
      <option value="street">First street?</option>
    </SelectField>,
  )
  const select = page.getByRole('combobox', { name: 'First question' })
  await select.selectOptions('First street?')
  await expect.element(select).toHaveValue('street')
  await expect.element(select).toHaveAccessibleDescription('Please choose a question.')
  await expect.element(select).toBeInvalid()
})

test('5 an error is read once: with the focus that moves to its field, otherwise as an announcement', async () => {
  const { container, rerender } = await render(<TextField label="Email" />)
  const message = () => container.querySelector('[id$=message]')
  await email.click()
  await rerender(<TextField label="Email" error="Please enter a valid email." />)
  expect(message()).toHaveAttribute('aria-live', 'off')
  await expect.element(email).toHaveAccessibleDescription('Please enter a valid email.')
  // Later errors of the focused field, for example after Enter, are announced.
  await expect.poll(() => message()?.getAttribute('aria-live'), { timeout: 5000 }).toBe('polite')
})
