/** An OpenID Connect provider under an attacker's control: it signs whatever a test tells it to. */
import {
  createHmac,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign as signBytes,
} from 'node:crypto'
import { createServer } from 'node:http'
import { listen } from '../../support/listen.ts'

type Claims = Record<string, unknown>

/** How a response differs from a valid one. */
export interface Forgery {
  readonly claims?: Claims
  readonly header?: Claims
  /** Replaces the token after it was signed. */
  readonly token?: (token: string) => string | undefined
  /** The key that signs; by default the published one. */
  readonly key?: KeyObject
  /** Replaces the token endpoint's response. */
  readonly answer?: (answer: Claims) => { readonly status?: number; readonly body: string }
}

export interface ForgingProvider extends AsyncDisposable {
  readonly issuer: string
  readonly publicKey: KeyObject
  /** Another key, published or not. */
  readonly otherKey: KeyObject
  /** Replaces fields of the metadata. */
  readonly publish: (metadata: Claims) => void
  /** Publishes this key instead of the first one. */
  readonly rotate: (key: 'first' | 'other' | 'both') => void
  readonly stop: () => void
  /** From now on the provider accepts requests but does not respond. */
  readonly silence: () => void
  /** Publishes a user info endpoint, which answers with these claims as a signed token, or as what the forgery makes of it. */
  readonly serveUserInfo: (
    claims: Claims,
    forgery?: Omit<Forgery, 'answer'> & { readonly type?: string },
  ) => void
  /** Completes a login: returns the URL that the browser is redirected to. */
  readonly answerTo: (redirect: string, claims: Claims, forgery?: Forgery) => URL
}

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

export async function forgingProvider(): Promise<ForgingProvider> {
  const first = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = (key: KeyObject, kid: string) => ({
    ...key.export({ format: 'jwk' }),
    kid,
    use: 'sig',
    alg: 'ES256',
  })
  let published = [jwk(first.publicKey, 'first')]
  let metadata: Claims = {}
  let isStopped = false
  let isSilent = false
  const answers = new Map<string, { status?: number; body: string }>()
  let userInfo: { type: string; body: string } | undefined

  const signed = (
    payload: Claims,
    { header = {}, key = first.privateKey, token = (text: string) => text }: Forgery,
  ) => {
    const input = `${base64({ alg: 'ES256', typ: 'JWT', kid: 'first', ...header })}.${base64(payload)}`
    const signature = signBytes('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
    return token(`${input}.${signature.toString('base64url')}`)
  }

  const server = createServer((request, response) => {
    if (isStopped) {
      response.destroy()
      return
    }
    if (isSilent) return
    const send = (body: string, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    switch (request.url) {
      case '/.well-known/openid-configuration':
        return send(
          JSON.stringify({
            issuer,
            authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: `${issuer}/token`,
            jwks_uri: `${issuer}/jwks`,
            response_types_supported: ['code'],
            subject_types_supported: ['public'],
            id_token_signing_alg_values_supported: ['ES256', 'HS256', 'none'],
            ...(userInfo && { userinfo_endpoint: `${issuer}/userinfo` }),
            ...metadata,
          }),
        )
      case '/jwks':
        return send(JSON.stringify({ keys: published }))
      case '/userinfo':
        response.writeHead(200, { 'content-type': userInfo?.type }).end(userInfo?.body)
        return
      case '/token': {
        let body = ''
        request.setEncoding('utf8')
        request.on('data', (chunk: string) => {
          body += chunk
        })
        request.on('end', () => {
          const found = answers.get(new URLSearchParams(body).get('code') ?? '')
          send(found?.body ?? '{"error":"invalid_grant"}', found === undefined ? 400 : found.status)
        })
        return
      }
      default:
        return send('{}', 404)
    }
  })
  const port = await listen(server)
  const issuer = `http://127.0.0.1:${port}`

  return {
    issuer,
    publicKey: first.publicKey,
    otherKey: other.privateKey,
    publish(changes) {
      metadata = changes
    },
    rotate(which) {
      published = [
        ...(which === 'other' ? [] : [jwk(first.publicKey, 'first')]),
        ...(which === 'first' ? [] : [jwk(other.publicKey, 'other')]),
      ]
    },
    stop() {
      isStopped = true
    },
    silence() {
      isSilent = true
    },
    serveUserInfo(claims, { type = 'application/jwt', ...forgery } = {}) {
      const payload = { iss: issuer, ...claims, ...forgery.claims }
      userInfo = { type, body: signed(payload, forgery) ?? JSON.stringify(payload) }
    },
    answerTo(redirect, claims, forgery = {}) {
      const query = new URL(redirect).searchParams
      const now = Math.floor(Date.now() / 1000)
      const payload = {
        iss: issuer,
        aud: query.get('client_id'),
        nonce: query.get('nonce'),
        iat: now,
        exp: now + 300,
        ...claims,
        ...forgery.claims,
      }
      const idToken = signed(payload, forgery)
      const answer = {
        access_token: randomBytes(16).toString('hex'),
        token_type: 'Bearer',
        ...(idToken === undefined ? {} : { id_token: idToken }),
      }
      const code = randomBytes(16).toString('hex')
      answers.set(code, forgery.answer?.(answer) ?? { body: JSON.stringify(answer) })
      const url = new URL(query.get('redirect_uri') ?? '')
      url.search = new URLSearchParams({ code, state: query.get('state') ?? '' }).toString()
      return url
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

/** Re-signs a token with the public key as a shared secret. */
export function signedWithSecret(token: string, secret: string): string {
  const [, payload = ''] = token.split('.')
  const input = `${base64({ alg: 'HS256', typ: 'JWT', kid: 'first' })}.${payload}`
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

/** A token without a signature. */
export function unsigned(token: string): string {
  const [, payload = ''] = token.split('.')
  return `${base64({ alg: 'none', typ: 'JWT' })}.${payload}.`
}

/** The token with changed claims under the old signature. */
export function tampered(token: string, changes: Claims): string {
  const [header = '', payload = '', signature = ''] = token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims
  return `${header}.${base64({ ...claims, ...changes })}.${signature}`
}
