import type { PageData } from '@portico/contracts/page-data'
import { redirectTarget } from '@portico/rules/redirect-target'
import { sessionStart } from '@portico/rules/session-start'
import { loginPathBefore } from '@portico/rules/wallet-redirects'
import { pageData } from '@portico/shell/testing'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { afterRegistration } from './registration/after-registration.ts'
import { render } from './render.tsx'

test.each([
  ['2.2', '/auth/login/register', 'email=a%40b.example', '/auth/register?email=a%40b.example'],
  ['2.1', '/auth', '', '/auth/login'],
  ['2.1', '/auth/', '', '/auth/login'],
  ['2.1', '/auth/register/', '', '/auth/register'],
  ['2.1', '/auth/unknown', 'label=apollo', '/auth/login?label=apollo'],
  ['2.1', '/auth/login/unknown', '', '/auth/login'],
  ['2.1', '/auth/toString', '', '/auth/login'],
])('%s %s with the query %j redirects to %s', (_, path, query, to) => {
  expect(render(pageData({ path, query }))).toEqual({ redirect: to })
})

test.each([
  ['/auth/login', 'Log in | Figure', 'Log in to Figure'],
  ['/auth/register', 'Create your login | Figure', 'Create your login'],
  ['/auth/logout', 'Logging you out | Figure', 'Logging you out'],
])('2.2 %s is drawn on the server', (path, title, heading) => {
  const rendered = render(pageData({ path }))
  expect(rendered).toMatchObject({ title })
  expect('html' in rendered && rendered.html).toContain(heading)
})

test.each(['state=nonce', 'state=nonce&step=link', 'step=link'])(
  '4.4 a link with a state that is not this browser’s own does not change the login page: %j',
  (query) => {
    const rendered = render(pageData({ path: '/auth/login', query }))
    expect('html' in rendered && rendered.html).toContain('Log in to Figure')
    const session = {
      email: 'ada@example.com',
      organizationCode: 'FIGURE',
      organizationName: 'Figure',
      profileType: 'CUSTOMER',
      signedInAt: 0,
      method: 'provider',
    } as const
    // The form that follows the logout: another user's address, as without a state.
    const other = pageData({
      path: '/auth/login',
      query: `${query}&email=bob@example.com`,
      session,
    })
    const plain = pageData({ path: '/auth/login', query: 'email=bob@example.com', session })
    expect(render(other)).toEqual(render(plain))
  },
)

test.each(['state=nonce', 'state=nonce&step=link'])(
  '4.4 a login that a provider returned continues instead, also without a session, for our second step: %j',
  (query) => {
    const rendered = render(pageData({ path: '/auth/login', query, isProviderReturn: true }))
    expect('html' in rendered && rendered.html).not.toContain('Log in to Figure')
  },
)

test('1 company, phone, e-mail, terms, privacy, licenses, NMLS and badge come from configuration', () => {
  const rendered = render(pageData())
  const html = 'html' in rendered ? rendered.html : ''
  for (const part of [
    'alt="Figure"',
    'href="tel:+18005550142"',
    'mailto:help@figure.example',
    'href="/legal/terms"',
    'href="/legal/privacy"',
    'href="/legal/licenses"',
    'NMLS #2100200',
    'Equal Housing Lender',
  ]) {
    expect(html).toContain(part)
  }
})

test('2.3 the partner logo is shown when a label is present', () => {
  const rendered = render(
    pageData({ label: { code: 'novawulf', name: 'NovaWulf', logoPath: '/brand/novawulf.svg' } }),
  )
  expect('html' in rendered && rendered.html).toMatch(/src="\/brand\/novawulf.svg" alt="NovaWulf"/)
})

test('the page has no style attributes, which its Content-Security-Policy would block', () => {
  for (const path of ['/auth/login', '/auth/register', '/auth/logout']) {
    const rendered = render(pageData({ path }))
    expect('html' in rendered && rendered.html).not.toMatch(/ style="/)
  }
})

/** Renders a URL with the page data that the server would create. */
function pageAt(address: string, changes: Partial<PageData> = {}) {
  const { pathname, search } = new URL(address, 'https://lender.example')
  const rendered = render(pageData({ path: pathname, query: search.slice(1), ...changes }))
  if ('redirect' in rendered) return pageAt(rendered.redirect, changes)
  return { html: rendered.html, query: new URLSearchParams(search) }
}

/** The target of the link with this text. */
function linkIn(html: string, words: string): string {
  const [, href = ''] = new RegExp(`href="([^"]*)"[^>]*>${words}<`).exec(html) ?? []
  return href.replaceAll('&amp;', '&')
}

const hardText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.stringMatching(/^[%&=#?+/ a-f0-9'"<>\\é]{0,20}$/),
)

/** Paths of our own as a browser requests them: with parameters encoded once, twice, or not as forms do it. */
const target = fc
  .record({
    path: fc.constantFrom('/dashboard', '/account/caf%C3%A9', '/auth/wallet'),
    parameters: fc.array(fc.tuple(fc.stringMatching(/^[a-z]{1,5}$/), hardText)),
    nested: fc.option(hardText),
    rest: hardText,
    fragment: fc.constantFrom('', '#top', '#a%20b?c=d'),
  })
  .map(({ path, parameters, nested, rest, fragment }) => {
    const redirectUrl =
      nested === null ? {} : { redirectUrl: `/loans?${new URLSearchParams({ a: nested, b: 'c' })}` }
    const query = new URLSearchParams([...parameters, ...Object.entries(redirectUrl)])
    const text = rest.replaceAll('#', '%23').replace(/\p{Cc}/gu, '')
    const { pathname, search, hash } = new URL(
      `${path}?${query}&${text}${fragment}`,
      'https://lender.example',
    )
    return `${pathname}${search}${hash}`
  })
  .filter((text) => text.length <= 2048)

test('2.2 after logging in, the user arrives at exactly the requested URL, for any URL', () => {
  fc.assert(
    fc.property(target, (wanted) => {
      const login = pageAt(loginPathBefore(wanted))
      const registration = pageAt(linkIn(login.html, 'Register here'))
      const loginAgain = pageAt(linkIn(registration.html, 'Log in here'))
      const after = afterRegistration(
        new URLSearchParams([...registration.query, ['flow', 'wallet']]),
      )
      const wallet = 'to' in after ? new URL(after.to, 'https://lender.example') : undefined
      for (const query of [login.query, registration.query, loginAgain.query]) {
        expect(sessionStart(query).to).toBe(wanted)
      }
      expect(redirectTarget(wallet?.searchParams.get('redirectUrl'))).toBe(wanted)
    }),
    { numRuns: 40 },
  )
})

test('2.2 a signed-in page carries its whole query to the login page and back', () => {
  fc.assert(
    fc.property(hardText, (text) => {
      const address = new URL('https://lender.example/auth/wallet')
      address.search = text
      const here = `${address.pathname}${address.search}`
      const { query } = pageAt(here)
      expect(sessionStart(query).to).toBe(here)
    }),
    { numRuns: 40 },
  )
})

test.each([
  ['a%2520b@people.example', 'a%20b@people.example'],
  ['a%2Bb@people.example', 'a+b@people.example'],
  ['a%26b@people.example', 'a&amp;b@people.example'],
  ['%2541@people.example', '%41@people.example'],
])('3 the email parameter %s is read as %s', (parameter, email) => {
  for (const path of ['/auth/login', '/auth/register']) {
    expect(pageAt(`${path}?email=${parameter}`).html).toContain(`value="${email}"`)
  }
})
