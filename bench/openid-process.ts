// The baseline of the OpenID figures: the library alone, with its memory adapter and one user.
import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const server = createServer()
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo // A listening TCP server has this type.
  const provider: Provider = new Provider(`http://127.0.0.1:${port}`, {
    clients: [
      {
        client_id: 'lender-app',
        client_secret: 'demonstration-secret',
        redirect_uris: ['http://localhost:3000/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['bench'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, email: 'person@bench.example', email_verified: true }),
    }),
    interactions: { url: () => '/interaction' },
    issueRefreshToken: () => true,
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }] },
    loadExistingGrant: async ({ oidc }: { oidc: { session?: { accountId?: string } } }) => {
      const accountId = oidc.session?.accountId
      if (accountId === undefined) return undefined
      const grant = new provider.Grant({ accountId, clientId: 'lender-app' })
      grant.addOIDCScope('openid email')
      await grant.save()
      return grant
    },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    routes: { authorization: '/authorize', token: '/token' },
  })
  const handle = provider.callback()
  server.on('request', (request, response) => {
    if (request.url !== '/interaction') return void handle(request, response)
    const result = { login: { accountId: 'person' }, consent: {} }
    void provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  })
  process.send?.({ port })
})
process.on('message', () => process.send?.(process.cpuUsage()))
process.once('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
