/** The security page: set-up, confirmation, recovery, and ending sessions. */
import type { Page } from '@playwright/test'
import { authenticatorCode } from '../support/authenticator.ts'
import { expectGood } from './support/accessible.ts'
import { agedServer } from './support/aged-server.ts'
import {
  DESKTOP_FIRST,
  DESKTOP_ONLY,
  EXHAUSTIVE,
  expect,
  porticoAt,
  STRONG_PASSWORD,
  test,
  watch,
} from './support/portico.ts'
import {
  choosePassword,
  dialog,
  logIn,
  logOut,
  newUser,
  onDashboard,
  openAccountMenu,
  register,
  visit,
} from './support/steps.ts'
import { addPasskey, virtualAuthenticator } from './support/virtual-authenticator.ts'

async function openSecurity(page: Page): Promise<void> {
  await page.getByRole('link', { name: /^Security/ }).click()
  await expect(page.getByRole('heading', { name: 'Recent activity' })).toBeVisible()
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** The status in a setting's row. */
const expectState = (page: Page, name: string, state: string) =>
  expect(
    page
      .getByRole('listitem')
      .filter({ has: page.getByRole('button', { name, exact: true }) })
      .getByText(state, { exact: true }),
  ).toBeVisible()

async function setUpTotp(page: Page): Promise<string> {
  await press(page, 'Authenticator app')
  const modal = dialog(page, 'Set up an authenticator app')
  await expect(modal.getByRole('img')).toBeVisible()
  const key = (await modal.getByText(/^(?:[A-Z2-7]{4} )+[A-Z2-7]+$/).innerText()).replaceAll(
    ' ',
    '',
  )
  await modal.getByLabel('Code from the app').fill(authenticatorCode(key, Date.now()))
  await expect(modal).toBeHidden()
  await expectState(page, 'Authenticator app', 'On')
  return key
}

test(
  'an authenticator app is set up, and asked for at the next sign-in',
  DESKTOP_FIRST,
  async ({ page, portico }) => {
    const email = await register(page, portico)
    await openSecurity(page)
    // The password is no older than the session, so a code by email confirms.
    const registration = await portico.passcode(email)
    await press(page, 'Authenticator app')
    const confirmation = dialog(page, "Confirm it's you")
    await confirmation.getByRole('button', { name: 'Send email' }).click()
    await confirmation.getByLabel('Code').fill(await portico.passcode(email, registration))
    await expect(confirmation).toBeHidden()
    await dialog(page, 'Set up an authenticator app').getByRole('button', { name: 'Close' }).click()
    await setUpTotp(page)
    await page.goto('/dashboard')
    await logOut(page)
    await logIn(page, { email, password: STRONG_PASSWORD })
    await expect(dialog(page, 'Two-step verification')).toBeVisible()
    await expect(
      page.getByText('Enter the current code from your authenticator app.'),
    ).toBeVisible()
  },
)

test(
  'recovery codes are shown once and open the second step',
  DESKTOP_ONLY,
  async ({ page, portico }) => {
    const email = await newUser(page, portico)
    await openSecurity(page)
    await setUpTotp(page)
    await press(page, 'Recovery codes')
    const modal = dialog(page, 'Recovery codes')
    await modal.getByRole('button', { name: 'Create recovery codes' }).click()
    await expect(modal.getByRole('listitem')).toHaveCount(10)
    const code = await modal.getByRole('listitem').first().innerText()
    const downloading = page.waitForEvent('download')
    await modal.getByRole('button', { name: 'Download as a text file' }).click()
    expect((await downloading).suggestedFilename()).toBe('recovery-codes.txt')
    await modal.getByRole('button', { name: 'I have saved them' }).click()
    await expect(page.getByText('10 of 10 left')).toBeVisible()
    await page.goto('/dashboard')
    await logOut(page)
    await logIn(page, { email, password: STRONG_PASSWORD })
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill(code)
    await page.getByRole('button', { name: 'Continue' }).click()
    await onDashboard(page, email)
  },
)

test(
  'recovery questions are chosen, and answers are not shown',
  DESKTOP_ONLY,
  async ({ page, portico }) => {
    await newUser(page, portico)
    await openSecurity(page)
    await press(page, 'Recovery questions')
    const modal = dialog(page, 'Recovery questions')
    for (const [index, name] of ['First', 'Second', 'Third'].entries()) {
      await modal.getByLabel(`${name} question`).selectOption({ index: index + 1 })
      await modal.getByLabel(`${name} answer`).fill(`Answer ${name}`)
    }
    await modal.getByRole('button', { name: 'Save questions' }).click()
    await expect(modal).toBeHidden()
    await expectState(page, 'Recovery questions', 'Set')
    await expect(page.getByText('Answer First')).toBeHidden()
  },
)

test(
  'a passkey is added, renamed, and signs in from the e-mail field',
  DESKTOP_ONLY,
  async ({ page, portico }) => {
    await virtualAuthenticator(page)
    const email = await newUser(page, portico)
    await openSecurity(page)
    await addPasskey(page)
    await press(page, 'Rename My laptop')
    const renaming = dialog(page, 'Rename a passkey')
    await renaming.getByRole('textbox', { name: 'Name' }).fill('My desk')
    await renaming.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('button', { name: 'Remove My desk' })).toBeVisible()
    await page.goto('/dashboard')
    await logOut(page)
    await page.getByLabel('Email', { exact: true }).focus()
    await onDashboard(page, email)
    await expect((await openAccountMenu(page)).getByText('with a passkey')).toBeVisible()
  },
)

test('4.5 a passkey completes the second step', DESKTOP_ONLY, async ({ page, portico }) => {
  const device = await virtualAuthenticator(page)
  const email = await newUser(page, portico)
  await openSecurity(page)
  await addPasskey(page)
  await press(page, 'Codes by email')
  await dialog(page, 'Turn on codes by email').getByRole('button', { name: 'Turn on' }).click()
  await expectState(page, 'Codes by email', 'On')
  await page.goto('/dashboard')
  // The email field must not trigger a passkey sign-in this time.
  await device.sleep()
  await logOut(page)
  await logIn(page, { email, password: STRONG_PASSWORD })
  const modal = dialog(page, 'Two-step verification')
  await modal.getByRole('button', { name: 'Use a passkey' }).click()
  await device.wake()
  await modal.getByRole('button', { name: 'Use your passkey' }).click()
  await onDashboard(page, email)
  await expect((await openAccountMenu(page)).getByText('with a password')).toBeVisible()
})

test(
  '4.5 a phone is added with the code it was sent, asked for at the next sign-in, and removed',
  DESKTOP_ONLY,
  async ({ page, portico }) => {
    const [number, shown] = ['+12015550131', '(201) 555-0131']
    const email = await newUser(page, portico)
    await openSecurity(page)
    await press(page, 'Add a phone')
    const modal = dialog(page, 'Add a phone')
    await modal.getByLabel('Phone number').fill('911')
    await modal.getByRole('button', { name: 'Send code' }).click()
    await expect(modal.getByText('Please enter a valid phone number.')).toBeVisible()
    await modal.getByLabel('Phone number').fill('201 555 0131')
    await modal.getByRole('button', { name: 'Send code' }).click()
    const code = modal.getByLabel('Code from the text message')
    await code.fill('000000')
    await expect(modal.getByRole('alert')).toContainText('The passcode is incorrect.')
    const first = await portico.passcode(number)
    await code.fill(first)
    await expect(modal).toBeHidden()
    await expect(page.getByRole('button', { name: `Remove ${shown}` })).toBeVisible()

    await page.goto('/dashboard')
    await logOut(page)
    await logIn(page, { email, password: STRONG_PASSWORD })
    await page.getByLabel('Verification code').fill(await portico.passcode(number, first))
    await onDashboard(page, email)

    await openSecurity(page)
    await press(page, `Remove ${shown}`)
    const removal = dialog(page, 'Remove a phone')
    const registration = await portico.passcode(email)
    await removal.getByRole('button', { name: 'Remove' }).click()
    // The password is as young as the account, so a code by email confirms.
    const confirmation = dialog(page, "Confirm it's you")
    await confirmation.getByRole('button', { name: 'Send email' }).click()
    await confirmation.getByLabel('Code').fill(await portico.passcode(email, registration))
    await expect(confirmation).toBeHidden()
    await expect(removal).toBeHidden()
    await expect(page.getByRole('button', { name: `Remove ${shown}` })).toBeHidden()
    await page.goto('/dashboard')
    await logOut(page)
    await logIn(page, { email, password: STRONG_PASSWORD })
    await onDashboard(page, email)
  },
)

test(
  'a change requires a confirmation once the last one is older than five minutes, and then continues on its own',
  EXHAUSTIVE,
  async ({ browser, complaints }) => {
    await using server = await agedServer()
    const context = await browser.newContext({ baseURL: server.url })
    const page = await context.newPage()
    watch(page, server.url, complaints)
    const device = await virtualAuthenticator(page)
    const own = porticoAt(server.url)
    const email = await newUser(page, own)
    await openSecurity(page)
    await addPasskey(page)
    await server.age(6 * 60_000)

    await press(page, 'Codes by email')
    await dialog(page, 'Turn on codes by email').getByRole('button', { name: 'Turn on' }).click()
    const confirmation = dialog(page, "Confirm it's you")
    // The password of a registration confirms nothing for a day.
    await expect(confirmation.getByRole('button', { name: 'Use your password' })).toHaveCount(0)
    const sent = await own.passcode(email)
    await confirmation.getByRole('button', { name: 'Send email' }).click()
    const code = await own.passcode(email, sent)
    await confirmation.getByLabel('Code').fill(code === '000000' ? '000001' : '000000')
    await expect(confirmation.getByRole('alert')).toBeVisible()
    // Without confirmation nothing changes.
    await confirmation.getByRole('button', { name: 'Close' }).click()
    await dialog(page, 'Turn on codes by email').getByRole('button', { name: 'Close' }).click()
    await expectState(page, 'Codes by email', 'Off')

    await press(page, 'Password')
    await choosePassword(dialog(page, 'Change password'), 'velvet-harbour-93-lantern')
    // A passkey that this session added does not confirm it.
    await expect(confirmation.getByRole('button', { name: /^Use a/ })).toHaveCount(0)
    await confirmation.getByRole('button', { name: 'Send email' }).click()
    await confirmation.getByLabel('Code').fill(await own.passcode(email, code))
    await expect(confirmation).toBeHidden()
    await expect(page.getByText('Your password has been set.')).toBeVisible()
    await expect.poll(() => own.subjects(email)).toContain('Your Figure password was changed')

    // By passkey, after user verification; a canceled browser dialog is not an error.
    await logOut(page)
    await logIn(page, { email, password: 'velvet-harbour-93-lantern' })
    await onDashboard(page, email)
    await openSecurity(page)
    await press(page, 'Codes by email')
    await dialog(page, 'Turn on codes by email').getByRole('button', { name: 'Turn on' }).click()
    await confirmation.getByRole('button', { name: 'Use a passkey' }).click()
    const useIt = confirmation.getByRole('button', { name: 'Use your passkey' })
    await expect(useIt).toBeFocused()
    await device.before('stranger')
    await useIt.click()
    await expect(confirmation.getByRole('status')).toContainText('No passkey was used.')
    await expect(confirmation.getByRole('alert')).toBeHidden()
    await expect(useIt).toBeFocused()
    await expectGood(page)
    await device.before('owner')
    await useIt.click()
    await expect(confirmation).toBeHidden()
    await expectState(page, 'Codes by email', 'On')
    await context.close()
  },
)

test(
  'a session in another browser is listed and ended',
  DESKTOP_ONLY,
  async ({ page, browser, portico, complaints }) => {
    const email = await newUser(page, portico)
    const elsewhere = await browser.newContext({ baseURL: portico.url })
    const other = await elsewhere.newPage()
    watch(other, portico.url, complaints)
    await visit(other, '/auth/login')
    await logIn(other, { email, password: STRONG_PASSWORD })
    await onDashboard(other, email)
    await openSecurity(page)
    await page.getByRole('button', { name: /^Log out (?!everywhere)/ }).click()
    await dialog(page, 'Log out a device').getByRole('button', { name: 'Log out' }).click()
    await expect(page.getByRole('button', { name: 'Log out everywhere else' })).toBeHidden()
    await other.goto('/dashboard/security')
    await expect(other).toHaveURL(/\/auth\/login\?redirectUrl=%2Fdashboard%2Fsecurity/)
    await elsewhere.close()
  },
)

test(
  'logging out everywhere leads to the login page, and back afterwards',
  DESKTOP_ONLY,
  async ({ page, portico }) => {
    await newUser(page, portico)
    await openSecurity(page)
    await press(page, 'Log out everywhere')
    await dialog(page, 'Log out everywhere').getByRole('button', { name: 'Log out' }).click()
    await expect(page).toHaveURL(/\/auth\/login\?redirectUrl=%2Fdashboard%2Fsecurity/)
  },
)

test(
  'without a connection the page says so, and continues when it is back',
  DESKTOP_ONLY,
  async ({ page, portico }) => {
    await newUser(page, portico)
    await openSecurity(page)
    await press(page, 'Password')
    const modal = dialog(page, 'Change password')
    await expect(modal).toBeVisible()
    await page.route('**/identity/secure/api/v1/security', (route) => route.abort())
    await modal.getByRole('button', { name: 'Close' }).click()
    await expect(page.getByText('We could not reach the server')).toBeVisible()
    await page.unrouteAll()
    await press(page, 'Try again')
    await expect(page.getByText('We could not reach the server')).toBeHidden()
  },
)

test(
  '2.8 the security page and its dialogs: axe finds nothing and nothing overflows',
  DESKTOP_FIRST,
  async ({ page, portico }) => {
    await newUser(page, portico)
    await openSecurity(page)
    await expectGood(page)
    for (const [button, title] of [
      ['Authenticator app', 'Set up an authenticator app'],
      ['Add a phone', 'Add a phone'],
      ['Recovery questions', 'Recovery questions'],
      ['Password', 'Change password'],
      ['Email address', 'Change your email address'],
      ['Delete your account', 'Delete your account'],
    ] as const) {
      await press(page, button)
      const modal = dialog(page, title)
      await expect(modal.getByRole('textbox').first()).toBeVisible()
      await expectGood(page)
      await modal.getByRole('button', { name: 'Close' }).click()
      await expect(modal).toBeHidden()
    }
  },
)
