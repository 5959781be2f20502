import { expect, type Page } from '@playwright/test'
import { dialog } from './steps.ts'

/**
 * Chromium's virtual authenticator. While asleep it does not respond. With a stranger user verification fails at once.
 */
export async function virtualAuthenticator(page: Page): Promise<{
  readonly sleep: () => Promise<void>
  readonly wake: () => Promise<void>
  readonly before: (who: 'owner' | 'stranger') => Promise<void>
}> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const present = async (enabled: boolean) =>
    void (await devtools.send('WebAuthn.setAutomaticPresenceSimulation', {
      authenticatorId,
      enabled,
    }))
  return {
    sleep: () => present(false),
    wake: () => present(true),
    before: async (who) =>
      void (await devtools.send('WebAuthn.setUserVerified', {
        authenticatorId,
        isUserVerified: who === 'owner',
      })),
  }
}

/** Adds a passkey on the security page. */
export async function addPasskey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey', exact: true }).click()
  const modal = dialog(page, 'Add a passkey')
  await modal.getByRole('textbox', { name: 'Name' }).fill('My laptop')
  await modal.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('button', { name: 'Remove My laptop' })).toBeVisible()
}
