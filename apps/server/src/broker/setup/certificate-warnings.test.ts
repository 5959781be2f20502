import { expect, test, vi } from 'vitest'
import { certificateExpiry } from '../saml-metadata.ts'
import { warnOfCertificates } from './certificate-warnings.ts'

const CERTIFICATE =
  'MIIDEzCCAfugAwIBAgIUDKw7Rl8XsuMJ7O62fb3Yxc05G30wDQYJKoZIhvcNAQELBQAwGDEWMBQGA1UEAwwNVGVzdCBwcm92aWRlcjAgFw0yNjExMjkwMTE0MTZaGA8yMTI2MTEwNTAxMTQxNlowGDEWMBQGA1UEAwwNVGVzdCBwcm92aWRlcjCCASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEBAPo3XC5QiFutQXc2m4zTeIb33/LgMbMfd2tkU600N5joFg/M0Uz9Q6T6nPyxXMznYaI6ZNJNo2qDy22Oy6KALK5ejJt2KTRD2Sx0JQrxElFbZCv4QJiHqxCiYLHxz9LBmM/aP1nF1O4vAZ1mnRRIzrSK0opsM1+EdMsjhd4TBBVg13dm64zbOH6l+sMrAmOHL20+l3JVAJU9+0cgUsUjbjjfUY9WVes+Np7Zh81vRcAtgdfEUw066jfiTo6zv/qSx4UMBM9krFr367MDFJJP8x2czcMJ3N0yJ0cvy9GFidchTPOkiASRA8+ePGsbXy31uhzgd2DyebQbCx5kWuliUccCAwEAAaNTMFEwHQYDVR0OBBYEFCWn+BSyo/vu6/4+nrjTKIrMp+S3MB8GA1UdIwQYMBaAFCWn+BSyo/vu6/4+nrjTKIrMp+S3MA8GA1UdEwEB/wQFMAMBAf8wDQYJKoZIhvcNAQELBQADggEBAEHPQrErVxVFFWxsdFjWJCnmDMXfHXsm5zB7Sa89ZW7R7nUCSrF/LzJo6KSNE8USXWd8d4gcXK1kK+f+zHv+RuWx45vQLCjMlnpvpYNA36zUCT9WehvYZ22ojyo1Z26xIuCgLL8fTVzKMAB6PfQRNU/IZiJxn/mR9edQ66A+SicTmj4sIPg/sOvUJar0EPgsq7scKQqCMto0UBTiKHjOwg9ApLlWmDtNFCcmEn6SVIBGVFw24xsQYwZjwnsImQkl6KEu2W0QoubyE4Oy08T94oiyFcKSO0g3/B9rrVoRyOrNAHr9F4dcGPuUai86q4eCzwlmhZUPltz/CqUyma6cX8k='
/** With a key of 1,024 bits. */
const WEAK =
  'MIICDDCCAXWgAwIBAgIULTnXMulH8KkZigfi/CFQ3q2rei8wDQYJKoZIhvcNAQELBQAwFzEVMBMGA1UEAwwMT2xkIHByb3ZpZGVyMCAXDTI2MTEyOTAxMTQxNloYDzIxMjYxMTA1MDExNDE2WjAXMRUwEwYDVQQDDAxPbGQgcHJvdmlkZXIwgZ8wDQYJKoZIhvcNAQEBBQADgY0AMIGJAoGBALhMH9PHRIQXJ2KDd568YdhXzvPtGhqt3eISqLrbigpj7meqE97hXvvK5F+m3vyWynfxeNCIaVk1DPDhQt94UyNGU6zukc7LTB7HD6yRmHmBfUVr3qi7mYfQmEjJwMzWXBIMMti3BIvEmWukyc5SPN7hDK7iBiXw+N/lYjWm0e8fAgMBAAGjUzBRMB0GA1UdDgQWBBRuLICoSpOKyuu56k8+BLQAC9ybEjAfBgNVHSMEGDAWgBRuLICoSpOKyuu56k8+BLQAC9ybEjAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3DQEBCwUAA4GBABmXosQy7eXbndLbKX+mijcyVRetv8RbA2kfBv+M6KEypfAO8t4mbEjTAw3ArfmIAmOiCceddTDeUk3V4XcHL6tn0Qzk2EvRE8MPf1104SEQnCZ+q//ajqIE73+IcT35nyQ2uh4E7ZIjvoa2EzDMkshcTi/kFvv8EcgEtcPxC05O'

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

test('a key that was saved before keys were checked is logged by its name', async () => {
  const settings = { issuer: 'x', signInUrl: 'x', certificates: [WEAK, CERTIFICATE] }
  const { error, runAt } = aCheck([{ ...PROVIDER, settings: JSON.stringify(settings) }])
  await runAt(EXPIRES_AT - 31 * DAY_MS)
  expect(error.mock.calls.map(([fields]) => fields)).toMatchObject([
    { provider: 'provider', problem: expect.stringContaining('"CN=Old provider"') },
  ])
})
