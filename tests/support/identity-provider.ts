/** Signing in at the demonstration's identity providers, as a browser does it. */
import { BROKER, type UserType } from '@portico/contracts/broker'
import { ORGANIZATION_HEADER } from '@portico/contracts/limits'
import type { Browser, Credentials } from './browser.ts'

/** The demonstration's users of identity providers, and the organizations that they belong to. */
export const PROVIDER_PEOPLE = {
  customer: { email: 'nora.north@northgale.example', password: 'meadow-compass-52-cobalt' },
  /** Has an account from before. */
  known: { email: 'nils.north@northgale.example', password: 'thistle-harbor-31-amber' },
  /** Has an address of a domain that the organization does not own. */
  guest: { email: 'gus.guest@elsewhere.example', password: 'lantern-pebble-47-osprey' },
  agent: { email: 'abel.agent@willow-brokers.example', password: 'juniper-cabin-68-falcon' },
} as const

/** The users of the SAML provider. */
export const SAML_PEOPLE = {
  customer: { email: 'fern.fields@fernhollow.example', password: 'bramble-signal-35-walnut' },
  agent: { email: 'quincy.quarry@quarry-brokers.example', password: 'granite-whistle-82-plover' },
} as const

const ORGANIZATIONS: Readonly<Record<UserType, string>> = {
  customer: 'NORTHGALE',
  agent: 'FIGURE_WHOLESALE',
}
const SAML_ORGANIZATIONS: Readonly<Record<UserType, string>> = {
  customer: 'FERNHOLLOW',
  agent: 'GRANITE_LOOP',
}

/** Begins a login. The redirect is absent if the page should log in without the provider. */
export function beginAt(
  browser: Browser,
  userType: UserType,
  body: { email?: string; telemetryTrackingId?: string } = {},
  organization = ORGANIZATIONS[userType],
): Promise<{ redirect?: string | undefined; state?: string | undefined }> {
  const headers = { [ORGANIZATION_HEADER]: organization }
  return browser.call(BROKER[userType].beginLogin, { body, headers })
}

/** Signs in at the provider. Returns the callback URL to which it sends the browser, without opening it. */
export async function signInAtProvider(
  browser: Browser,
  redirect: string,
  { email, password }: Credentials,
): Promise<string> {
  let url = redirect
  let filledIn = false
  for (let hop = 0; hop < 10; hop += 1) {
    if (new URL(url).pathname.startsWith('/identity-broker/')) return url
    const response = await browser.fetch(url)
    const next = response.headers.get('location')
    if (next !== null) {
      url = new URL(next, url).href
      continue
    }
    if (filledIn) throw new Error(`The provider did not accept the password: ${response.status}`)
    const answer = await browser.fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ email, password }).toString(),
    })
    filledIn = true
    url = new URL(answer.headers.get('location') ?? url, url).href
  }
  throw new Error(`The provider redirects in a loop at ${url}`)
}

/** Begins a login and signs in at the provider, up to the callback. */
export async function upToCallback(
  browser: Browser,
  userType: UserType,
  who: Credentials,
): Promise<{ readonly callback: string; readonly state: string }> {
  const { redirect, state } = await beginAt(browser, userType)
  if (redirect === undefined || state === undefined) throw new Error('No login began')
  return { callback: await signInAtProvider(browser, redirect, who), state }
}

/** Logs in and stores the token. */
export async function logInByProvider(
  browser: Browser,
  userType: UserType,
  who: Credentials,
): Promise<void> {
  const { callback, state } = await upToCallback(browser, userType, who)
  const response = await browser.fetch(callback)
  if (response.status !== 302) throw new Error(`The callback refused: ${await response.text()}`)
  const { jwt = '' } = await browser.call(BROKER[userType].redeemLogin, { body: { state } })
  browser.jwt.write(jwt)
}

/** A form of another page, as the browser sends it. */
export function sendForm(
  browser: Browser,
  url: string,
  fields: Readonly<Record<string, string>>,
): Promise<Response> {
  return browser.fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })
}

/** The form that a page of a SAML provider sends at once. */
export function sentForm(page: string): { action: string; fields: Record<string, string> } {
  const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1] ?? ''
  const inputs = page.matchAll(/<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)
  const fields = [...inputs].map(([, name = '', value = '']) => [name, unescaped(value)])
  return { action: unescaped(action), fields: Object.fromEntries(fields) }
}

function unescaped(html: string): string {
  return html
    .replace(/&#(?:x([0-9a-f]+)|([0-9]+));/gi, (_, hexadecimal?: string, decimal?: string) =>
      String.fromCodePoint(hexadecimal ? Number.parseInt(hexadecimal, 16) : Number(decimal)),
    )
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

/** Begins a login at the SAML provider. */
export async function beginSaml(
  browser: Browser,
  userType: UserType,
  body: { email?: string } = {},
): Promise<{ readonly redirect: string; readonly state: string }> {
  const login = await beginAt(browser, userType, body, SAML_ORGANIZATIONS[userType])
  if (login.redirect === undefined || login.state === undefined) throw new Error('No login began')
  return { redirect: login.redirect, state: login.state }
}

/** Signs in at the SAML provider, sends its answer to the callback, and stores the token. */
export async function logInBySaml(
  browser: Browser,
  userType: UserType,
  { email, password }: Credentials,
): Promise<void> {
  const { redirect, state } = await beginSaml(browser, userType)
  const page = await sendForm(browser, redirect, { email, password })
  const { action, fields } = sentForm(await page.text())
  const response = await sendForm(browser, action, fields)
  if (response.status !== 303) throw new Error(`The callback refused: ${await response.text()}`)
  const { jwt = '' } = await browser.call(BROKER[userType].redeemLogin, { body: { state } })
  browser.jwt.write(jwt)
}
