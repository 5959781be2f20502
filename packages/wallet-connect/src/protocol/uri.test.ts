import { bytesOfHex } from '@portico/keys/bytes'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import reference from '../../vectors/reference.json' with { type: 'json' }
import published from '../../vectors/uris.json' with { type: 'json' }
import { clickableLink, dynamicLink, MOBILE_APPS } from './mobile-link.ts'
import { formatUri, parseUri, unwrapUri } from './uri.ts'

const KEY = '41791102999c339c844880b23950704cc43aa840f3739e365323cda4dfa89e7a'
const key = bytesOfHex(KEY) ?? expect.fail()
const TOPIC = '8a5e5bdc-a0e4-4702-ba63-8f1a5655744f'
const BRIDGE = 'https://bridge.walletconnect.org'
const URI = `wc:${TOPIC}@1?bridge=https%3A%2F%2Fbridge.walletconnect.org&key=${KEY}`

test('protocol 2: a URI has the handshake topic, the relay and the key', () => {
  expect(parseUri(URI)).toMatchObject({ handshakeTopic: TOPIC, bridge: BRIDGE, key })
  expect(formatUri({ handshakeTopic: TOPIC, bridge: BRIDGE, key, options: {} })).toBe(URI)
})

test('protocol 2: the published URIs are accepted or refused as by strict parsers, and a key must have 32 bytes', () => {
  expect(published.vectors).toHaveLength(9)
  for (const {
    uri,
    strict_parsers: verdict,
    walletconnect_1_8_parses_to: loose,
  } of published.vectors) {
    // Most of the short ones have the word "key" as their key, which is not secret.
    expect(parseUri(uri) !== undefined, uri).toBe(verdict !== 'reject' && loose.key.length === 64)
    const whole = uri.replace('key=key', `key=${KEY}`)
    const { handshakeTopic, bridge } = loose
    expect(parseUri(whole), whole).toEqual(
      verdict === 'reject'
        ? undefined
        : expect.objectContaining({ handshakeTopic: handshakeTopic.replace('//', ''), bridge }),
    )
  }
})

test('protocol 2: parameters come in any order, unknown ones are ignored, the first of a name counts', () => {
  const shuffled = `wc:topic@1?extra=1&key=${KEY}&bridge=wss%3A%2F%2Fa.example%2Fws&key=${'0'.repeat(64)}`
  expect(parseUri(shuffled)).toMatchObject({
    handshakeTopic: 'topic',
    bridge: 'wss://a.example/ws',
    key,
  })
})

test('protocol 2: another scheme or version, no topic, no key, or no valid relay is refused', () => {
  const rest = `@1?bridge=https%3A%2F%2Fa.example&key=${KEY}`
  for (const uri of [
    `wcs:topic${rest}`,
    `wc:${rest}`,
    `wc:topic@2?bridge=https%3A%2F%2Fa.example&key=${KEY}`,
    `wc:topic@1?key=${KEY}`,
    'wc:topic@1?bridge=https%3A%2F%2Fa.example',
    `wc:topic@1?bridge=javascript%3Aalert(1)&key=${KEY}`,
    `wc:topic@1?bridge=a.example&key=${KEY}`,
    `wc:topic@1?bridge=https%3A%2F%2Fa.example&key=${KEY}00`,
    `wc:topic@1?bridge=https%3A%2F%2Fa.example&key=0x${KEY.slice(2)}`,
  ]) {
    expect(parseUri(uri), uri).toBeUndefined()
  }
})

test("protocol 8: the page's connect options are the last parameters, in order", () => {
  const options = {
    individualAddress: 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh',
    groupAddress: 'tp13dkh6lhe5zzfe4qwkl4fqyfmh58p35w5qaxwxy',
    prohibitGroups: true,
    jwtExpirationS: 77,
    connectionDurationS: 3600,
  }
  const uri = formatUri({ handshakeTopic: TOPIC, bridge: BRIDGE, key, options })
  expect(uri).toBe(
    `${URI}&individualAddress=${options.individualAddress}&groupAddress=${options.groupAddress}&prohibitGroups=true&jwtExpiration=77&connectionDuration=3600`,
  )
  expect(parseUri(uri)?.options).toEqual(options)
})

test('protocol 8: prohibitGroups counts only if true, and invalid durations are ignored', () => {
  for (const seconds of ['0', '-1', '1.5', 'x', '', '1e3', '9'.repeat(20)]) {
    const read = parseUri(
      `${URI}&prohibitGroups=1&jwtExpiration=${seconds}&connectionDuration=${seconds}`,
    )
    expect(read?.options).toEqual({ prohibitGroups: false })
  }
})

test('protocol 8: an invalid address cannot inject parameters', () => {
  const options = { individualAddress: 'tp1&groupAddress=tp1other' }
  const uri = formatUri({ handshakeTopic: TOPIC, bridge: BRIDGE, key, options })
  expect(parseUri(uri)?.options).toMatchObject(options)
  expect(parseUri(uri)?.options.groupAddress).toBeUndefined()
})

test('protocol 2: parsing never throws, and parsed URIs round-trip', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string().map((end) => `${URI}&${end}`),
    fc.string().map((end) => `wc:${end}`),
  )
  fc.assert(
    fc.property(text, (uri) => {
      const read = parseUri(uri)
      if (read !== undefined) expect(parseUri(formatUri(read))).toEqual(read)
    }),
  )
})

const LINK_URI = `wc:8a5e5bdc-a0e4-4702-ba63-8f1a5655744f@1?bridge=https%3A%2F%2Fbridge.example%2Fws&key=${KEY}&connectionDuration=60`
const once = encodeURIComponent(LINK_URI)

test('protocol 2: a URI that was encoded any number of times is decoded until it begins with wc:', () => {
  expect(unwrapUri(` ${LINK_URI}\n`)).toBe(LINK_URI)
  expect(unwrapUri(once)).toBe(LINK_URI)
  expect(unwrapUri(encodeURIComponent(encodeURIComponent(once)))).toBe(LINK_URI)
})

test('protocol 2: the scheme may be in capitals, also in a link', () => {
  const capitals = LINK_URI.replace('wc:', 'WC:')
  for (const text of [
    capitals,
    LINK_URI.replace('wc:', 'Wc:'),
    encodeURIComponent(capitals),
    `https://lender.example/mobile-wallet?data=${capitals}`,
    `https://lender.example/mobile-wallet?data=${encodeURIComponent(encodeURIComponent(capitals))}`,
  ]) {
    expect(unwrapUri(text), text).toBe(LINK_URI)
  }
})

test('protocol 14: a URI is found in the links that contain it, also in a link within a link', () => {
  const app = MOBILE_APPS.figure_mobile
  for (const link of [
    `https://figure.com/wallet/connect?data=${once}`,
    `https://figure.com/wallet/connect?data=${encodeURIComponent(once)}&apn=com.example`,
    dynamicLink(LINK_URI, app),
    clickableLink(LINK_URI, app),
    clickableLink(dynamicLink(LINK_URI, app), app),
    encodeURIComponent(dynamicLink(LINK_URI, app)),
  ]) {
    expect(unwrapUri(link), link).toBe(LINK_URI)
  }
})

test('protocol 13: an extension or hosted wallet finds it in its own URL, encoded twice, once or not at all', () => {
  for (const wc of [encodeURIComponent(once), once, LINK_URI]) {
    expect(unwrapUri(`chrome-extension://abc/popup.html?wc=${wc}`), wc).toBe(LINK_URI)
    expect(
      unwrapUri(`https://lender.example/figure-wallet?event=walletconnect_init&wc=${wc}`),
    ).toBe(LINK_URI)
  }
})

test('protocol 14: text without a URI, or with too many encodings, gives undefined', () => {
  let nested = LINK_URI
  for (let layer = 0; layer < 30; layer += 1) nested = encodeURIComponent(nested)
  for (const text of [
    '',
    'hello',
    'https://example.com',
    'https://example.com?data=',
    'https://a.example?data=x',
    '%',
    '%E0%A4%A',
    nested,
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
  expect(dynamicLink(LINK_URI, MOBILE_APPS.figure_mobile_test)).toBe(
    `https://figurewallet.page.link?link=https%3A%2F%2Ffigure.com%2Fwallet%2Fconnect%3Fdata%3D${thrice}&apn=com.figure.mobile.wallet.dev&ibi=com.figure.mobile.wallet.dev&isi=6444293331&efr=1`,
  )
})
