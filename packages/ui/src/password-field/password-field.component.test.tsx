import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { PasswordField } from './password-field.tsx'

const field = page.getByLabelText('Password', { exact: true })

test('2.3 the password is hidden, and the button that shows it has a name', async () => {
  await render(<PasswordField label="Password" autoComplete="current-password" />)
  await userEvent.keyboard('{Tab}secret')
  await expect.element(field).toHaveAttribute('type', 'password')
  await expect.element(field).toHaveAttribute('autocomplete', 'current-password')
  await userEvent.keyboard('{Tab}{Enter}')
  await expect.element(page.getByRole('textbox', { name: 'Password' })).toHaveValue('secret')
  await expect.element(page.getByRole('button', { name: 'Hide password' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(field).toHaveAttribute('type', 'password')
  await expect.element(page.getByRole('button', { name: 'Show password' })).toHaveFocus()
})

test('5 the error of a password is associated with it', async () => {
  await render(
    <PasswordField label="Password" autoComplete="new-password" error="Please enter a password." />,
  )
  await expect.element(field).toHaveAccessibleDescription('Please enter a password.')
  await expect.element(field).toBeInvalid()
})

test('2.3 the password of a disabled field cannot be shown', async () => {
  await render(<PasswordField label="Password" autoComplete="new-password" disabled />)
  await expect.element(page.getByRole('button', { name: 'Show password' })).toBeDisabled()
})
