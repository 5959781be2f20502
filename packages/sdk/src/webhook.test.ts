import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { verifyWebhook } from './webhook.ts'

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
const BODY = JSON.stringify({
  type: 'session.started',
  timestamp: '2026-11-22T10:00:00.000Z',
  data: { organization: 'HARBORLINE', identityId: 'user-1' },
})

function sent({ secret = SECRET, at = new Date(), id = 'msg_1' } = {}) {
  const timestamp = Math.floor(at.getTime() / 1000)
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${BODY}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  }
}

test('a webhook is verified from text or bytes, with the headers of Node or of a Request', () => {
  const event = { id: 'msg_1', type: 'session.started', data: { identityId: 'user-1' } }
  const headers = sent()
  expect(verifyWebhook(SECRET, { headers, body: BODY })).toMatchObject(event)
  const bytes = new TextEncoder().encode(BODY)
  expect(verifyWebhook(SECRET, { headers: new Headers(headers), body: bytes })).toMatchObject(event)
})

test('a webhook with another secret, body, ID or time is refused', () => {
  const other = `whsec_${Buffer.alloc(32, 2).toString('base64')}`
  const hour = 60 * 60 * 1000
  for (const [headers, body] of [
    [sent({ secret: other }), BODY],
    [sent(), `${BODY} `],
    [{ ...sent(), 'webhook-id': 'msg_2' }, BODY],
    [sent({ at: new Date(Date.now() - hour) }), BODY],
    [sent({ at: new Date(Date.now() + hour) }), BODY],
    [{ ...sent(), 'webhook-signature': 'v1,' }, BODY],
    [{ ...sent(), 'webhook-signature': 'v1' }, BODY],
    [{}, BODY],
    [sent(), ''],
  ] as const) {
    expect(() => verifyWebhook(SECRET, { headers, body })).toThrow(
      expect.objectContaining({ code: 'invalid-webhook' }),
    )
  }
})
