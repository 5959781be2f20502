/** An application with a different client library from the one in `tests/journeys/openid-provider.test.ts`. */
import { InMemoryWebStorage, OidcClient, WebStorageStateStore } from 'oidc-client-ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { follow, publicClient } from '../support/lender-application.ts'
import { PEOPLE } from '../support/people.ts'
import { aWorld } from '../support/world.ts'

const CALLBACK = 'https://app.lender.example/callback'
const GOODBYE = 'https://app.lender.example/goodbye'

let world: Awaited<ReturnType<typeof aWorld>>
let client: OidcClient
beforeAll(async () => {
  world = await aWorld().withClients([
    publicClient('single-page', {
      redirectUris: [CALLBACK],
      postLogoutRedirectUris: [GOODBYE],
    }),
  ])
  client = new OidcClient({
    authority: `${world.origin}/oidc`,
    client_id: 'single-page',
    redirect_uri: CALLBACK,
    post_logout_redirect_uri: GOODBYE,
    scope: 'openid email',
    loadUserInfo: true,
    stateStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
  })
})
afterAll(() => world[Symbol.asyncDispose]())

test('the library signs a user in, refreshes, reads UserInfo and logs out', async () => {
  const browser = world.browser()
  const request = await client.createSigninRequest({ login_hint: PEOPLE.plain.email })
  const page = new URL(await follow(browser, request.url))
  expect(page.pathname).toBe('/auth/login')
  await browser.signIn(PEOPLE.plain)
  const back = `${world.origin}${page.searchParams.get('redirectUrl')}`
  const signedIn = await client.processSigninResponse(await follow(browser, back))
  expect(signedIn.profile).toMatchObject({ email: PEOPLE.plain.email, organization: 'FIGURE' })

  const refreshed = await client.useRefreshToken({
    state: {
      ...(signedIn.id_token !== undefined && { id_token: signedIn.id_token }),
      session_state: null,
      refresh_token: signedIn.refresh_token ?? '',
      profile: signedIn.profile,
    },
  })
  expect(refreshed.access_token).not.toBe(signedIn.access_token)

  const logout = await client.createSignoutRequest({
    id_token_hint: signedIn.id_token ?? '',
    state: 'bye',
  })
  const goodbye = await follow(browser, logout.url)
  expect(goodbye.startsWith(GOODBYE)).toBe(true)
  await client.processSignoutResponse(goodbye)
  await expect(
    client.useRefreshToken({
      state: {
        session_state: null,
        refresh_token: refreshed.refresh_token ?? '',
        profile: signedIn.profile,
      },
    }),
  ).rejects.toMatchObject({ error: 'invalid_grant' })
})
