import { expect, test } from 'vitest'
import {
  certificateExpiry,
  InvalidMetadata,
  readSamlMetadata,
  samlSettingsOf,
} from './saml-metadata.ts'

/** Self-signed, valid until 5 November 2126. */
const CERTIFICATE =
  'MIIDEzCCAfugAwIBAgIUDKw7Rl8XsuMJ7O62fb3Yxc05G30wDQYJKoZIhvcNAQELBQAwGDEWMBQGA1UEAwwNVGVzdCBwcm92aWRlcjAgFw0yNjExMjkwMTE0MTZaGA8yMTI2MTEwNTAxMTQxNlowGDEWMBQGA1UEAwwNVGVzdCBwcm92aWRlcjCCASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEBAPo3XC5QiFutQXc2m4zTeIb33/LgMbMfd2tkU600N5joFg/M0Uz9Q6T6nPyxXMznYaI6ZNJNo2qDy22Oy6KALK5ejJt2KTRD2Sx0JQrxElFbZCv4QJiHqxCiYLHxz9LBmM/aP1nF1O4vAZ1mnRRIzrSK0opsM1+EdMsjhd4TBBVg13dm64zbOH6l+sMrAmOHL20+l3JVAJU9+0cgUsUjbjjfUY9WVes+Np7Zh81vRcAtgdfEUw066jfiTo6zv/qSx4UMBM9krFr367MDFJJP8x2czcMJ3N0yJ0cvy9GFidchTPOkiASRA8+ePGsbXy31uhzgd2DyebQbCx5kWuliUccCAwEAAaNTMFEwHQYDVR0OBBYEFCWn+BSyo/vu6/4+nrjTKIrMp+S3MB8GA1UdIwQYMBaAFCWn+BSyo/vu6/4+nrjTKIrMp+S3MA8GA1UdEwEB/wQFMAMBAf8wDQYJKoZIhvcNAQELBQADggEBAEHPQrErVxVFFWxsdFjWJCnmDMXfHXsm5zB7Sa89ZW7R7nUCSrF/LzJo6KSNE8USXWd8d4gcXK1kK+f+zHv+RuWx45vQLCjMlnpvpYNA36zUCT9WehvYZ22ojyo1Z26xIuCgLL8fTVzKMAB6PfQRNU/IZiJxn/mR9edQ66A+SicTmj4sIPg/sOvUJar0EPgsq7scKQqCMto0UBTiKHjOwg9ApLlWmDtNFCcmEn6SVIBGVFw24xsQYwZjwnsImQkl6KEu2W0QoubyE4Oy08T94oiyFcKSO0g3/B9rrVoRyOrNAHr9F4dcGPuUai86q4eCzwlmhZUPltz/CqUyma6cX8k='
/** With a key of 1,024 bits. */
const WEAK =
  'MIICDDCCAXWgAwIBAgIULTnXMulH8KkZigfi/CFQ3q2rei8wDQYJKoZIhvcNAQELBQAwFzEVMBMGA1UEAwwMT2xkIHByb3ZpZGVyMCAXDTI2MTEyOTAxMTQxNloYDzIxMjYxMTA1MDExNDE2WjAXMRUwEwYDVQQDDAxPbGQgcHJvdmlkZXIwgZ8wDQYJKoZIhvcNAQEBBQADgY0AMIGJAoGBALhMH9PHRIQXJ2KDd568YdhXzvPtGhqt3eISqLrbigpj7meqE97hXvvK5F+m3vyWynfxeNCIaVk1DPDhQt94UyNGU6zukc7LTB7HD6yRmHmBfUVr3qi7mYfQmEjJwMzWXBIMMti3BIvEmWukyc5SPN7hDK7iBiXw+N/lYjWm0e8fAgMBAAGjUzBRMB0GA1UdDgQWBBRuLICoSpOKyuu56k8+BLQAC9ybEjAfBgNVHSMEGDAWgBRuLICoSpOKyuu56k8+BLQAC9ybEjAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3DQEBCwUAA4GBABmXosQy7eXbndLbKX+mijcyVRetv8RbA2kfBv+M6KEypfAO8t4mbEjTAw3ArfmIAmOiCceddTDeUk3V4XcHL6tn0Qzk2EvRE8MPf1104SEQnCZ+q//ajqIE73+IcT35nyQ2uh4E7ZIjvoa2EzDMkshcTi/kFvv8EcgEtcPxC05O'
/** With a key on an elliptic curve that is not accepted: secp256k1. */
const UNUSUAL_CURVE =
  'MIIBhDCCASqgAwIBAgIUDIITXxRpKKGDHtVdQbWNRi71qLgwCgYIKoZIzj0EAwIwGDEWMBQGA1UEAwwNVGVzdCBwcm92aWRlcjAgFw0yNjExMjkwNjIxMDFaGA8yMTI2MTEwNTA2MjEwMVowGDEWMBQGA1UEAwwNVGVzdCBwcm92aWRlcjBWMBAGByqGSM49AgEGBSuBBAAKA0IABDJXduTPTr8r9/S9SVxith7XBsoQbi9zJneMikBMIAoudRe3Kgo8nHa6/okrOIvJGTQGz4lQM7qgz4zxcWXitpOjUzBRMB0GA1UdDgQWBBQG8OqxhsvpVpsmFwveoEz5A7PPQTAfBgNVHSMEGDAWgBQG8OqxhsvpVpsmFwveoEz5A7PPQTAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIQCg3PGPjEqB+mCCMWvG4swzuVHNeWWqzedAUm3he5VrxQIgU0meH6lUeZHp/JMJDq9zA/bpbX73PdgatIHRW07btv8='
/** With a key of P-256. */
const ELLIPTIC =
  'MIIBiDCCAS2gAwIBAgIUPV6eNh0PxzBb3MMl4Inn6Oj8mWAwCgYIKoZIzj0EAwIwGDEWMBQGA1UEAwwNVGVzdCBwcm92aWRlcjAgFw0yNjExMjMwOTM1MjVaGA8yMTI2MTAzMDA5MzUyNVowGDEWMBQGA1UEAwwNVGVzdCBwcm92aWRlcjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABIOGs9zlGSgAEoE35fxprK909aUYhB6LiHefR0W9MqrD04MENz5H/IdBgq0aBeatql+4v0Q2KRsubaXs6LUragajUzBRMB0GA1UdDgQWBBQgdhPV1ISG2ok8waICQg496JctWDAfBgNVHSMEGDAWgBQgdhPV1ISG2ok8waICQg496JctWDAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0kAMEYCIQDPA9p5xSubcm4AmpJgvo9u9Rb2NPivWxwC99EmK/3uIwIhALOBPLImPWaCWyfz8GVFgNWQHU4Oosjf+yXqU5BvVkLa'

const key = (use: string, certificate = CERTIFICATE) =>
  `<md:KeyDescriptor${use}><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>
    ${certificate}
  </ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`

const service = (binding: string, location: string) =>
  `<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:${binding}" Location="${location}"/>`

function metadata({
  entity = 'entityID="https://idp.lender.example"',
  keys = key(' use="signing"'),
  services = service('HTTP-POST', 'https://idp.lender.example/post') +
    service('HTTP-Redirect', 'https://idp.lender.example/sso?tenant=1&amp;x=2'),
} = {}): string {
  return `<?xml version="1.0"?>
    <md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" ${entity}>
      <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${keys}${services}</md:IDPSSODescriptor>
      <md:SPSSODescriptor>${key(' use="signing"', 'AAAA')}</md:SPSSODescriptor>
    </md:EntityDescriptor>`
}

test('the issuer, the address for sign-in and the signing certificates are read', () => {
  const keys = key('') + key(' use="signing"') + key(' use="encryption"', 'AAAA')
  expect(readSamlMetadata(metadata({ keys }))).toEqual({
    issuer: 'https://idp.lender.example',
    signInUrl: 'https://idp.lender.example/sso?tenant=1&x=2',
    certificates: [CERTIFICATE],
  })
})

test('an http address is accepted only for a provider on this machine, and only in the demonstration', () => {
  const at = (origin: string) =>
    metadata({ services: service('HTTP-Redirect', `${origin}/saml-idp/sso`) })
  const local = at('http://localhost:3000')
  const { signInUrl } = readSamlMetadata(local, { allowsLoopback: true })
  expect(signInUrl).toBe('http://localhost:3000/saml-idp/sso')
  expect(() => readSamlMetadata(local)).toThrow(InvalidMetadata)
  const elsewhere = at('http://localhost.lender.example')
  expect(() => readSamlMetadata(elsewhere, { allowsLoopback: true })).toThrow(InvalidMetadata)
})

test.each([
  ['not well-formed', 'hello', 'well-formed'],
  ['cut off', metadata().slice(0, -30), 'well-formed'],
  ['another document', '<html/>', 'exactly one provider'],
  ['without an entity ID', metadata({ entity: '' }), 'exactly one provider'],
  [
    'a federation',
    `<x>${metadata().replace(/<[?].*[?]>/, '')}${metadata().replace(/<[?].*[?]>/, '')}</x>`,
    'exactly one provider',
  ],
  [
    'without the redirect binding',
    metadata({ services: service('HTTP-POST', 'https://idp.lender.example/post') }),
    'HTTP-Redirect',
  ],
  [
    'with an address that is not https',
    metadata({ services: service('HTTP-Redirect', 'javascript:alert(1)') }),
    'https',
  ],
  ['without a signing certificate', metadata({ keys: key(' use="encryption"') }), 'certificate'],
  ['with a damaged certificate', metadata({ keys: key('', 'AAAA') }), 'could not be read'],
  [
    'with a weak key beside a good one',
    metadata({ keys: key('') + key(' use="signing"', WEAK) }),
    /"CN=Old provider" \(SHA-256 fingerprint [\dA-F:]{95}\) has 1024 bits.*at least 2048 bits/,
  ],
  [
    'with a key whose signatures cannot be verified',
    metadata({ keys: key('', UNUSUAL_CURVE) }),
    /"CN=Test provider" .* on the curve secp256k1, whose signatures are not accepted/,
  ],
  [
    'with a DOCTYPE',
    `<!DOCTYPE md [<!ENTITY a "b">]>${metadata().replace(/<[?].*[?]>/, '')}`,
    'DOCTYPE',
  ],
  ['nested deeply', '<x>'.repeat(100_000), 'nested too deeply'],
  ['too long', metadata() + ' '.repeat(600_000), 'too long'],
])('metadata that is %s is refused', (_, xml, reason) => {
  const reading = () => readSamlMetadata(xml)
  expect(reading).toThrow(InvalidMetadata)
  expect(reading).toThrow(reason)
})

test('a typed certificate is refused by the same rule', () => {
  const typed = {
    issuer: 'https://idp.lender.example',
    signInUrl: 'https://idp.lender.example/sso',
  }
  expect(samlSettingsOf({ ...typed, certificate: CERTIFICATE }).certificates).toHaveLength(1)
  for (const certificate of [WEAK, UNUSUAL_CURVE]) {
    expect(() => samlSettingsOf({ ...typed, certificate })).toThrow(InvalidMetadata)
  }
})

test('the expiry of a certificate, in PEM or base64', () => {
  const expiry = Date.parse('2126-11-05T01:14:16Z')
  expect(certificateExpiry(CERTIFICATE)).toBe(expiry)
  const pem = `-----BEGIN CERTIFICATE-----\n${CERTIFICATE}\n-----END CERTIFICATE-----\n`
  expect(certificateExpiry(pem)).toBe(expiry)
})

const PEM = `-----BEGIN CERTIFICATE-----\n${CERTIFICATE.replaceAll(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----`

test.each([
  ['in PEM', PEM],
  ['in PEM on one line', PEM.replaceAll('\n', ' ')],
  ['in PEM with Windows line breaks', PEM.replaceAll('\n', '\r\n')],
  ['in PEM whose line breaks were written as \\n', PEM.replaceAll('\n', '\\n')],
  ['in PEM with a heading above it', `subject=CN = Test provider\n${PEM}\n`],
  ['in base64 with line breaks', CERTIFICATE.replaceAll(/(.{76})/g, '$1\r\n  ')],
  ['in base64 with invisible characters', `\uFEFF${CERTIFICATE}\u00A0\u200B`],
  ['in a CDATA section', `<![CDATA[${CERTIFICATE}]]>`],
  ['with its element', `<ds:X509Certificate>${CERTIFICATE}</ds:X509Certificate>`],
])('a certificate %s is read, typed and in metadata', (_, text) => {
  const typed = { issuer: 'https://idp.lender.example', signInUrl: ' https://idp.lender.example/ ' }
  expect(samlSettingsOf({ ...typed, certificate: text }).certificates).toEqual([CERTIFICATE])
  if (text.includes('<ds:')) return
  const { certificates } = readSamlMetadata(metadata({ keys: key('', text) }))
  expect(certificates).toEqual([CERTIFICATE])
})

test.each([
  ['in PEM', `${PEM}\n${PEM.replace(/MII[^-]*/, `${ELLIPTIC}\n`)}`],
  ['one after the other', `${CERTIFICATE}\n\n${ELLIPTIC}`],
  ['without anything between them', `${CERTIFICATE}MII${ELLIPTIC.slice(3)}`],
])('several certificates %s are read', (_, certificate) => {
  const typed = { issuer: 'https://idp.lender.example', signInUrl: 'https://idp.lender.example/' }
  expect(samlSettingsOf({ ...typed, certificate }).certificates).toEqual([CERTIFICATE, ELLIPTIC])
})

test('many certificates, and many beginnings without an end, are refused in time', () => {
  const typed = { issuer: 'https://idp.lender.example', signInUrl: 'https://idp.lender.example/' }
  const certificate = `${PEM}\n`.repeat(21)
  expect(() => samlSettingsOf({ ...typed, certificate })).toThrow('21 signing certificates')
  const begun = '-----BEGIN CERTIFICATE-----'.repeat(15_000)
  expect(() => readSamlMetadata(metadata({ keys: key('', begun) }))).toThrow(InvalidMetadata)
})

test('a certificate that cannot be read is named, and the others are used', () => {
  const keys = key('') + key('', 'MIIBAAAA')
  expect(readSamlMetadata(metadata({ keys }))).toMatchObject({
    certificates: [CERTIFICATE],
    unreadable: ['the one that begins with "MIIBAAAA" and has 8 characters'],
  })
})

const bare = metadata().replace(/<[?].*[?]>/, '')
const SERVICE_PROVIDER =
  '<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://sp.example"><md:SPSSODescriptor/></md:EntityDescriptor>'

test('service providers beside the identity provider do not count, nor does white space at the edges', () => {
  const entities = (content: string) =>
    `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">${content}</md:EntitiesDescriptor>`
  const { issuer } = readSamlMetadata(entities(SERVICE_PROVIDER + bare + SERVICE_PROVIDER))
  expect(issuer).toBe('https://idp.lender.example')
  for (const start of ['\n\n', '\uFEFF', '\uFEFF\r\n ']) {
    expect(readSamlMetadata(`${start}${metadata().trim()}\n\n`).issuer).toBe(issuer)
  }
  const other = bare.replace('https://idp.lender.example"', 'https://idp.other.example"')
  expect(() => readSamlMetadata(entities(bare + other))).toThrow(
    'It has 2: https://idp.lender.example, https://idp.other.example',
  )
})

test('metadata whose validity has ended is refused with its date', () => {
  const until = (time: string) =>
    metadata({ entity: `entityID="https://idp.lender.example" validUntil="${time}"` })
  expect(() => readSamlMetadata(until('2020-01-01T00:00:00Z'))).toThrow(
    'The metadata was valid until 2020-01-01T00:00:00Z',
  )
  expect(readSamlMetadata(until('2126-01-01T00:00:00Z')).certificates).toHaveLength(1)
})
