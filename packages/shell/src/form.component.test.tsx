import { CodeField } from '@portico/ui/code-field'
import { SelectField } from '@portico/ui/select-field'
import { TextField } from '@portico/ui/text-field'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { focusField, focusHere, useForm } from './form.ts'

type Values = { email: string; repeated: string; country: string }

function Form({ onValid }: { onValid: (values: Values) => void }) {
  const { field, submit } = useForm({
    email: ({ email }: Values) => (email.includes('@') ? undefined : 'Please enter an email.'),
    repeated: ({ email, repeated }: Values) =>
      email === repeated ? undefined : 'Please repeat the email.',
    country: ({ country }: Values) => (country === '' ? 'Please choose a country.' : undefined),
  })
  return (
    <form noValidate onSubmit={submit(onValid)}>
      <TextField {...field('email')} label="Email" />
      <TextField {...field('repeated')} label="Again" />
      <SelectField {...field('country')} label="Country" defaultValue="">
        <option value="">Choose</option>
        <option value="us">United States</option>
      </SelectField>
      <button type="submit">Save</button>
      <button type="button" onClick={({ currentTarget }) => focusField(currentTarget, 'repeated')}>
        Correct
      </button>
    </form>
  )
}

async function showForm() {
  const onValid = vi.fn<(values: Values) => void>()
  await render(<Form onValid={onValid} />)
  return { submitted: () => onValid.mock.calls.map(([values]) => values) }
}

const email = page.getByRole('textbox', { name: 'Email' })
const again = page.getByRole('textbox', { name: 'Again' })
const country = page.getByRole('combobox', { name: 'Country' })

test('5 a field is validated when it is left after a change, never while the user types', async () => {
  await showForm()
  await userEvent.keyboard('{Tab}{Tab}')
  await expect.element(again).toHaveFocus()
  await expect.element(email).toBeValid()
  await email.click()
  await userEvent.keyboard('ada')
  await expect.element(email).toBeValid()
  await userEvent.keyboard('{Tab}')
  await expect.element(email).toHaveAccessibleDescription('Please enter an email.')
})

test('5 an error disappears as soon as the input is valid', async () => {
  await showForm()
  await email.click()
  await userEvent.keyboard('ada{Tab}{Shift>}{Tab}{/Shift}{End}')
  await expect.element(email).toBeInvalid()
  await userEvent.keyboard('@')
  await expect.element(email).toBeValid()
})

test('5 a submit shows every error and focuses the first invalid field', async () => {
  const { submitted } = await showForm()
  await email.fill('ada@example.com')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(email).toBeValid()
  await expect.element(again).toHaveAccessibleDescription('Please repeat the email.')
  await expect.element(country).toHaveAccessibleDescription('Please choose a country.')
  await expect.element(again).toHaveFocus()
  expect(submitted()).toEqual([])
})

test('5 Enter submits a valid form with its values, and the page does not reload', async () => {
  const { submitted } = await showForm()
  await email.fill('ada@example.com')
  await again.fill('ada@example.com')
  await country.selectOptions('United States')
  await again.click()
  await userEvent.keyboard('{Enter}')
  expect(submitted()).toEqual([
    { email: 'ada@example.com', repeated: 'ada@example.com', country: 'us' },
  ])
})

test('5 a button of the form can move the focus to one of its fields', async () => {
  await showForm()
  await page.getByRole('button', { name: 'Correct' }).click()
  await expect.element(again).toHaveFocus()
})

test('2.8 a step that the user reached focuses its field', async () => {
  await render(<CodeField ref={focusHere} label="Passcode" />)
  await expect.element(page.getByRole('textbox', { name: 'Passcode' })).toHaveFocus()
})
