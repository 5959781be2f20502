/**
 * RP-Initiated Logout (OpenID Connect). The library's implementation needs its own session type. A request whose ID token
 * proves that it comes from an application of this session ends the session at once; any other asks the user first, so that
 * arbitrary pages cannot log users out.
 */
import { readPayload } from '@portico/keys/read-jwt'
import type { Client, Provider } from 'oidc-provider'
import type { OpenSession } from '../sessions/sessions.ts'
import { sessionIdAt } from './provider-session.ts'

const PARAMS = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state'] as const

/** A logout request with verified addresses. */
export interface LogoutRequest {
  /** The parameters to resend once the user has agreed. */
  readonly params: ReadonlyMap<string, string>
  /** Where the browser is redirected afterwards. */
  readonly returnTo: string | undefined
  /** Whether the application has proved that it belongs to the session. */
  readonly isProven: boolean
}

/** Validates a request; undefined if it must not be served. */
export async function readLogoutRequest(
  provider: Provider,
  query: URLSearchParams,
  session: OpenSession | undefined,
): Promise<LogoutRequest | undefined> {
  const params = new Map<string, string>()
  for (const name of PARAMS) {
    const values = query.getAll(name)
    if (values.length > 1) return undefined
    const [value = ''] = values
    if (value !== '') params.set(name, value)
  }
  const idToken = params.get('id_token_hint')
  const clientId = params.get('client_id') ?? audienceOf(idToken)
  const client = clientId === undefined ? undefined : await findClient(provider, clientId)
  if (clientId !== undefined && client === undefined) return undefined
  const uri = params.get('post_logout_redirect_uri')
  // Without a client, any address would be accepted.
  if (uri !== undefined && client?.postLogoutRedirectUriAllowed(uri) !== true) return undefined
  const hint = client && idToken ? await verify(provider, idToken, client) : undefined
  if (idToken !== undefined && hint === undefined) return undefined
  const isProven =
    session !== undefined &&
    client !== undefined &&
    hint?.payload.sub === session.identityId &&
    hint.payload.sid === sessionIdAt(client.clientId, session.id)
  return { params, returnTo: uri && addressWith(uri, params.get('state')), isProven }
}

function audienceOf(idToken: string | undefined): string | undefined {
  const audience = idToken && readPayload(idToken)?.['aud']
  return typeof audience === 'string' ? audience : undefined
}

async function findClient(provider: Provider, clientId: string): Promise<Client | undefined> {
  try {
    return await provider.Client.find(clientId)
  } catch {
    return undefined // A client that the library rejects also counts as unknown.
  }
}

/** The content of an ID token of this client; undefined if it is not valid. */
async function verify(provider: Provider, idToken: string, client: Client) {
  try {
    return await provider.IdToken.validate(idToken, client)
  } catch {
    return undefined
  }
}

function addressWith(uri: string, state: string | undefined): string {
  const url = new URL(uri)
  if (state !== undefined) url.searchParams.set('state', state)
  return url.href
}
