import { createHash, randomBytes } from 'node:crypto'
import { child } from './child.ts'
import { type Figure, figure, perSecond } from './figure.ts'
import { type Engine, emailOf } from './seeds.ts'
import { aSite } from './sites.ts'

/** Users who sign in at the same time, each with a session of their own. */
const USERS = 8
const FLOWS = 40
const REFRESHES = 40

const CALLBACK = 'http://localhost:3000/callback'
const VERIFIER = randomBytes(32).toString('base64url')
const REQUEST = new URLSearchParams({
  client_id: 'lender-app',
  response_type: 'code',
  redirect_uri: CALLBACK,
  scope: 'openid email',
  code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  code_challenge_method: 'S256',
})
const CLIENT = `Basic ${Buffer.from('lender-app:demonstration-secret').toString('base64')}`

/** The authorization code flow and the refresh, against the library alone with its memory adapter. */
export async function openidFigures(engine: Engine, rounds: number): Promise<Figure[]> {
  await using site = await aSite(engine, USERS)
  await using product = await site.serve()
  await using library = child('openid-process.ts')
  const { port } = await library.receive<{ port: number }>()

  const own = `http://127.0.0.1:${product.port}/oidc`
  const ours = await Promise.all(
    Array.from({ length: USERS }, (_, index) =>
      signedIn(own, async (send) => {
        await send(new URL('/identity/api/v2/login', own).href, {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin: new URL(own).origin },
          body: JSON.stringify({ email: emailOf(index), password: site.password }),
        })
      }),
    ),
  )
  const bare = `http://127.0.0.1:${port}`
  const theirs = await Promise.all(
    Array.from({ length: USERS }, () => signedIn(bare, async () => undefined)),
  )

  const flows: Pairs = { ours: [], baseline: [] }
  const refreshes: Pairs = { ours: [], baseline: [] }
  for (let round = 0; round < rounds; round += 1) {
    flows.ours.push(await rate(ours, FLOWS, ({ flow }) => flow()))
    flows.baseline.push(await rate(theirs, FLOWS, ({ flow }) => flow()))
    refreshes.ours.push(await rate(ours, REFRESHES, ({ refresh }) => refresh()))
    refreshes.baseline.push(await rate(theirs, REFRESHES, ({ refresh }) => refresh()))
  }
  return [
    figure({
      figure: 'Code flows of 8 users with a session: request, code, tokens; the library in memory',
      on: engine,
      ...flows,
      write: perSecond,
    }),
    figure({
      figure: 'Refreshes of 8 users, each token once; the library in memory',
      on: engine,
      ...refreshes,
      write: perSecond,
    }),
  ]
}

interface Pairs {
  readonly ours: number[]
  readonly baseline: number[]
}

interface User {
  readonly flow: () => Promise<void>
  readonly refresh: () => Promise<void>
}

type Send = (url: string, init?: RequestInit) => Promise<Response>

/** A user with a session, who has completed the flow once. */
async function signedIn(issuer: string, logIn: (send: Send) => Promise<void>): Promise<User> {
  const cookies = new Map<string, string>()
  const send: Send = async (url, init = {}) => {
    const headers = new Headers(init.headers)
    headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '))
    // As behind a load balancer, so that no limit of a network applies.
    headers.set('x-forwarded-for', `10.${[...randomBytes(3)].join('.')}`)
    const response = await fetch(url, { redirect: 'manual', ...init, headers })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    return response
  }
  let refreshToken = ''
  const tokens = async (form: Readonly<Record<string, string>>) => {
    const response = await send(`${issuer}/token`, {
      method: 'POST',
      headers: { authorization: CLIENT },
      body: new URLSearchParams(form),
    })
    if (!response.ok) throw new Error(`No tokens: ${await response.text()}`)
    refreshToken = ((await response.json()) as { refresh_token: string }).refresh_token
  }
  const flow = async () => {
    let to = `${issuer}/authorize?${REQUEST}`
    while (!to.startsWith(CALLBACK)) {
      const response = await send(to)
      await response.arrayBuffer()
      const location = response.headers.get('location')
      if (location === null) throw new Error(`No code: ${response.status} at ${to}`)
      to = new URL(location, to).href
    }
    const code = new URL(to).searchParams.get('code') ?? ''
    await tokens({
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
      code_verifier: VERIFIER,
    })
  }
  await logIn(send)
  await flow()
  return {
    flow,
    refresh: () => tokens({ grant_type: 'refresh_token', refresh_token: refreshToken }),
  }
}

/** How often all users together repeat an action per second. */
async function rate(
  users: readonly User[],
  times: number,
  act: (user: User) => Promise<void>,
): Promise<number> {
  const started = performance.now()
  await Promise.all(
    users.map(async (user) => {
      for (let index = 0; index < times; index += 1) await act(user)
    }),
  )
  return (users.length * times * 1000) / (performance.now() - started)
}
