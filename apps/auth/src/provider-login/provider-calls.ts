import { ApiError } from '@portico/client/api-error'
import { APPLICATION_NAME_HEADER, BROKER, type UserType } from '@portico/contracts/broker'
import type { Parsed } from '@portico/contracts/call'
import { readIdentity } from '@portico/contracts/identity'
import { BEARER_PREFIX } from '@portico/contracts/storage-keys'
import { emailParameter } from '@portico/rules/email-parameter'
import type { Environment } from '../environment.ts'
import { storedLogins } from './stored-login.ts'

const NAMED = { [APPLICATION_NAME_HEADER]: 'auth' }

type BeginDeps = Pick<Environment, 'client' | 'location' | 'storage' | 'telemetry'>

/**
 * Begins a login at the organization's identity provider and stores where it continues. Returns the provider's login URL,
 * or undefined if the provider does not serve the given address.
 */
export async function beginProviderLogin(
  { client, location, storage, telemetry }: BeginDeps,
  { userType, email }: { userType: UserType; email?: string | undefined },
  signal: AbortSignal,
): Promise<string | undefined> {
  const { hash, searchParams } = location()
  const hint = emailParameter(searchParams)
  const telemetryTrackingId = telemetry.trackingId()
  const { redirect, state } = await client(BROKER[userType].beginLogin, {
    body: {
      ...(email === undefined ? {} : { email }),
      ...(hint === '' ? {} : { queryParams: { email: hint } }),
      ...(telemetryTrackingId === undefined ? {} : { telemetryTrackingId }),
    },
    headers: NAMED,
    signal,
  })
  if (redirect !== undefined && state !== undefined) {
    storedLogins(storage).write(state, { userType, search: continuedQuery(searchParams, hash) })
  }
  return redirect
}

/**
 * The login page's query without the parameters of an earlier provider login. Browsers carry the fragment of the redirect
 * target over to the login page's own URL, so it is moved back into the target.
 */
function continuedQuery(searchParams: URLSearchParams, hash: string): string {
  const query = new URLSearchParams(searchParams)
  for (const name of ['state', 'step', 'provider']) query.delete(name)
  const target = query.get('redirectUrl')
  if (target !== null && !target.includes('#')) query.set('redirectUrl', `${target}${hash}`)
  return query.toString()
}

/** Returns the token of the session that a login started, or the second step that it requires. It can be redeemed once. */
export async function redeemProviderLogin(
  client: Environment['client'],
  { userType, state }: { userType: UserType; state: string },
  signal: AbortSignal,
): Promise<RedeemedLogin> {
  return client(BROKER[userType].redeemLogin, { body: { state }, headers: NAMED, signal })
}

export type RedeemedLogin = Parsed<(typeof BROKER)[UserType]['redeemLogin']['answer']>

/** Connects an existing account with the emailed passcode; returns the session's token. */
export async function connectAccount(
  client: Environment['client'],
  { userType, state, token }: { userType: UserType; state: string; token: string },
  signal: AbortSignal,
): Promise<string> {
  const { jwt } = await client(BROKER[userType].linkAccount, {
    body: { state, token },
    headers: NAMED,
    signal,
  })
  return jwt
}

/** Emails another passcode to the account. */
export async function sendLinkCode(
  client: Environment['client'],
  { userType, state }: { userType: UserType; state: string },
  signal: AbortSignal,
): Promise<void> {
  await client(BROKER[userType].sendLinkCode, { body: { state }, headers: NAMED, signal })
}

/** Looks up the user at the broker and, if that fails, among our own identities. Returns whether either succeeded. */
export async function lookUpIdentity(
  client: Environment['client'],
  { userType, jwt }: { userType: UserType; jwt: string },
  signal: AbortSignal,
): Promise<boolean> {
  const headers = { ...NAMED, authorization: `${BEARER_PREFIX}${jwt}` }
  try {
    await client(BROKER[userType].readIdentity, { headers, signal })
    return true
  } catch {
    return client(readIdentity, { headers, signal }).then(() => true, isRefusal)
  }
}

/** Returns false if the server refused the lookup. @throws any other error */
function isRefusal(error: unknown): false {
  if (error instanceof ApiError && error.status >= 400 && error.status < 429) return false
  throw error
}

/** Ends the session here and returns the identity provider's logout URL. */
export async function logOutAtProvider(
  client: Environment['client'],
  { userType, authorization }: { userType: UserType; authorization: string },
  signal: AbortSignal,
): Promise<string> {
  const headers = { ...NAMED, authorization }
  return (await client(BROKER[userType].logOut, { headers, signal })).redirect
}
