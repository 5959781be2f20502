import { ERROR_CATALOG } from '@portico/contracts/error-catalog'
import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { assertSameOrigin } from './csrf.ts'

const OWN = 'https://login.lender.example'

function refused(method: string, headers: Record<string, string>): boolean {
  try {
    // The rule reads only these two fields of a request.
    assertSameOrigin({ method, headers } as unknown as FastifyRequest, OWN)
    return false
  } catch (error) {
    expect(error).toMatchObject({ code: 'foreign-origin' })
    expect(ERROR_CATALOG['foreign-origin'].status).toBe(403)
    return true
  }
}

const COOKIE = { cookie: 'portico-session=x' }

test.each([
  ['its own origin', { origin: OWN, ...COOKIE }],
  ['its own origin and site', { origin: OWN, 'sec-fetch-site': 'same-origin', ...COOKIE }],
  ['a user who typed the URL', { 'sec-fetch-site': 'none', ...COOKIE }],
  ['a program without cookies', {}],
])('9 a state-changing request from %s passes', (_, headers) => {
  expect(refused('POST', headers)).toBe(false)
})

test.each([
  ['another origin', { origin: 'https://evil.example' }],
  ['an opaque origin', { origin: 'null' }],
  ['the same host without https', { origin: 'http://login.lender.example' }],
  ['another port', { origin: `${OWN}:8443` }],
  ['a longer name', { origin: `${OWN}.evil.example` }],
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['a sister site', { 'sec-fetch-site': 'same-site' }],
  ['its own origin but another site', { origin: OWN, 'sec-fetch-site': 'cross-site' }],
  ['no source, with cookies', COOKIE],
])('9 a state-changing request from %s is refused', (_, headers) => {
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'])
    expect(refused(method, headers)).toBe(true)
})

test('9 a safe request may come from anywhere', () => {
  for (const method of ['GET', 'HEAD', 'OPTIONS']) {
    expect(refused(method, { origin: 'https://evil.example', ...COOKIE })).toBe(false)
  }
})
