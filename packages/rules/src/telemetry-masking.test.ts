import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  MASK,
  maskedParams,
  maskedPath,
  maskedProperties,
  maskedReferrer,
  maskedWord,
} from './telemetry-masking.ts'

const OWN = 'https://login.lender.example'

/** Data that must not leave a page: identifying data and credentials. */
const secret = fc.oneof(
  fc.emailAddress(),
  fc.uuid(),
  fc.stringMatching(/^eyJ[\w-]{20,60}\.eyJ[\w-]{20,80}\.[\w-]{43}$/),
  fc.stringMatching(/^\d{6}$/),
  fc.stringMatching(/^\d{3}-\d{3}-\d{4}$/),
  fc.stringMatching(/^(tp|pb)1[a-z\d]{38}$/),
  fc.stringMatching(/^[\da-f]{32,64}$/),
)
const name = fc.oneof(
  fc.constantFrom('email', 'otp', 'token', 'jwt', 'code', 'redirectUrl', 'state', 'utm_source'),
  fc.constantFrom('flow', 'label', 'step', 'orgCode', 'constructor', '__proto__'),
  secret,
  fc.string({ minLength: 1 }),
)

test('7.8 no address, code or token passes in query parameters under any name', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(name, secret)), (pairs) => {
      const sent = JSON.stringify(maskedParams(new URLSearchParams(pairs)))
      for (const [, hidden] of pairs) expect(sent).not.toContain(hidden)
    }),
  )
})

test('7.8 no address, code or token passes as part of another text', () => {
  fc.assert(
    fc.property(fc.string(), secret, fc.string(), (before, hidden, after) => {
      const text = `${before}${hidden}${after}`
      expect(maskedWord(text)).not.toContain(hidden)
      expect(JSON.stringify(maskedProperties({ note: text, [text]: 1 }))).not.toContain(hidden)
    }),
  )
})

test('7.8 no address, code or token passes in the path or the referrer', () => {
  fc.assert(
    fc.property(fc.webPath(), secret, fc.webPath(), (before, hidden, after) => {
      const path = `${before}/${encodeURIComponent(hidden)}${after}?${hidden}#${hidden}`
      for (const sent of [
        maskedPath(path),
        maskedReferrer(`${OWN}${path}`, OWN),
        maskedReferrer(`https://other.example${path}`, OWN),
      ]) {
        expect(sent).not.toContain(encodeURIComponent(hidden))
        expect(sent).not.toContain(hidden)
      }
    }),
  )
})

test('masking is idempotent, so the server can mask data that a client has masked', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(name, fc.string())),
      fc.webUrl(),
      fc.string(),
      (pairs, url, text) => {
        const params = maskedParams(pairs)
        expect(maskedParams(Object.entries(params))).toEqual(params)
        const referrer = maskedReferrer(url, new URL(url).origin)
        expect(maskedReferrer(referrer, new URL(url).origin)).toBe(referrer)
        for (const masked of [maskedPath, maskedWord])
          expect(masked(masked(text))).toBe(masked(text))
      },
    ),
  )
})

test('7.8 values that identify no one pass', () => {
  const query = new URLSearchParams(
    'flow=new-user&label=apollo&step=2&walletconnect=true&utm_campaign=spring-2026&orgCode=NORTH_STAR',
  )
  expect(maskedParams(query)).toEqual(Object.fromEntries(query))
  expect(maskedPath('/auth/wallet/organization/select-account')).toBe(
    '/auth/wallet/organization/select-account',
  )
  expect(maskedProperties({ method: 'passcode', count: 3, remembered: true })).toEqual({
    method: 'passcode',
    count: 3,
    remembered: true,
  })
})

test('7.8 of parameters that identify users, grant access or contain URLs, only the name passes', () => {
  const query =
    'email=ada%40people.example&otp=true&redirectUrl=%2Fdashboard%3Femail%3Da%40b.example&loginUuid=1'
  expect(maskedParams(new URLSearchParams(query))).toEqual({
    email: MASK,
    otp: MASK,
    redirectUrl: MASK,
    loginUuid: MASK,
  })
  expect(maskedParams(new URLSearchParams('ada@people.example=1&who=ada'))).toEqual({})
})

test.each([
  ['/auth/wallet/provenance/tp1qqqsyqcyq5rqwzqf/convert', '/auth/wallet/provenance/*/convert'],
  [
    '/universal-passport/onboarding/0f8fad5b-d9cb-469f-a165-70867728950e/resume',
    '/universal-passport/onboarding/*/resume',
  ],
  ['/auth/login?email=a@b.example', '/auth/login'],
  ['/auth/Ada%40people.example', '/auth/*'],
  [`${'/select-account'.repeat(34)}/a`, `${'/select-account'.repeat(34)}/a`],
  [`${'/select-account'.repeat(34)}/a-b`, '/select-account'.repeat(34)],
])('7.8 the path %s is sent as %s', (path, sent) => {
  expect(maskedPath(path)).toBe(sent)
})

test.each([
  [`${OWN}/auth/login?email=a@b.example#jwt`, `${OWN}/auth/login`],
  ['https://ada:secret@partner.example/people/ada?token=1', 'https://partner.example'],
  ['javascript:alert(1)', ''],
  ['android-app://com.example', ''],
  ['', ''],
])('7.8 the referrer %s is sent as %j', (referrer, sent) => {
  expect(maskedReferrer(referrer, OWN)).toBe(sent)
})
