import type { Client } from '@portico/client/client'
import { fakeClient, refusal } from '@portico/client/testing'
import type { ConfirmationMethod } from '@portico/rules/confirmation-methods'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Passkeys } from '../passkeys.ts'
import { Confirmation, type Purpose } from './confirmation.tsx'

const button = (name: string) => page.getByRole('button', { name })
const password = page.getByLabelText('Password', { exact: true })
const code = page.getByRole('textbox', { name: 'Code' })

async function showConfirmation({
  answers = {},
  methods = ['password', 'passkey', 'passcode'],
  passkeys = { request: async () => undefined },
  purpose = 'change',
  sent,
}: {
  answers?: Record<string, unknown>
  methods?: readonly ConfirmationMethod[]
  passkeys?: Pick<Passkeys, 'request'>
  purpose?: Purpose
  /** Delays every response until it resolves. */
  sent?: Promise<void>
} = {}) {
  const onConfirmed = vi.fn<() => void>()
  const { client, calls } = fakeClient(answers)
  const pendingClient: Client = async (...call) => {
    const answer = client(...call)
    await sent
    return answer
  }
  await render(
    <Confirmation
      user={{ email: 'ada@example.com', methods, supportPhone: '8005550142' }}
      client={pendingClient}
      passkeys={passkeys}
      purpose={purpose}
      onConfirmed={onConfirmed}
      reportError={() => undefined}
    />,
  )
  return { calls, onConfirmed }
}

test('a password is entered right away and confirms once, however often it is submitted', async () => {
  const sent = Promise.withResolvers<void>()
  const { calls, onConfirmed } = await showConfirmation({ sent: sent.promise })
  await expect.element(password).toHaveFocus()
  await userEvent.keyboard('secret{Enter}')
  await expect.element(button('Checking…')).toBeVisible()
  await userEvent.keyboard('{Enter}')
  sent.resolve()
  await expect.poll(() => onConfirmed.mock.calls).toHaveLength(1)
  expect(calls).toEqual([{ name: 'confirmIdentity', body: { password: 'secret' } }])
  await expect.element(password).not.toBeInTheDocument()
})

test('5 without a password nothing is sent, and its field says why', async () => {
  const { calls } = await showConfirmation()
  await button('Confirm').click()
  await expect.element(password).toBeInvalid()
  await expect.element(password).toHaveFocus()
  expect(calls).toEqual([])
})

test("7.2 a rejected proof shows the server's message", async () => {
  const { onConfirmed } = await showConfirmation({
    answers: { confirmIdentity: refusal('wrong-password') },
  })
  await password.fill('secret')
  await button('Confirm').click()
  await expect.element(page.getByRole('alert')).toHaveTextContent('The password is incorrect.')
  await expect.element(password).toHaveValue('secret')
  expect(onConfirmed).not.toHaveBeenCalled()
})

test('an emailed passcode is sent only on request, and submitted with its sixth digit', async () => {
  const { calls, onConfirmed } = await showConfirmation({
    methods: ['passcode'],
    answers: { sendConfirmation: { loginUuid: 'login' } },
  })
  await expect.element(page.getByText('We will send a code to ada@example.com.')).toBeVisible()
  await expect.element(button('Send email')).toHaveFocus()
  expect(calls).toEqual([])
  await userEvent.keyboard('{Enter}')
  await expect.element(code).toHaveFocus()
  await expect.element(page.getByText('We sent a code to ada@example.com.')).toBeVisible()
  await userEvent.keyboard('123456')
  await expect.poll(() => onConfirmed.mock.calls).toHaveLength(1)
  expect(calls).toEqual([
    { name: 'sendConfirmation' },
    { name: 'confirmIdentity', body: { loginUuid: 'login', token: '123456' } },
  ])
})

test('the passkey prompt opens only on request, and one at a time', async () => {
  const request = vi.fn<Passkeys['request']>(() => new Promise(() => undefined))
  await showConfirmation({
    methods: ['passkey'],
    passkeys: { request },
    answers: { readPasskeyConfirmation: { options: {} } },
  })
  await expect.element(button('Use your passkey')).toHaveFocus()
  expect(request).not.toHaveBeenCalled()
  await userEvent.keyboard('{Enter}{Enter}')
  await expect.element(button('Follow your browser…')).toHaveFocus()
  expect(request).toHaveBeenCalledOnce()
})

test('selecting another method closes the passkey prompt', async () => {
  const signals: AbortSignal[] = []
  await showConfirmation({
    methods: ['passkey', 'password'],
    passkeys: {
      request(_, signal) {
        signals.push(signal)
        return new Promise(() => undefined)
      },
    },
    answers: { readPasskeyConfirmation: { options: {} } },
  })
  await button('Use your passkey').click()
  await expect.poll(() => signals).toHaveLength(1)
  await button('Use your password').click()
  await expect.element(password).toHaveFocus()
  expect(signals[0]?.aborted).toBe(true)
})

test('a canceled passkey prompt shows a neutral notice, and can be reopened or another method selected', async () => {
  await showConfirmation({
    methods: ['passkey', 'password', 'passcode'],
    answers: { readPasskeyConfirmation: { options: {} } },
  })
  await button('Use your passkey').click()
  await expect
    .element(page.getByRole('status'))
    .toHaveTextContent('No passkey was used. Try again, or choose another method.')
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  const names = page
    .getByRole('button')
    .elements()
    .map(({ textContent }) => textContent)
  expect(names.join()).toMatch(/^Use your passkey.*,Use your password,Email me a code$/)
  await button('Use your password').click()
  await expect.element(password).toHaveFocus()
})

test("the dialog lists the user's other methods", async () => {
  await showConfirmation()
  await expect.element(button('Email me a code')).toBeVisible()
  await expect.element(button('Use a passkey')).toBeVisible()
  await expect.element(button('Use your authenticator app')).not.toBeInTheDocument()
})

test.each<[Purpose, ConfirmationMethod, string]>([
  ['change', 'password', 'Enter your password to make this change.'],
  ['unlock', 'totp', 'Enter the current code from your authenticator app to open your wallet.'],
  [
    'unlock',
    'passkey',
    'Open your wallet with your passkey. Your browser will ask for a fingerprint, a face, a PIN or a security key.',
  ],
  [
    'login',
    'totp',
    'The application requires a second factor. Enter the current code from your authenticator app.',
  ],
  ['approve', 'password', "Enter your password to confirm it's you. Nothing is sent yet."],
])('the dialog says what it is for: %s by %s', async (purpose, method, words) => {
  await showConfirmation({ purpose, methods: [method] })
  await expect.element(page.getByText(words)).toBeVisible()
})

test('8 a new password requires the current one or another proof', async () => {
  await showConfirmation({ purpose: 'password', methods: ['password', 'passcode'] })
  await expect
    .element(page.getByText('Enter your current password to choose a new one.'))
    .toBeVisible()
  await button('Email me a code').click()
  await expect.element(button('Send email')).toHaveFocus()
})

test.each<[Purpose, string]>([
  [
    'change',
    'You changed how you log in a moment ago. To make another change, log out and log in again.',
  ],
  [
    'approve',
    'You changed how you log in recently. To protect your money, you can confirm this payment one day after that change.',
  ],
])('8 without an accepted method the dialog says what to do: %s', async (purpose, words) => {
  await showConfirmation({ purpose, methods: [] })
  await expect.element(page.getByText(words)).toBeVisible()
  await expect.element(page.getByRole('button')).not.toBeInTheDocument()
})
