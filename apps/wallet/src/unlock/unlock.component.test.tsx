import { fakeClient, refusal } from '@portico/client/testing'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { EnvironmentProvider } from '../environment-provider.tsx'
import { serverEnvironment } from '../server-environment.ts'
import { Unlock } from './unlock.tsx'

const OVERVIEW = {
  aliases: [{ type: 'Email', value: 'ada@example.com' }],
  confirmWith: { change: ['password', 'passkey', 'passcode'], payment: ['password', 'passcode'] },
  sessions: [{ current: true, method: 'passkey' }],
}

async function renderUnlock(
  answers: Record<string, unknown>,
  passkeysSupported = false,
  purpose?: 'unlock' | 'change',
) {
  const { client, calls } = fakeClient(answers)
  const environment = {
    ...serverEnvironment,
    client,
    passkeys: { request: async () => undefined, supported: () => passkeysSupported },
  }
  let unlocked = 0
  await render(
    <EnvironmentProvider environment={environment}>
      <Unlock
        supportPhone="8005550142"
        {...(purpose && { purpose })}
        onUnlocked={() => {
          unlocked += 1
        }}
        onLogIn={() => undefined}
      />
    </EnvironmentProvider>,
  )
  return { calls, unlocked: () => unlocked }
}

test('2.8 the unlock methods are loaded first, and loading can be retried', async () => {
  const { calls } = await renderUnlock({ readSecurity: refusal('server-fault') })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => calls.length).toBe(2)
})

test('2.8 the wallet opens once the owner has confirmed their identity', async () => {
  const { calls, unlocked } = await renderUnlock({ readSecurity: OVERVIEW })
  await page.getByRole('textbox', { name: 'Password' }).fill('secret')
  await userEvent.keyboard('{Enter}')
  await expect.poll(unlocked).toBe(1)
  expect(calls[1]).toEqual({ name: 'confirmIdentity', body: { password: 'secret' } })
})

test('2.8 the server determines the methods', async () => {
  await renderUnlock({ readSecurity: OVERVIEW }, true)
  await expect.element(page.getByRole('button', { name: 'Use your passkey' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Use your password' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Email me a code' })).toBeVisible()
})

test('2.8 a refusal is shown in the server’s words', async () => {
  await renderUnlock({ readSecurity: refusal('session-ended') })
  await expect.element(page.getByText(/Your session has ended/)).toBeVisible()
})

test('8 before a change it says what the confirmation is for', async () => {
  const { unlocked } = await renderUnlock({ readSecurity: OVERVIEW }, false, 'change')
  await expect.element(page.getByText('Enter your password to make this change.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Password' }).fill('secret')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect.poll(unlocked).toBe(1)
})
