/**
 * No text becomes script. Every kind of response is checked here as sent by the server; real browsers are tested in
 * tests/browser/attacks.desktop.test.ts.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rawRequest } from '../support/raw-request.ts'
import { type HostileServer, SCRIPT, startHostileServer } from './support/hostile-server.ts'

const HTML = { accept: 'text/html,application/xhtml+xml' }

let server: HostileServer

beforeAll(async () => {
  server = await startHostileServer()
})

afterAll(async () => {
  await server.stop()
})

const query = new URLSearchParams(
  Object.fromEntries(
    ['email', 'redirectUrl', 'flow', 'label', 'otp', 'state', 'code', 'to', 'wc', 'event', 'x'].map(
      (name) => [name, SCRIPT],
    ),
  ),
).toString()

/** The only page that may be framed, and only by our own pages. */
const HOSTED_WALLET = '/figure-wallet'

/** Every page of the server, by its source. */
const PAGES = {
  'the front door': `/auth/login?${query}`,
  'a registration': `/auth/register?orgCode=HOSTILE_HELOC&${query}`,
  'partner onboarding': `/auth/credit-karma/register?orgCode=HOSTILE_HELOC&${query}`,
  'a logout': `/auth/logout?${query}`,
  'another organization': `/auth/login?orgCode=HOSTILE_HELOC&${query}`,
  'outside the product': `/account/heloc?${query}`,
  'a page that is not there': `/nowhere/${encodeURIComponent(SCRIPT)}?${query}`,
  'a dashboard page that is not there': `/dashboard/${encodeURIComponent(SCRIPT)}?${query}`,
  'a label': `/auth/login?label=apollo&${query.replace('label=', 'l=')}`,
  'the mailbox': `/dev/mailbox?${query}`,
  'the API reference': `/docs/plain?${query}`,
  'the hosted wallet': `${HOSTED_WALLET}?${query}`,
} as const

/** Responses that are not pages. */
const OTHERS = [
  '/healthz',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/.well-known/jwks.json',
  '/.well-known/security.txt',
  '/dev/people',
  '/dev/mailbox/messages',
  '/brand/figure.svg',
  `/identity/api/v1/identity/registration/verification?${query}`,
  '/identity/secure/api/v1/identity',
  '/identity/api/v1/nothing',
  '/auth/%E0%A4%A',
]

function policyOf(response: Response): ReadonlyMap<string, string> {
  const policy = response.headers.get('content-security-policy') ?? ''
  const directives = policy.split('; ').map((directive) => {
    const [name = '', ...values] = directive.split(' ')
    return [name, values.join(' ')] as const
  })
  // Browsers use only the first of a repeated directive.
  expect(new Set(directives.map(([name]) => name)).size, policy).toBe(directives.length)
  return new Map(directives)
}

function expectClosed(response: Response, what: string): ReadonlyMap<string, string> {
  const policy = policyOf(response)
  expect(policy.get('default-src'), what).toBe("'none'")
  expect(policy.get('base-uri'), what).toBe("'none'")
  const framed = new URL(response.url).pathname === HOSTED_WALLET
  expect(policy.get('frame-ancestors'), what).toBe(framed ? "'self'" : "'none'")
  expect(policy.get('form-action'), what).toMatch(/^'(?:none|self)'$/)
  expect(policy.get('require-trusted-types-for'), what).toBe("'script'")
  expect(policy.get('trusted-types'), what).toBeDefined()
  expect([...policy.values()].join(' '), what).not.toMatch(/unsafe|\*|https?:|blob:/)
  expect(response.headers.get('x-content-type-options'), what).toBe('nosniff')
  return policy
}

for (const [what, path] of Object.entries(PAGES)) {
  test(`script: ${what} runs only scripts with its nonce, and interprets no text as markup`, async () => {
    const response = await fetch(`${server.url}${path}`, { headers: HTML, redirect: 'manual' })
    // A signed-out visitor is redirected from the dashboard to the login.
    if (response.status === 302) return expectClosed(response, what)
    const policy = expectClosed(response, what)
    const html = await response.text()
    expect(html, what).toMatch(/^<!doctype html>/i)
    const [, nonce] =
      /^'nonce-([\w-]{22})' 'strict-dynamic'$/.exec(policy.get('script-src') ?? '') ?? []
    for (const [tag] of html.matchAll(/<script\b[^>]*>/gi)) {
      expect(nonce, `${what}: ${tag}`).toBeDefined()
      expect(tag, what).toContain(`nonce="${nonce}"`)
    }
    // Without scripts and attribute values, only names of elements and attributes remain.
    const markup = html
      .replaceAll(/(<script\b[^>]*>)[^]*?<\/script>/gi, '$1')
      .replaceAll(/="[^"]*"/g, '=""')
    expect(markup, what).not.toMatch(/<[^>]*[\s"'/]on\w+\s*=/i)
    expect(markup, what).not.toMatch(/<img src=x|<svg\/|<!--[^>]*'/i)
    expect(markup, what).not.toContain('pwned=1</script>')
    expect(html, what).not.toMatch(/(?:href|src|action)="\s*javascript:/i)
    expect(html.match(/<\/title>/gi), what).toHaveLength(1)
    expect(html, what).not.toMatch(/<script>pwned|<\/script><!--/)
    return undefined
  })
}

test('script: a response that is not a page may run nothing', async () => {
  for (const path of OTHERS) {
    const response = await fetch(`${server.url}${path}`)
    const policy = expectClosed(response, path)
    expect(policy.get('trusted-types'), path).toBe("'none'")
    expect(
      [...policy.keys()].some((name) => name.startsWith('script')),
      path,
    ).toBe(false)
    expect(response.headers.get('content-type'), path).not.toContain('text/html')
  }
})

test('script: invalid HTTP is answered with the same policy', async () => {
  for (const request of [
    'hello\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  ]) {
    const answer = await rawRequest(server.url, request)
    expect(answer).toContain("require-trusted-types-for 'script'")
    expect(answer).toContain("default-src 'none'")
  }
})

test('script: refused input is repeated only as JSON, never as a page', async () => {
  for (const [path, body] of [
    ['/identity/api/v2/login', { email: SCRIPT, password: SCRIPT, [SCRIPT]: SCRIPT }],
    ['/identity/api/v1/token/send', { email: SCRIPT }],
    ['/identity/api/v1/registration/register', { email: SCRIPT }],
  ] as const) {
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { ...HTML, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.headers.get('content-type'), path).toContain('application/json')
    expectClosed(response, path)
  }
})
