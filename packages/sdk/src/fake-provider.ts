/** An OpenID provider for tests that issues any token a test needs. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

export const CLIENT = { clientId: 'lender-app', clientSecret: 'secret of the client' } as const

interface Issued {
  /** Claims to override; undefined omits one. */
  readonly claims?: Readonly<Record<string, unknown>>
  readonly header?: Readonly<Record<string, string>>
  readonly key?: CryptoKey | Uint8Array
}

export async function fakeProvider() {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const publicJwk = { ...(await exportJWK(publicKey)), kid: 'first', alg: 'ES256', use: 'sig' }
  const keys: object[] = [publicJwk]
  const requests: { path: string; form: URLSearchParams }[] = []
  /** The responses by path; other paths get 404. */
  const answers = new Map<string, (form: URLSearchParams) => object | Promise<object>>()

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    const form = new URLSearchParams(await text(request))
    requests.push({ path, form })
    const answer = await answers.get(path)?.(form)
    const isError = answer !== undefined && 'error' in answer
    response
      .writeHead(answer === undefined ? 404 : isError ? 400 : 200, {
        'content-type': 'application/json',
      })
      .end(JSON.stringify(answer ?? {}))
  }
  const server = createServer((request, response) => void respond(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // A listening TCP server has this type.
  const issuer = `http://127.0.0.1:${port}/oidc`
  answers.set('/oidc/.well-known/openid-configuration', () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    introspection_endpoint: `${issuer}/introspect`,
    revocation_endpoint: `${issuer}/revoke`,
    end_session_endpoint: `${issuer}/logout`,
    jwks_uri: `${issuer}/jwks`,
    id_token_signing_alg_values_supported: ['ES256'],
    authorization_response_iss_parameter_supported: true,
  }))
  answers.set('/oidc/jwks', () => ({ keys }))

  const now = () => Math.floor(Date.now() / 1000)
  const sign = ({ claims, header, key = privateKey }: Issued) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'first', ...header }).sign(key)

  return {
    issuer,
    publicJwk,
    keys,
    requests,
    answers,
    requestsOf: (path: string) => requests.filter((each) => each.path === `/oidc/${path}`),
    /** An ID token; valid by default. */
    idToken: ({ claims, ...rest }: Issued = {}) =>
      sign({
        claims: {
          iss: issuer,
          aud: CLIENT.clientId,
          sub: 'user-1',
          sid: 'session-1',
          iat: now(),
          exp: now() + 600,
          auth_time: now(),
          acr: 'one-factor',
          organization: 'HARBORLINE',
          email: 'avery@people.example',
          ...claims,
        },
        ...rest,
      }),
    /** A logout token; valid by default. */
    logoutToken: ({ claims, header, ...rest }: Issued = {}) =>
      sign({
        claims: {
          iss: issuer,
          aud: CLIENT.clientId,
          sub: 'user-1',
          sid: 'session-1',
          iat: now(),
          exp: now() + 120,
          jti: crypto.randomUUID(),
          events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
          ...claims,
        },
        header: { typ: 'logout+jwt', ...header },
        ...rest,
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
