/**
 * Lets an application on this machine, such as `npm run lender-app`, receive webhooks without a configuration file or a
 * restart. Only the demonstration has this call, only programs on this machine can use it, and webhooks still pass the SSRF
 * guard.
 */
import { Refusal } from '@portico/contracts/errors'
import { OrgCode } from '@portico/contracts/organization'
import * as z from 'zod/mini'
import type { Organizations } from '../brands/brands.ts'
import type { Clock } from '../clock.ts'
import type { Edge } from '../http/serve.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Stores } from '../stores.ts'
import { storeEndpoint } from '../webhooks/webhook-endpoints.ts'
import { webhookSecretErrors } from '../webhooks/webhook-secrets.ts'
import { LOOPBACK } from '../webhooks/webhook-url.ts'

const PATH = '/dev/webhook-receivers'
/** A placeholder contact: mail goes to the demonstration's mailbox. */
const CONTACT = 'engineers@portico.example'

const Receiver = z.strictObject({
  organization: OrgCode,
  url: z
    .string()
    .check(z.refine((text) => isOwnMachine(text), 'must be an http address of this machine')),
  secret: z
    .string()
    .check(
      z.refine(
        (secret) => webhookSecretErrors({ WEBHOOK_SECRET_RECEIVER: secret }).length === 0,
        'must be whsec_ and 24 to 64 bytes in base64',
      ),
    ),
})

function isOwnMachine(text: string): boolean {
  const url = URL.parse(text)
  return url?.protocol === 'http:' && LOOPBACK.includes(url.hostname) && text.length < 200
}

interface ReceiverDeps {
  readonly stores: Pick<Stores, 'webhookEndpoints'>
  readonly organizations: Organizations
  readonly vault: Vault
  readonly clock: Clock
}

export function webhookReceivers({ app }: Edge, deps: ReceiverDeps): void {
  const { stores, organizations, clock } = deps
  app.put(PATH, async (request, reply) => {
    const { headers, ip } = request
    const isPage = headers.origin !== undefined || headers['sec-fetch-site'] !== undefined
    if (isPage || !/^(?:127\.|::1$|::ffff:127\.)/.test(ip)) throw new Refusal('foreign-origin')
    const { data, error } = Receiver.safeParse(request.body)
    if (data === undefined || organizations.withCode(data.organization) === undefined) {
      const errors = error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`)
      throw new Refusal('invalid-request', { errors: errors ?? ['organization is not known'] })
    }
    const { organization, url, secret } = data
    const { port } = new URL(url)
    const id = `this-machine-${port || 80}-${organization.toLowerCase().replaceAll('_', '-')}`
    const endpoint = { id, organization, url, secrets: [secret], contact: CONTACT }
    await storeEndpoint(deps, endpoint, clock())
    // Re-enables a receiver that was stopped before.
    await stores.webhookEndpoints.enable(id)
    return reply.code(204).send()
  })
}
