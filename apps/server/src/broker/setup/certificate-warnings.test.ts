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

/** Checks these providers' certificates and records what was logged and mailed. */
function aCheck(providers: readonly object[]) {
  const used = new Set<string>()
  const [warn, error] = [vi.fn<() => void>(), vi.fn<(fields: object) => void>()]
  const add = vi.fn<() => Promise<void>>()
  const setExpiry = vi.fn<(seconds: number) => void>()
  const stores = {
    providers: { listEnabled: async () => providers },
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
      log: { warn, error },
      clock: () => at,
      // Only the parts that the function uses.
    } as unknown as Parameters<typeof warnOfCertificates>[0])
  return { warn, error, add, setExpiry, runAt }
}

const PROVIDER = {
  id: 'provider',
  organizationCode: 'CEDAR_POINT',
  protocol: 'saml',
  name: 'Cedar ID',
  settings: JSON.stringify({ issuer: 'x', signInUrl: 'x', certificates: [CERTIFICATE] }),
}

test('a certificate that expires within 30 days is logged each time, and mailed to the administrator once', async () => {
  const { warn, add, setExpiry, runAt } = aCheck([PROVIDER])
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

test('a provider with unreadable settings is logged, and warnings for the others still go out', async () => {
  const certificates = ['MIIBroken']
  const { warn, error, add, setExpiry, runAt } = aCheck([
    { ...PROVIDER, id: 'cut off', settings: '{"issuer":' },
    {
      ...PROVIDER,
      id: 'no certificate',
      settings: JSON.stringify({ issuer: 'x', signInUrl: 'x', certificates }),
    },
    PROVIDER,
  ])
  await runAt(EXPIRES_AT - DAY_MS)
  expect(error.mock.calls.map(([fields]) => fields)).toMatchObject([
    { provider: 'cut off' },
    { provider: 'no certificate' },
  ])
  expect(warn).toHaveBeenCalledTimes(1)
  expect(add).toHaveBeenCalledTimes(1)
  expect(setExpiry).toHaveBeenLastCalledWith(EXPIRES_AT / 1000)
})
