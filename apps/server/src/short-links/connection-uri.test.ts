import { clickableLink, dynamicLink, MOBILE_APPS } from '@portico/wallet-connect/protocol'
import { expect, test } from 'vitest'
import { connectionUri } from './connection-uri.ts'

const OWN = 'https://login.lender.example'
const URI =
  'wc:8a5e5bdc-a0e4-4702-ba63-8f1a5655744f@1?bridge=https%3A%2F%2Fbridge.example%2Fws&key=41791102999c339c844880b23950704cc43aa840f3739e365323cda4dfa89e7a&connectionDuration=86400'
const APP = MOBILE_APPS.figure_mobile

test.each([
  ['a dynamic link', dynamicLink(URI, APP)],
  ['a clickable link', clickableLink(URI, APP)],
  ['a link within a link', clickableLink(dynamicLink(URI, APP), APP)],
  ['our own', `${OWN}/mobile-wallet?data=${encodeURIComponent(URI)}`],
  [
    'our own, encoded more than once',
    `${OWN}/mobile-wallet?data=${encodeURIComponent(encodeURIComponent(URI))}`,
  ],
  ['our own without its origin', `/mobile-wallet?data=${encodeURIComponent(URI)}`],
])('7.4 %s resolves to the connection it contains', (_what, link) => {
  expect(connectionUri(link, OWN)).toBe(URI)
})

const encoded = encodeURIComponent(URI)
test.each([
  '',
  'https://evil.example/',
  `https://evil.example/mobile-wallet?data=${encoded}`,
  `https://evil.example/?link=${encodeURIComponent('https://evil.example/phish')}`,
  `https://evil.example/?link=${encodeURIComponent(`https://evil.example/phish?data=${encoded}`)}`,
  `http://figurewallet.page.link/?link=${encodeURIComponent(`https://figure.com/wallet/connect?data=${encoded}`)}`,
  `https://figurewallet.page.link/?link=${encodeURIComponent(`javascript:alert(1)?data=${encoded}`)}`,
  `${OWN}/mobile-wallet?data=https%3A%2F%2Fevil.example`,
  `${OWN}/mobile-wallet?data=wc%3Atopic`,
  `${OWN}/mobile-wallet?data=${encodeURIComponent(URI.replace('@1', '@2'))}`,
  `${OWN}/mobile-wallet?data=${encodeURIComponent(URI.replace(/key=\w+/, 'key=00'))}`,
  `${OWN}/mobile-wallet`,
  `${OWN}/auth/login?data=${encoded}`,
  `//evil.example/mobile-wallet?data=${encoded}`,
  URI,
])('7.4 %s cannot become a short link', (link) => {
  expect(connectionUri(link, OWN)).toBeUndefined()
})
