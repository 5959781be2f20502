import { expect, test } from 'vitest'
import { isSamePage, isSignInText, otherSiteIn, signsInElsewhere } from './sign-in-text.ts'

const PAGE = 'https://site.example'

test.each([
  ['Sign in to https://lender.example with this wallet: 0d3c', true],
  ['sign in to HTTPS://LENDER.EXAMPLE with this wallet: 0d3c', true],
  ['Sign in to https://site.example.evil.example with this wallet: 0d3c', true],
  ['Sign in to http://site.example with this wallet: 0d3c', true],
  ['Sign in to https://site.example:8443 with this wallet: 0d3c', true],
  ['lender.example wants you to sign in with your Ethereum account:\n0xabc', true],
  ['Sign in to\nhttps://lender.example with this wallet: 0d3c', true],
  ['Sign  in\tto https://lender.example\r\nwith this wallet: 0d3c', true],
  ['Hello\n\n  Sign in to https://lender.example with this wallet: 0d3c', true],
  ['\nlender.example wants you to sign in with your Ethereum account:\n0xabc', true],
  [
    'site.example wants you to sign in with your account:\nlender.example wants you to sign in with your account:',
    true,
  ],
  ['Sign in to https://site.example with this wallet: 0d3c', false],
  ['Sign in to https://www.site.example with this wallet: 0d3c', false],
  ['site.example wants you to sign in with your Provenance account:\ntp1', false],
  ['I agree to the terms of https://lender.example', false],
])('7.4 a text that signs in to another page is recognized: %s', (text, isElsewhere) => {
  expect(signsInElsewhere(text, PAGE)).toBe(isElsewhere)
})

test('7.4 a page without a known origin signs in nowhere', () => {
  for (const origin of ['null', '', 'This wallet']) {
    expect(signsInElsewhere('Sign in to https://lender.example with this wallet', origin)).toBe(
      true,
    )
  }
})

test('7.4 a text of another kind names other sites, and is no sign-in', () => {
  const text = 'I agree to https://site.example/terms and https://lender.example/privacy'
  expect(isSignInText(text)).toBe(false)
  expect(otherSiteIn(text, PAGE)).toBe('lender.example')
  expect(otherSiteIn('See https://site.example/terms', PAGE)).toBeUndefined()
  expect(isSamePage('site.example', PAGE)).toBe(true)
})
