import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Checkbox } from './checkbox.tsx'

const label = 'Use one-time passcode for logging into my account'
const checkbox = page.getByRole('checkbox', { name: label })

test('2.3 the one-time checkbox changes with Space and with a click on its text', async () => {
  await render(<Checkbox name="oneTime" label={label} />)
  await userEvent.keyboard('{Tab} ')
  await expect.element(checkbox).toBeChecked()
  await page.getByText(label).click()
  await expect.element(checkbox).not.toBeChecked()
})

test('5 the error of a checkbox interrupts and is associated with it', async () => {
  const { rerender } = await render(<Checkbox label={label} />)
  await expect.element(checkbox).toBeValid()
  await rerender(<Checkbox label={label} error="Please accept." />)
  await expect.element(page.getByRole('alert')).toHaveTextContent('Please accept.')
  await expect.element(checkbox).toHaveAccessibleDescription('Please accept.')
  await expect.element(checkbox).toBeInvalid()
})
