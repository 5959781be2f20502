import { refusal } from '@portico/client/testing'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderDialog } from '../testing.tsx'
import { Authenticator } from './authenticator.tsx'

const KEY = { secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/Figure' }

const code = page.getByRole('textbox', { name: 'Code from the app' })
const key = page.getByText('JBSW Y3DP EHPK 3PXP').last()
const qrCode = page.getByRole('img', { name: 'QR code for your authenticator app' })

const renderAuthenticator = (answers: Record<string, unknown>) =>
  renderDialog((props) => <Authenticator {...props} />, answers)

test('nothing changes until the first code is confirmed', async () => {
  const { calls, results } = await renderAuthenticator({ beginTotp: KEY })
  await expect.element(qrCode).toBeVisible()
  expect([calls.length, results]).toEqual([1, []])
  await code.fill('123456')
  await expect.poll(() => results).toEqual(['changed'])
  expect(calls[1]).toEqual({ name: 'confirmTotp', body: { code: '123456' } })
})

test('the QR code is an image with a name, and the key is shown in groups of four', async () => {
  await renderAuthenticator({ beginTotp: KEY })
  await expect.element(qrCode).toBeVisible()
  await expect.element(key).toBeVisible()
})

test('a wrong code shows an error and keeps the key', async () => {
  const { results } = await renderAuthenticator({
    beginTotp: KEY,
    confirmTotp: refusal('code-wrong'),
  })
  await code.fill('123456')
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('The passcode is incorrect. Please check it and try again.')
  await expect.element(key).toBeVisible()
  expect(results).toEqual([])
})

test('a key that could not be created can be requested again', async () => {
  const { calls, results } = await renderAuthenticator({ beginTotp: refusal('server-fault') })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => calls.length).toBe(2)
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => results).toEqual(['closed'])
})
