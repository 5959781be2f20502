/**
 * No `Location` leaves the origin, except to the one of `LENDER_APP_URL`. Uses the built pages; redirects by script are
 * tested in tests/browser/redirects.exhaustive.test.ts.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { rawRequest } from '../support/raw-request.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { DEVIOUS_TARGETS } from './support/devious-targets.ts'

const LENDER = 'https://lender.example'
const OWNER = { email: 'olive.plain@portico.example', password: 'quiet-harbour-71-lantern' }

let server: ServerProcess
let cookie: string

beforeAll(async () => {
  server = await startServer({ environment: { BOT_CHECK: 'off', LENDER_APP_URL: LENDER } })
  const browser = openBrowser({
    url: () => server.url,
    origin: () => server.url,
    passcode: () => Promise.reject(new Error('This browser signs in by password')),
  })
  await browser.signIn(OWNER)
  cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
})

afterAll(async () => {
  await server.stop()
})

/** Requests a raw target; returns the status and the redirect as a browser resolves it. */
async function ask(
  target: string,
  { method = 'GET', headers = [] }: { method?: string; headers?: readonly string[] } = {},
): Promise<{ status: number; location: string | undefined }> {
  const answer = await rawRequest(
    server.url,
    [
      `${method} ${target} HTTP/1.1`,
      `Host: ${new URL(server.url).host}`,
      'Accept: text/html',
      ...headers,
      ...(method === 'POST'
        ? ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 0']
        : []),
      'Connection: close',
      '',
      '',
    ].join('\r\n'),
  )
  const [head = ''] = answer.split('\r\n\r\n', 1)
  const locations = [...head.matchAll(/^location: (.*)$/gim)].map(([, location]) => location ?? '')
  expect(locations.length, target).toBeLessThan(2)
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]), location: locations[0] }
}

/** The origin that a browser would reach, for any scheme of the product. */
const originOf = (location: string) => {
  const base = 'https://own.example/auth/login'
  return new URL(location, base).origin
}

async function expectSameOrigin(
  target: string,
  options: Parameters<typeof ask>[1],
  allowed: readonly string[] = [],
): Promise<void> {
  const { status, location } = await ask(target, options)
  expect(status, target).toBeLessThan(500)
  if (location === undefined) return
  expect(['https://own.example', ...allowed], `${target} -> ${location}`).toContain(
    originOf(location),
  )
}

test('redirects: a malicious redirectUrl takes no page to another origin, with or without a session', async () => {
  for (const target of DEVIOUS_TARGETS) {
    for (const page of [
      '/auth/login',
      '/auth/register',
      '/auth/login/',
      '/auth/nowhere',
      '/auth/logout',
    ]) {
      for (const name of ['redirectUrl', 'redirect', 'returnTo', 'next', 'url']) {
        if (name !== 'redirectUrl' && page !== '/auth/login') continue
        const path = `${page}?${name}=${encodeURIComponent(target)}`
        await expectSameOrigin(path, {})
        await expectSameOrigin(path, { headers: [`Cookie: ${cookie}`] })
      }
    }
  }
})

test('redirects: the test detects the product’s own redirects', async () => {
  expect(await ask('/auth/login/?a=b')).toEqual({ status: 302, location: '/auth/login?a=b' })
  expect(await ask('/auth/login', { method: 'POST' })).toEqual({
    status: 303,
    location: '/auth/login',
  })
  expect(await ask('/account/x')).toEqual({ status: 302, location: `${LENDER}/account/x` })
  expect((await ask('/dashboard')).location).toBe('/auth/login?redirectUrl=%2Fdashboard')
  expect((await ask('/dashboard', { headers: [`Cookie: ${cookie}`] })).status).toBe(200)
})

test('redirects: paths of slashes, dots, backslashes and encodings stay on the origin', async () => {
  const hosts = ['evil.example', 'evil.example:80', 'user@evil.example']
  const paths = hosts.flatMap((host) => [
    `//${host}`,
    `///${host}`,
    `//${host}/`,
    `//${host}/auth/login/`,
    `/\\${host}`,
    `/\\/${host}/auth/login/`,
    `/%2f${host}`,
    `/%2F%2F${host}/auth/login/`,
    `/%5c${host}`,
    `/.//${host}`,
    `/..//${host}/auth/login/`,
    `/auth//${host}`,
    `/auth//${host}/`,
    `/auth/..//${host}`,
    `/auth/..//${host}/`,
    `/auth/%2e%2e//${host}/`,
    `/auth/login/..//${host}/`,
    `/auth/login//`,
    `/auth/login//${host}/%2e%2e`,
    `/auth/\\${host}`,
    `/auth/login/?//${host}`,
    `/auth/login/?x=1&redirectUrl=//${host}`,
    `/auth/@${host}`,
    `/auth;@${host}/`,
    `/dashboard//${host}`,
    `/dashboard/..//${host}`,
    `/dashboard/%0d%0aLocation:%20https://${host}`,
    `http://${host}`,
    `http://${host}/auth/login/`,
    `http://${host}//${host}/`,
    `http:////${host}/auth/login/`,
    `HTTPS://${host}/dashboard`,
  ])
  for (const path of paths) {
    for (const method of ['GET', 'POST', 'HEAD']) {
      await expectSameOrigin(path, { method })
      await expectSameOrigin(path, { method, headers: [`Cookie: ${cookie}`] })
    }
  }
})

test("redirects: paths outside the product lead to LENDER_APP_URL's origin and no other", async () => {
  for (const base of ['/account', '/portfolio', '/legal']) {
    for (const rest of [
      '',
      '/',
      '//evil.example',
      '///evil.example/x',
      '/..//evil.example',
      '/../..//evil.example',
      '/%2e%2e//evil.example',
      '/\\evil.example',
      '/..\\..\\\\evil.example',
      '/@evil.example',
      '/https://evil.example',
      '/%2f%2fevil.example',
      '/%5c%5cevil.example',
      '/?next=//evil.example',
      '?x=https://evil.example',
      '/%00',
      '/%0d%0aSet-Cookie:%20a=b',
    ]) {
      const { status, location } = await ask(`${base}${rest}`)
      expect(status, `${base}${rest}`).toBeLessThan(500)
      if (location !== undefined) {
        expect(new URL(location, 'https://own.example').origin, location).toBe(LENDER)
        expect(location, rest).not.toMatch(/^[/\\]/)
      }
    }
  }
  // Host names with the lender's as a prefix are foreign.
  for (const path of ['/accounts', '/account.evil.example', '/account@evil.example']) {
    expect((await ask(path)).status, path).toBe(404)
  }
})

test('redirects: no requested path redirects to another origin', async () => {
  const piece = fc.constantFrom(
    '/',
    '//',
    '\\',
    '.',
    '..',
    '%2e',
    '%2f',
    '%5c',
    '%09',
    '%00',
    '%0a',
    '@',
    ':',
    '?',
    '#',
    ';',
    '&',
    'auth',
    'login',
    'register',
    'dashboard',
    'account',
    'legal',
    'evil.example',
    'http:',
    'x',
    'redirectUrl=',
  )
  const target = fc
    .array(piece, { minLength: 1, maxLength: 10 })
    .map((parts) => `/${parts.join('')}`)
  await fc.assert(
    fc.asyncProperty(
      target,
      fc.constantFrom('GET', 'POST'),
      fc.boolean(),
      async (path, method, own) => {
        const headers = own ? [`Cookie: ${cookie}`] : []
        await expectSameOrigin(path, { method, headers }, [LENDER])
      },
    ),
    { numRuns: 400 },
  )
})

test('redirects: non-ASCII bytes and line breaks break no redirect', async () => {
  for (const path of [
    '/auth/login/?x=é',
    '/auth/nowhere?x=%E2%80%AE',
    '/auth/login/?x=\u00ff',
    '/dashboard?x=é',
    '/account/é?x=é',
    '/auth/login/?%0d%0aSet-Cookie:%20planted=1',
    '/auth/nowhere?%0aLocation:%20https://evil.example',
  ]) {
    await expectSameOrigin(path, {}, [LENDER])
    const answer = await rawRequest(
      server.url,
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    )
    expect(answer.split('\r\n\r\n', 1)[0], path).not.toMatch(/^set-cookie: planted/im)
  }
})
