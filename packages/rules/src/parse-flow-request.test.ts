import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseFlowRequest } from './parse-flow-request.ts'
import { redirectTarget } from './redirect-target.ts'

const UUID = '6f0d9f5e-3b0c-4a7e-9c53-0d5f0a6f4f11'

test('3 every field of a flow request is read', () => {
  const search = new URLSearchParams({
    intent: '506c',
    redirectUrl: '/loans?id=1#top',
    passportUuid: UUID.toUpperCase(),
    offeringAddress: 'tp1pcyf6qwrpx9r8n0qsxrklvreggu6nagzpxvhxn',
    offeringAttribute: 'harborline.offering',
    addOns: '3c7,SUITABILITY_QUESTIONNAIRE',
    option: 'ONLY_ADD_ONS',
    description: 'Fund I & II',
    specialties: 'real estate,credit',
    incompleteRedirectUrl: '/loans',
  })
  expect(parseFlowRequest(search.toString())).toEqual({
    request: {
      intent: '506c',
      redirectUrl: '/loans?id=1#top',
      passportUuid: UUID,
      offeringAddress: 'tp1pcyf6qwrpx9r8n0qsxrklvreggu6nagzpxvhxn',
      offeringAttribute: 'harborline.offering',
      addOns: ['3c7', 'SUITABILITY_QUESTIONNAIRE'],
      option: 'ONLY_ADD_ONS',
      description: 'Fund I & II',
      specialties: ['real estate', 'credit'],
      incompleteRedirectUrl: '/loans',
    },
  })
})

test.each([
  ['an unknown field', 'intent=kyc&redirectUrl=/&admin=true', 'an unknown parameter'],
  ['an inherited name', 'intent=kyc&redirectUrl=/&__proto__=x', 'an unknown parameter'],
  ['a repeated parameter', 'intent=kyc&intent=506c&redirectUrl=/', 'intent: occurs more than once'],
  ['an unknown intent', 'intent=KYC&redirectUrl=/', 'intent'],
  ['no redirect target', 'intent=kyc', 'redirectUrl'],
  ['a query that was encoded twice', 'intent%3Dkyc%26redirectUrl%3D%2F', 'intent'],
  ['a value that was encoded twice', 'intent=506b%2520&redirectUrl=/', 'intent'],
  ['an unknown add-on', 'intent=kyc&redirectUrl=/&addOns=3c7,3c8', 'addOns'],
  ['an empty list', 'intent=kyc&redirectUrl=/&addOns=', 'addOns'],
  ['a passport that is no UUID', 'intent=kyc&redirectUrl=/&passportUuid=../x', 'passportUuid'],
  ['an invisible character', 'intent=kyc&redirectUrl=/&description=a%E2%80%AEb', 'description'],
  ['100 kB', `intent=kyc&redirectUrl=/&description=${'a'.repeat(100_000)}`, 'too long'],
])('4.10 a request with %s is a violation', (_, search, named) => {
  expect(parseFlowRequest(search)).toEqual({
    violations: expect.arrayContaining([expect.stringContaining(named)]),
  })
})

test('2.2 the login page returns to every request that is not too long', () => {
  const requestOf = (size: number) =>
    `intent=kyc&redirectUrl=/loans&specialties=${Array(size).fill('real%20estate').join()}&description=${'%C3%A9'.repeat(size * 30)}`
  const accepted = [...Array(20).keys()]
    .map((index) => requestOf(index + 1))
    .filter((search) => 'request' in parseFlowRequest(search))
  expect(accepted.length).toBeGreaterThan(5)
  for (const search of accepted) {
    const page = `/auth/gatekeeper?${search}`
    expect(redirectTarget(page)).toBe(page)
  }
})

test('1 the parameters that choose the brand of a page are not part of the request', () => {
  expect(parseFlowRequest('orgCode=HARBORLINE&intent=kyc&label=apollo&redirectUrl=/')).toEqual({
    request: { intent: 'kyc', redirectUrl: '/' },
  })
})

test('violations are logged, so they contain no request data', () => {
  const secrets = 'ada%40example.com=1&intent=123-45-6789&passportUuid=tp1secret'
  const repeated = '&redirectUrl=/tp1secret'.repeat(50)
  const parsed = parseFlowRequest(secrets + repeated)
  const text = JSON.stringify(parsed)
  for (const secret of ['ada', '6789', 'tp1secret']) expect(text).not.toContain(secret)
  expect(text.length).toBeLessThan(500)
})

test('4.10 any text is a request or a violation, never an error', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (search) => {
      const parsed = parseFlowRequest(search)
      if ('violations' in parsed) expect(parsed.violations).not.toEqual([])
    }),
  )
})
