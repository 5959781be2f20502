import { fakeClient, refusal } from '@portico/client/testing'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Result } from './new-password.flow.ts'
import { NewPassword, NewPasswordModal } from './new-password.tsx'

const PASSWORD = 'quiet-harbour-71-lantern'
const password = page.getByLabelText('New password')
const confirmation = page.getByLabelText('Confirm password')
const meter = page.getByRole('meter', { name: 'Password strength' })
const create = page.getByRole('button', { name: 'Create login' })

async function showForm(answers: Record<string, unknown> = {}, jwt?: string) {
  const onResult = vi.fn<(result: Result) => void>()
  const { client, calls } = fakeClient(answers)
  const { container } = await render(
    <NewPassword
      client={client}
      reportError={() => undefined}
      email="ada@example.com"
      supportPhone="8005550142"
      onResult={onResult}
      {...(jwt === undefined ? {} : { jwt })}
    />,
  )
  return { calls, container, onResult }
}

async function enter(text: string, repeated = text) {
  await password.fill(text)
  await confirmation.fill(repeated)
  await create.click()
}

test('2.3 a strong password that is entered twice is saved', async () => {
  const { calls, onResult } = await showForm()
  await expect.element(password).toHaveFocus()
  await userEvent.keyboard(`${PASSWORD}{Tab}{Tab}${PASSWORD}{Enter}`)
  await expect.poll(() => onResult.mock.calls).toEqual([['set']])
  expect(calls).toMatchObject([{ name: 'setPassword', body: { newPassword: PASSWORD } }])
})

test('5 the strength of the password is measured while the user types', async () => {
  await showForm()
  await expect.element(meter).toHaveAttribute('aria-valuenow', '0')
  await userEvent.keyboard('password1')
  await expect
    .element(page.getByText('Very easy to guess. Try three or four unrelated words.'))
    .toBeVisible()
  await password.fill(PASSWORD)
  await expect.element(meter).toHaveAttribute('aria-valuetext', 'Very strong')
})

test('5 a weak password or a different confirmation is not sent, and the field says why', async () => {
  const { calls } = await showForm()
  await userEvent.keyboard('password1')
  await expect.element(page.getByText(/^Very easy to guess/)).toBeVisible()
  await enter('password1')
  await expect.element(password).toBeInvalid()
  await expect.element(password).toHaveFocus()
  await enter(PASSWORD, 'another')
  await expect.element(password).toBeValid()
  await expect.element(confirmation).toBeInvalid()
  await expect.element(confirmation).toHaveFocus()
  expect(calls).toEqual([])
})

test('5 the form names the account for password managers', async () => {
  const { container } = await showForm()
  await expect.element(password).toHaveAttribute('autocomplete', 'new-password')
  await expect.element(confirmation).toHaveAttribute('autocomplete', 'new-password')
  expect(container.querySelector('[autocomplete="username"]')).toHaveValue('ada@example.com')
})

test("5 the server's weak-password error is shown at the field, until another password is typed", async () => {
  await showForm({ setPassword: refusal('weak-password') })
  await enter(PASSWORD)
  await expect.element(password).toHaveAccessibleDescription(refusal('weak-password').message)
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  await password.fill(`${PASSWORD}-2`)
  await expect.element(password).toBeValid()
})

test('7.2 pw: after the session ended a link to the login page is shown', async () => {
  await showForm({ setPassword: refusal('session-ended') })
  await enter(PASSWORD)
  await expect.element(page.getByRole('link', { name: 'Go to the login page' })).toBeVisible()
})

test('2.4 if the session ended before a first password was set, the user continues with a code', async () => {
  await showForm({ setPassword: refusal('sign-in-too-old') }, 'jwt')
  await enter(PASSWORD)
  await expect
    .element(page.getByText(/Continue with a new code, then set your password\.$/))
    .toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Send me a code' }))
    .toHaveAttribute(
      'href',
      expect.stringMatching(/email=ada%40example\.com&otp=true&flow=new-user$/),
    )
})

function Page({ forced }: { forced: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Change
      </button>
      {open && (
        <NewPasswordModal
          client={fakeClient().client}
          reportError={() => undefined}
          email="ada@example.com"
          supportPhone="8005550142"
          occasion="reset"
          forced={forced}
          onResult={() => setOpen(false)}
        />
      )}
    </>
  )
}

const change = page.getByRole('button', { name: 'Change' })
const dialog = page.getByRole('dialog', { name: 'Reset Password' })

test("2.3 Escape closes the modal 'Reset Password', and focus returns", async () => {
  await render(<Page forced={false} />)
  await change.click()
  await expect.element(password).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(change).toHaveFocus()
})

test("2.3 a forced modal 'Reset Password' cannot be closed", async () => {
  await render(<Page forced />)
  await change.click()
  await expect.element(password).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('button', { name: 'Close' })).not.toBeInTheDocument()
  await expect.element(dialog).toBeVisible()
  // The only way out.
  await expect
    .element(dialog.getByRole('link', { name: 'Log out' }))
    .toHaveAttribute('href', '/auth/logout')
})
