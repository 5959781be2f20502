/** Signing in at the demonstration's identity provider, as a browser does it. */
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

const ORGANIZATIONS: Readonly<Record<UserType, string>> = {
  customer: 'NORTHGALE',
  agent: 'FIGURE_WHOLESALE',
}

/** Begins a login. The redirect is absent if the page should log in without the provider. */
export function beginAt(
  browser: Browser,
  userType: UserType,
  body: { email?: string; telemetryTrackingId?: string } = {},
): Promise<{ redirect?: string | undefined; state?: string | undefined }> {
  const headers = { [ORGANIZATION_HEADER]: ORGANIZATIONS[userType] }
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
  const { jwt } = await browser.call(BROKER[userType].redeemLogin, { body: { state } })
  browser.jwt.keep(jwt)
}
