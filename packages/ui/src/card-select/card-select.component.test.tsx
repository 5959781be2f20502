import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { CardOption, CardSelect } from './card-select.tsx'

function Accounts() {
  const [value, setValue] = useState<string>()
  return (
    <>
      <CardSelect label="Account" value={value} onChange={setValue}>
        <CardOption
          value="one"
          title="Savings"
          detail="tp1qx...8f2ka"
          badge="Verified"
          note="Owner"
        />
        <CardOption value="two" title="Trust" note="Signing as Ada" />
        <CardOption value="three" title="Checking" />
      </CardSelect>
      <button type="button">Continue</button>
    </>
  )
}

const group = page.getByRole('radiogroup', { name: 'Account' })
const card = (name: string) => group.getByRole('radio', { name, exact: true })

test('2.8 card select is a radio group with a name', async () => {
  await render(<Accounts />)
  expect(group.getByRole('radio').elements()).toHaveLength(3)
  await expect.element(card('Savings')).not.toBeChecked()
})

test('2.8 the whole card is clickable, and one card is selected', async () => {
  await render(<Accounts />)
  await page.getByText('tp1qx...8f2ka').click()
  await expect.element(card('Savings')).toBeChecked()
  await page.getByText('Signing as Ada').click()
  await expect.element(card('Trust')).toBeChecked()
  await expect.element(card('Savings')).not.toBeChecked()
})

test('2.8 arrow keys select the next and the previous card, and Tab leaves the group', async () => {
  await render(<Accounts />)
  await userEvent.keyboard('{Tab}')
  await expect.element(card('Savings')).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(card('Trust')).toBeChecked()
  await expect.element(card('Trust')).toHaveFocus()
  await userEvent.keyboard('{ArrowUp}{ArrowUp}')
  await expect.element(card('Checking')).toBeChecked()
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByRole('button', { name: 'Continue' })).toHaveFocus()
})

test("2.7 an item shows name, short address, 'Verified' badge and who signs", async () => {
  await render(<Accounts />)
  await expect.element(card('Savings')).toHaveAccessibleDescription(/tp1qx\.\.\.8f2ka\s*Owner/)
  await expect.element(card('Trust')).toHaveAccessibleDescription('Signing as Ada')
  await expect.element(group.getByText('Verified')).toBeVisible()
})
