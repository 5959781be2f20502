import type { Behaviors } from '@portico/contracts/organization'
import type { PageProvider } from '@portico/contracts/page-data'
import { loginPage } from '@portico/rules/login-page'
import { ACCOUNT_LOCKED } from '@portico/shell/failure'
import { pageData } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { renderStatic } from '../testing.tsx'
import type { State } from './login.flow.ts'
import { LoginView } from './login.view.tsx'

const FILLING: State = { step: 'filling', method: 'password' }

function login(
  state: State = FILLING,
  {
    behaviors = {},
    query = '',
    providers = [],
    named,
  }: {
    behaviors?: Partial<Behaviors>
    query?: string
    providers?: readonly PageProvider[]
    named?: PageProvider
  } = {},
) {
  const content = loginPage(
    'Figure',
    { ...pageData().behaviors, ...behaviors },
    new URLSearchParams(query),
  )
  return renderStatic(
    <LoginView
      state={state}
      send={() => undefined}
      login={content}
      named={named}
      providers={providers}
      company="Figure"
      botCheck="altcha"
      supportPhone="8005550142"
      onIntent={() => undefined}
    />,
  )
}

test("2.3 the heading is 'Log in to {company}'", () => {
  expect(login().html).toContain('<h1 tabindex="-1">Log in to Figure</h1>')
})

test("2.3 for two partner lenders it is 'Log in to your HELOC account with {company}'", () => {
  const { text } = login(FILLING, { behaviors: { loginHeading: 'heloc' } })
  expect(text).toContain('Log in to your HELOC account with Figure')
})

test("2.3 'New to {company}?' with 'Register here'", () => {
  const { html, text } = login()
  expect(text).toContain('New to Figure? Register here')
  expect(html).toContain('href="/account/heloc/register"')
})

test('2.3 it goes to /register on some brands or when a redirectUrl exists', () => {
  const href = '/auth/register'
  expect(login(FILLING, { behaviors: { registerAt: 'register' } }).html).toContain(`href="${href}"`)
  expect(login(FILLING, { query: 'redirectUrl=/loans' }).html).toContain(
    `href="${href}?redirectUrl=%2Floans"`,
  )
})

test.each([
  ['in new-user flows', { query: 'flow=new-user' }],
  ['in wholesale new-user flows', { query: 'flow=wholesale-new-user' }],
  ['for wholesale brands', { behaviors: { registerLink: 'hidden' } }],
] as const)("2.3 'Register here' is hidden %s", (_, given) => {
  expect(login(FILLING, given).text).not.toContain('Register here')
})

test("2.3 in new-user flows the text 'Continue your application…' is shown", () => {
  const sentence = 'Continue your application by logging into your account.'
  expect(login().text).not.toContain(sentence)
  const { text } = login(FILLING, { query: 'flow=new-user' })
  expect(text).toContain(sentence)
  expect(text).toContain('valid for 10 minutes')
})

test('2.3 the form: email, password, checkbox, button', () => {
  const { html, text } = login()
  expect(text).toContain('Use one-time passcode for logging into my account')
  expect(html).toMatch(/type="email" autoComplete="username webauthn"/i)
  expect(html).toMatch(/autoComplete="current-password"/i)
  expect(text).toContain('Log in Forgot Password')
  expect(html).toContain('method="post"')
})

test("2.3 in one-time mode the button is 'Send email' and there is no password field", () => {
  const { html, text } = login({ step: 'filling', method: 'passcode' })
  expect(text).toContain('Send email')
  expect(text).not.toContain('Forgot Password')
  expect(html).toContain('<div hidden="">')
})

test("2.3 an 'or' divider and 'Mortgage signer with access code'", () => {
  const { html, text } = login()
  expect(text).toContain('or Mortgage signer with access code')
  expect(html).toContain('href="/account/heloc/heloc-signer/login"')
})

test.each([
  ['in new-user flows', { query: 'flow=new-user' }],
  ['for one credit brand', { behaviors: { signerLink: 'hidden' } }],
] as const)('2.3 the signer link is hidden %s', (_, given) => {
  expect(login(FILLING, given).text).not.toContain('Mortgage signer')
})

test('2.3 a notice about the bot-check service is shown', () => {
  expect(login().text).toContain('This page is protected by a check that runs in your browser')
})

test('3 email: the field is prefilled from the parameter', () => {
  expect(login(FILLING, { query: 'email=ada%40example.com' }).html).toContain(
    'value="ada@example.com"',
  )
})

test('8 a failure is shown above the form, with the support phone if the account is locked', () => {
  const { html, text } = login({ step: 'filling', method: 'password', failure: ACCOUNT_LOCKED })
  expect(html).toContain('role="alert"')
  expect(text).toContain('Your account is locked. Please contact support.')
  expect(html).toContain('href="tel:+18005550142"')
})

test('2.3 while busy the button shows what it is doing', () => {
  const { text } = login({ step: 'loggingIn', method: 'password', email: 'ada@example.com' })
  expect(text).toContain('Logging in…')
})

test('4.4 the organization’s identity providers are offered below the form, and only then', () => {
  const provider = { userType: 'customer', name: 'Northgale ID', offered: true } as const
  const { text } = login(FILLING, { providers: [provider], query: 'flow=new-user' })
  expect(text).toContain('or Log in with Northgale ID')
  expect(login(FILLING, { query: 'flow=new-user' }).text).not.toContain(' or ')
  const opening = login(
    { step: 'openingProvider', method: 'password', userType: 'customer' },
    { providers: [provider] },
  )
  expect(opening.text).toContain('Opening Northgale ID…')
})

test('4.4 the provider that a mailed link names is offered before the form', () => {
  const named = { userType: 'customer', name: 'Northgale ID', offered: false } as const
  const { text } = login(FILLING, { named })
  expect(text).toMatch(/Log in with Northgale ID or Email/)
})
