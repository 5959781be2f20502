import fc from 'fast-check'
import { expect, test } from 'vitest'
import reference from '../../vectors/reference.json' with { type: 'json' }
import { clickableLink, dynamicLink, MOBILE_APPS } from './mobile-link.ts'
import { unwrapUri } from './unwrap-uri.ts'

const KEY = '41791102999c339c844880b23950704cc43aa840f3739e365323cda4dfa89e7a'
const URI = `wc:8a5e5bdc-a0e4-4702-ba63-8f1a5655744f@1?bridge=https%3A%2F%2Fbridge.example%2Fws&key=${KEY}&connectionDuration=60`
const once = encodeURIComponent(URI)

test('protocol 2: a URI that was encoded any number of times is decoded until it begins with wc:', () => {
  expect(unwrapUri(` ${URI}\n`)).toBe(URI)
  expect(unwrapUri(once)).toBe(URI)
  expect(unwrapUri(encodeURIComponent(encodeURIComponent(once)))).toBe(URI)
})

test('protocol 14: a URI is found in the links that contain it, also in a link within a link', () => {
  const app = MOBILE_APPS.figure_mobile
  for (const link of [
    `https://figure.com/wallet/connect?data=${once}`,
    `https://figure.com/wallet/connect?data=${encodeURIComponent(once)}&apn=com.example`,
    dynamicLink(URI, app),
    clickableLink(URI, app),
    clickableLink(dynamicLink(URI, app), app),
    encodeURIComponent(dynamicLink(URI, app)),
  ]) {
    expect(unwrapUri(link), link).toBe(URI)
  }
})

test('protocol 13: an extension or hosted wallet finds it in its own URL, encoded twice, once or not at all', () => {
  for (const wc of [encodeURIComponent(once), once, URI]) {
    expect(unwrapUri(`chrome-extension://abc/popup.html?wc=${wc}`), wc).toBe(URI)
    expect(
      unwrapUri(`https://lender.example/figure-wallet?event=walletconnect_init&wc=${wc}`),
    ).toBe(URI)
  }
})

test('protocol 14: text without a URI, or with too many encodings, gives undefined', () => {
  let matryoshka = URI
  for (let layer = 0; layer < 30; layer += 1) matryoshka = encodeURIComponent(matryoshka)
  for (const text of [
    '',
    'hello',
    'https://example.com',
    'https://example.com?data=',
    'https://a.example?data=x',
    '%',
    '%E0%A4%A',
    matryoshka,
  ]) {
    expect(unwrapUri(text), text).toBeUndefined()
  }
})

test('protocol 14: unwrapping never throws', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((query) => `https://a.example/?data=${query}`),
      ),
      (text) => void unwrapUri(text),
    ),
  )
})

test('protocol 14: links to tap and to scan are those of the public page library', () => {
  const app = MOBILE_APPS.figure_mobile
  expect(clickableLink(reference.tapLink.qrCodeUrl, app)).toBe(reference.tapLink.link)
  const thrice = encodeURIComponent(encodeURIComponent(once))
  expect(dynamicLink(URI, MOBILE_APPS.figure_mobile_test)).toBe(
    `https://figurewallet.page.link?link=https%3A%2F%2Ffigure.com%2Fwallet%2Fconnect%3Fdata%3D${thrice}&apn=com.figure.mobile.wallet.dev&ibi=com.figure.mobile.wallet.dev&isi=6444293331&efr=1`,
  )
})
