import { expect, test, vi } from 'vitest'
import { certificateExpiry } from '../saml-metadata.ts'
import { warnOfCertificates } from './certificate-warnings.ts'

const CERTIFICATE =
  'MIIBiDCCAS2gAwIBAgIUPV6eNh0PxzBb3MMl4Inn6Oj8mWAwCgYIKoZIzj0EAwIwGDEWMBQGA1UEAwwNVGVzdCBwcm92aWRlcjAgFw0yNjExMjMwOTM1MjVaGA8yMTI2MTAzMDA5MzUyNVowGDEWMBQGA1UEAwwNVGVzdCBwcm92aWRlcjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABIOGs9zlGSgAEoE35fxprK909aUYhB6LiHefR0W9MqrD04MENz5H/IdBgq0aBeatql+4v0Q2KRsubaXs6LUragajUzBRMB0GA1UdDgQWBBQgdhPV1ISG2ok8waICQg496JctWDAfBgNVHSMEGDAWgBQgdhPV1ISG2ok8waICQg496JctWDAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0kAMEYCIQDPA9p5xSubcm4AmpJgvo9u9Rb2NPivWxwC99EmK/3uIwIhALOBPLImPWaCWyfz8GVFgNWQHU4Oosjf+yXqU5BvVkLa'

const DAY_MS = 24 * 60 * 60 * 1000
const EXPIRES_AT = certificateExpiry(CERTIFICATE)

const ORGANIZATION = {
  orgCode: 'CEDAR_POINT',
  hosts: [],
  brandColor: '#205080',
  companyInfo: {
    name: 'Cedar Point',
    legalName: 'Cedar Point LLC',
    nmlsNumber: '1',
    badge: 'EQUAL_HOUSING_LENDER',
    supportPhone: '+12015550100',
    supportEmail: 'help@cedar-point.example',
    termsUrl: '/terms',
    privacyUrl: '/privacy',
    licensesUrl: '/licenses',
  },
}

test('a certificate that expires within 30 days is logged each time, and mailed to the administrator once', async () => {
  const used = new Set<string>()
  const warn = vi.fn<() => void>()
  const add = vi.fn<() => Promise<void>>()
  const setExpiry = vi.fn<(seconds: number) => void>()
  const settings = { issuer: 'x', signInUrl: 'x', certificates: [CERTIFICATE] }
  const provider = {
    id: 'provider',
    organizationCode: 'CEDAR_POINT',
    protocol: 'saml',
    name: 'Cedar ID',
    settings: JSON.stringify(settings),
  }
  const stores = {
    providers: { listEnabled: async () => [provider] },
    setupLinks: { findAdministrator: async () => 'ida@cedar-point.example' },
    singleUse: { consume: async (key: string) => !used.has(key) && used.add(key).has(key) },
  }
  const runAt = (at: number) =>
    warnOfCertificates({
      stores: { ...stores, atomically: (work: (of: typeof stores) => unknown) => work(stores) },
      organizations: { withCode: () => ORGANIZATION },
      outbox: { add },
      config: { publicUrl: undefined, port: 8080 },
      earliestExpiry: { set: setExpiry },
      log: { warn },
      clock: () => at,
      // Only what the function uses.
    } as unknown as Parameters<typeof warnOfCertificates>[0])

  await runAt(EXPIRES_AT - 31 * DAY_MS)
  expect([warn.mock.calls, add.mock.calls]).toEqual([[], []])
  await runAt(EXPIRES_AT - 29 * DAY_MS)
  await runAt(EXPIRES_AT - 28 * DAY_MS)
  expect(warn).toHaveBeenCalledTimes(2)
  expect(add).toHaveBeenCalledTimes(1)
  expect(add).toHaveBeenCalledWith(
    expect.anything(),
    expect.objectContaining({ to: 'ida@cedar-point.example' }),
  )
  expect(setExpiry).toHaveBeenLastCalledWith(EXPIRES_AT / 1000)
})
