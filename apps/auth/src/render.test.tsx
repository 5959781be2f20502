import { pageData } from '@portico/shell/testing'
import { expect, test } from 'vitest'
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

test('the page holds no style attributes, which its policy would refuse', () => {
  for (const path of ['/auth/login', '/auth/register', '/auth/logout']) {
    const rendered = render(pageData({ path }))
    expect('html' in rendered && rendered.html).not.toMatch(/ style="/)
  }
})
