/** User actions shared by tests. */

import { expect, type Locator, type Page } from '@playwright/test'
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import { authenticatorCode } from '../../support/authenticator.ts'
import { type Browser, openBrowser } from '../../support/browser.ts'
import { newEmail, type Portico, STRONG_PASSWORD } from './portico.ts'

/** An open dialog by its full title, because a toast is also a dialog and may contain part of it. */
export function dialog(page: Page, name: string): Locator {
  return page.getByRole('dialog', { name, exact: true })
}

/** Waits for hydration. */
export async function ready(page: Page): Promise<void> {
  await expect(page.locator('html[data-ready]')).toBeAttached()
}

/** Opens a page and waits for hydration. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await ready(page)
}

/** Fills and submits the login form. */
export async function logIn(
  page: Page,
  { email, password }: { email: string; password: string },
): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}

/**
 * Logs an operator in at a page of the console, with the authenticator. No code is accepted twice, so each demonstration
 * operator is used by one test only.
 */
export async function logInOperator(
  page: Page,
  who: { email: string; password: string; secret: string },
  path: string,
): Promise<void> {
  await page.goto(path)
  await expect(page).toHaveURL(`/auth/login?redirectUrl=${encodeURIComponent(path)}`)
  await logIn(page, who)
  await page.getByLabel('Verification code').fill(authenticatorCode(who.secret, Date.now()))
  await expect(page).toHaveURL(path)
}

/** Requests a passcode on the login page. */
export async function requestPasscode(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Use one-time passcode for logging into my account').check()
  await page.getByRole('button', { name: 'Send email' }).click()
}

/** Chooses a password when asked. */
export async function choosePassword(place: Page | Locator, password: string): Promise<void> {
  await place.locator('input[autocomplete="new-password"]').nth(0).fill(password)
  await place.locator('input[autocomplete="new-password"]').nth(1).fill(password)
  await place
    .locator('form')
    .getByRole('button', { name: /password|login|continue/i })
    .last()
    .click()
}

/** The field of a one-time code. */
export const codeField = (page: Page) => page.locator('input[autocomplete="one-time-code"]')

/** Submits the first step of a registration. */
export async function submitEmail(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.locator('form').getByRole('button').last().click()
}

/** Enters the mailed code and waits for the step that asks for a password. */
export async function verifyEmail(page: Page, portico: Portico, email: string): Promise<void> {
  await codeField(page).fill(await portico.passcode(email))
  await expect(page.locator('input[autocomplete="new-password"]').first()).toBeVisible()
}

/** Registers a new person, from the first page to the dashboard; returns the address. */
export async function register(page: Page, portico: Portico): Promise<string> {
  const email = newEmail()
  await visit(page, '/auth/register')
  await submitEmail(page, email)
  await verifyEmail(page, portico, email)
  await choosePassword(page, STRONG_PASSWORD)
  await onDashboard(page, email)
  return email
}

/** Registers a new person without a page: most tests need one, and one tests the pages. Returns the address. */
export async function newPerson(portico: Portico): Promise<string> {
  const { email } = await registered(portico)
  return email
}

/** Opens the dashboard of a new person, registered without a page, whose session is confirmed; returns the address. */
export async function newUser(page: Page, portico: Portico): Promise<string> {
  const { email, logOut } = await registered(portico)
  // Only the page's own session remains.
  await logOut()
  await logInWithoutPage(page, portico, email)
  return email
}

/** Opens the dashboard of a person in a new session, which is confirmed. */
export async function logInWithoutPage(page: Page, portico: Portico, email: string): Promise<void> {
  const { url, passcode } = portico
  let code = await passcode(email)
  const { cookies, jwt, signInByPasscode, confirmByMail } = openBrowser({
    url: () => url,
    origin: () => url,
    passcode: async (to) => {
      code = await passcode(to, code)
      return code
    },
  })
  // A login by password would have to solve the bot check, and that of a registration confirms nothing for a day.
  await signInByPasscode(email)
  await confirmByMail(email)
  await page
    .context()
    .addCookies([...cookies].map(([name, value]) => ({ name, value, url, httpOnly: true })))
  // Any response from the origin, without a script that reads the storage.
  await page.goto(`${url}/.well-known/jwks.json`)
  await page.evaluate(({ key, token }) => localStorage.setItem(key, token), {
    key: STORAGE_KEYS.jwt,
    token: jwt.read() ?? '',
  })
  await page.goto(`${url}/dashboard`)
  await onDashboard(page, email)
}

async function registered({ url, passcode }: Portico): Promise<Browser & { email: string }> {
  const email = newEmail()
  const browser = openBrowser({ url: () => url, origin: () => url, passcode })
  await browser.register({ email, password: STRONG_PASSWORD })
  return { ...browser, email }
}

/** The button of the account menu, which names who is signed in. */
export const accountButton = (page: Page) => page.getByRole('button', { name: /^Your account, / })

export async function onDashboard(page: Page, email: string): Promise<void> {
  await expect(page).toHaveURL(/\/dashboard$/)
  await ready(page)
  await expect(accountButton(page)).toHaveAccessibleName(`Your account, ${email}`)
}

/** Opens the menu with the session's details. */
export async function openAccountMenu(page: Page): Promise<Locator> {
  await accountButton(page).click()
  const menu = page.getByRole('dialog', { name: /^Your account, / })
  await expect(menu).toBeVisible()
  return menu
}

/** Opens a page of the main navigation. */
export async function openPage(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeFocused()
}

/** Opens the page of the wallet from the first page. */
export async function openWalletPage(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Open your wallet' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Wallet' })).toBeFocused()
}

export async function logOut(page: Page): Promise<void> {
  const menu = await openAccountMenu(page)
  await menu.getByRole('link', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/\/auth\/login/)
  await ready(page)
}
