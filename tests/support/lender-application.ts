/** An application of the lender that signs its users in through Portico, with a published client library. */

import { createServer } from 'node:http'
import type { Data } from '@portico/server/load-data'
import * as client from 'openid-client'
import { vi } from 'vitest'
import type { Browser } from './browser.ts'
import { listen } from './listen.ts'
import type { aWorld } from './world.ts'

type ClientFile = Data['clients'][number]
type World = Awaited<ReturnType<typeof aWorld>>

/** The client of the demonstration. */
const LENDER_APP = {
  clientId: 'lender-app',
  secret: 'demonstration-secret' as string | undefined,
  redirectUri: 'http://localhost:3000/callback',
}

/** A request that an application began, and what it checks the answer against. */
export interface Begun {
  readonly url: string
  readonly verifier: string
  readonly state: string
  readonly nonce: string
}

export async function lenderApplication(
  world: Pick<World, 'origin' | 'url'>,
  { clientId, secret, redirectUri } = LENDER_APP,
) {
  const authentication = secret === undefined ? client.None() : client.ClientSecretBasic(secret)
  const configuration = await client.discovery(
    new URL(`${world.origin}/oidc`),
    clientId,
    undefined,
    authentication,
    // oxlint-disable-next-line typescript/no-deprecated -- deprecated only to stand out
    { execute: [client.allowInsecureRequests] },
  )

  async function begin(params: Readonly<Record<string, string>> = {}): Promise<Begun> {
    const verifier = client.randomPKCECodeVerifier()
    const [state, nonce] = [client.randomState(), client.randomNonce()]
    const { href } = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid email',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
      ...params,
    })
    return { url: href, verifier, state, nonce }
  }

  const exchange = ({ verifier, state, nonce }: Begun, callback: URL | string) =>
    client.authorizationCodeGrant(configuration, new URL(callback), {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
    })

  /** Signs in with a browser that has a session. */
  async function signIn(browser: Browser, params: Readonly<Record<string, string>> = {}) {
    const begun = await begin(params)
    return exchange(begun, await follow(browser, begun.url))
  }

  return {
    begin,
    exchange,
    signIn,
    refresh: (token: string) => client.refreshTokenGrant(configuration, token),
    logoutUrl: (params: Readonly<Record<string, string>> = {}) =>
      client.buildEndSessionUrl(configuration, params).href,
    userInfo: (accessToken: string, sub: string) =>
      client.fetchUserInfo(configuration, accessToken, sub),
    introspect: (token: string) => client.tokenIntrospection(configuration, token),
    /** Posts to an endpoint without the library, which would refuse to send what an attacker sends. */
    post: (path: string, form: Readonly<Record<string, string>>, headers: HeadersInit = {}) =>
      fetch(`${world.url}/oidc/${path}`, {
        method: 'POST',
        headers: {
          ...(secret === undefined ? {} : basic(clientId, secret)),
          ...(headers as Record<string, string>),
        },
        body: new URLSearchParams(form),
      }),
  }
}

export const basic = (clientId: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
})

/** Follows redirects until a page opens or another origin is reached. Returns its address. */
export async function follow(browser: Browser, from: string): Promise<string> {
  let url = new URL(from)
  const { origin } = url
  for (;;) {
    const response = await browser.fetch(url.href, { headers: { accept: 'text/html' } })
    const location = response.headers.get('location')
    if (location === null) return url.href
    url = new URL(location, url)
    if (url.origin !== origin) return url.href
  }
}

/** The server of an application that receives logout tokens, and its client. */
export async function logoutReceiver({ clientId = 'receiver', answers = true } = {}) {
  const received: Record<string, unknown>[] = []
  let unanswered = 0
  const server = createServer((request, response) => {
    unanswered += 1
    response.on('close', () => {
      unanswered -= 1
    })
    request.setEncoding('utf8').on('data', (body: string) => {
      const token = new URLSearchParams(body).get('logout_token') ?? ''
      const [, claims = ''] = token.split('.')
      received.push(JSON.parse(Buffer.from(claims, 'base64url').toString()))
      if (answers) response.end()
    })
  })
  const port = await listen(server)
  const origin = `http://127.0.0.1:${port}`
  const application = {
    clientId,
    secret: undefined,
    redirectUri: `${origin}/callback`,
  }
  return {
    application,
    client: publicClient(clientId, {
      redirectUris: [application.redirectUri],
      backChannelLogoutUri: `${origin}/back-channel-logout`,
    }),
    waiting: () => received.length,
    /** The notices whose senders still wait for an answer. */
    unanswered: () => unanswered,
    async next(): Promise<Record<string, unknown>> {
      await vi.waitUntil(() => received.length > 0, { timeout: 10_000 })
      return received.shift() ?? {}
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A client without a secret. */
export function publicClient(clientId: string, fields: Partial<ClientFile> = {}): ClientFile {
  return {
    clientId,
    name: clientId,
    organization: 'FIGURE',
    alsoOrganizations: [],
    enabled: true,
    demonstration: true,
    authentication: 'none',
    secretHashes: [],
    publicKeys: [],
    redirectUris: [LENDER_APP.redirectUri],
    postLogoutRedirectUris: [],
    backChannelLogoutUri: undefined,
    scopes: ['openid', 'email', 'wallet'],
    pushedRequestsOnly: false,
    ...fields,
  }
}

export type LenderApplication = Awaited<ReturnType<typeof lenderApplication>>
