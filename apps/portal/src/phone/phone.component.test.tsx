import { refusal } from '@portico/client/testing'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderDialog } from '../testing.tsx'
import { Phone } from './phone.tsx'

const number = page.getByRole('textbox', { name: 'Phone number' })
const code = page.getByRole('textbox', { name: 'Code from the text message' })

const renderPhone = (answers: Record<string, unknown>) =>
  renderDialog((props) => <Phone {...props} />, answers)

test('a phone is added by its number, then by the code sent to it', async () => {
  const { calls, results } = await renderPhone({ beginPhone: { alias: 'alias' } })
  await expect.element(number).toHaveFocus()
  await number.fill('8005550142')
  await userEvent.keyboard('{Enter}')
  await expect.element(code).toHaveFocus()
  await expect.element(page.getByText(/We sent a code to/)).toBeVisible()
  await userEvent.keyboard('123456')
  await expect.poll(() => results).toEqual(['changed'])
  expect(calls.map(({ body }) => body)).toEqual([
    { phone: '8005550142' },
    { alias: 'alias', token: '123456' },
  ])
})

test('a rejected number can be corrected', async () => {
  const { results } = await renderPhone({ beginPhone: refusal('too-many-requests') })
  await number.fill('8005550142')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('alert')).toBeVisible()
  await expect.element(number).toHaveValue('8005550142')
  expect(results).toEqual([])
})

test('7.2 a rejected code shows why, and another number can be entered', async () => {
  const { results } = await renderPhone({
    beginPhone: { alias: 'alias' },
    confirmPhone: refusal('code-expired'),
  })
  await number.fill('8005550142')
  await userEvent.keyboard('{Enter}')
  await expect.element(code).toHaveFocus()
  await userEvent.keyboard('123456')
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('The passcode has expired. Please request a new one.')
  await page.getByRole('button', { name: 'Change the number or send another code' }).click()
  await expect.element(number).toHaveFocus()
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  expect(results).toEqual([])
})
