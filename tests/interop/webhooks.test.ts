import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { expect, test, vi } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { webhookReceiver } from '../support/webhook-receiver.ts'
import { aWorld, newPerson } from '../support/world.ts'

const SHIPPED = fileURLToPath(new URL('../../config/', import.meta.url))
const SECRETS = [1, 2, 3].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`)
const [CURRENT = '', EARLIER = '', FOREIGN = ''] = SECRETS

test('webhooks: the published library of Standard Webhooks verifies what is sent, by either secret', async () => {
  using receiver = await webhookReceiver()
  using folder = temporaryFolder()
  cpSync(SHIPPED, folder.path, { recursive: true })
  mkdirSync(join(folder.path, 'webhooks'))
  const endpoint = {
    id: 'receiver',
    organization: 'FIGURE',
    url: receiver.url,
    secrets: ['WEBHOOK_SECRET_CURRENT', 'WEBHOOK_SECRET_EARLIER'],
    contact: 'engineers@lender.example',
  }
  writeFileSync(join(folder.path, 'webhooks', 'receiver.json'), JSON.stringify(endpoint))
  await using world = await aWorld().withSettings({
    CONFIG_DIR: folder.path,
    WEBHOOK_SECRET_CURRENT: CURRENT,
    WEBHOOK_SECRET_EARLIER: EARLIER,
  })
  await world.browser().register(newPerson())
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(0), { timeout: 10_000 })
  for (const { headers, body } of receiver.received) {
    const sent = headers as Record<string, string> // None of these headers is repeated.
    expect(new Webhook(CURRENT).verify(body, sent)).toEqual(JSON.parse(body))
    expect(new Webhook(EARLIER).verify(body, sent)).toEqual(JSON.parse(body))
    expect(() => new Webhook(FOREIGN).verify(body, sent)).toThrow(WebhookVerificationError)
    expect(() => new Webhook(CURRENT).verify(`${body} `, sent)).toThrow(WebhookVerificationError)
    const another = { ...sent, 'webhook-id': 'msg_another' }
    expect(() => new Webhook(CURRENT).verify(body, another)).toThrow(WebhookVerificationError)
  }
})
