import { expect, test } from 'vitest'
import { certificateExpiry, InvalidMetadata, readSamlMetadata } from './saml-metadata.ts'

/** Self-signed, valid until 30 October 2126. */
const CERTIFICATE =
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

test('the expiry of a certificate, in PEM or base64', () => {
  const expiry = Date.parse('2126-10-30T09:35:25Z')
  expect(certificateExpiry(CERTIFICATE)).toBe(expiry)
  const pem = `-----BEGIN CERTIFICATE-----\n${CERTIFICATE}\n-----END CERTIFICATE-----\n`
  expect(certificateExpiry(pem)).toBe(expiry)
})
