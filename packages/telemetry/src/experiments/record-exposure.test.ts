import { EXPOSURE_PATH } from '@portico/contracts/experiment-keys'
import { expect, test } from 'vitest'
import { recordExposure } from './record-exposure.ts'

const KEY = 'partner-simplified-onboarding'

function exposureRequests(navigator: object, answer: () => Promise<Response>) {
  const requests: { url: unknown; init: RequestInit | undefined }[] = []
  recordExposure(KEY, 'FIGURE', {
    navigator,
    fetch: (url, init) => {
      requests.push({ url, init })
      return answer()
    },
  })
  return requests
}

test('7.8 an exposure is sent to our own server, at low priority, and survives navigation', () => {
  const requests = exposureRequests({}, async () => new Response(null, { status: 204 }))
  expect(requests).toHaveLength(1)
  expect(requests[0]?.url).toBe(EXPOSURE_PATH)
  expect(requests[0]?.init).toMatchObject({
    method: 'POST',
    headers: { 'x-organization': 'FIGURE' },
    body: JSON.stringify({ experimentKey: KEY }),
    keepalive: true,
    priority: 'low',
  })
})

test('7.8 nothing is sent with Global Privacy Control', () => {
  expect(exposureRequests({ globalPrivacyControl: true }, async () => new Response())).toEqual([])
  expect(
    exposureRequests({ globalPrivacyControl: false }, async () => new Response()),
  ).toHaveLength(1)
})

test.each([
  ['rejects the request', async () => new Response(null, { status: 429 })],
  ['is unreachable', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['never responds', () => new Promise<Response>(() => undefined)],
  [
    'cannot be called',
    () => {
      throw new Error('blocked')
    },
  ],
])('7.8 when the server %s, the page is not affected', async (_, answer) => {
  const unhandled: unknown[] = []
  const listen = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', listen)
  expect(() => exposureRequests({}, answer)).not.toThrow()
  await new Promise(setImmediate)
  process.off('unhandledRejection', listen)
  expect(unhandled).toEqual([])
})
