/**
 * A node without its HTTP server, which records security events and sends their webhooks until it is killed. It prints the
 * number of each event as soon as its transaction is committed.
 */
import { parseConfig } from '@portico/server/config'
import { openLog } from '@portico/server/log'
import { openDatabase } from '../../apps/server/src/database/database.ts'
import { openVault } from '../../apps/server/src/secrets/vault.ts'
import { allStores } from '../../apps/server/src/stores.ts'
import { storeEndpoints } from '../../apps/server/src/webhooks/webhook-endpoints.ts'
import { startWebhookSender } from '../../apps/server/src/webhooks/webhook-sender.ts'

const [receiver = '', first = '0', count = '0', aheadMs = '0'] = process.argv.slice(2)
const config = parseConfig(process.env)
// Before the database, because a master key is only generated together with it.
const vault = openVault(config)
const stores = allStores(await openDatabase(config))
// The lane of a killed process is free after its lease, which this clock has skipped.
const clock = () => Date.now() + Number(aheadMs)
const endpoint = {
  id: 'receiver',
  organization: 'FIGURE',
  url: receiver,
  secrets: [`whsec_${Buffer.alloc(32).toString('base64')}`],
  contact: 'engineers@lender.example',
}
await storeEndpoints({ stores, vault }, [endpoint], clock())
startWebhookSender({
  stores,
  vault,
  clock,
  outbox: { add: async () => undefined },
  organizations: { withCode: () => undefined },
  config,
  countAttempt: () => undefined,
  startTrace: (_name, work) => work(),
  log: openLog('warn'),
})
process.stdout.write('ready\n')
for (let number = Number(first); number < Number(first) + Number(count); number += 1) {
  const event = { identityId: null, at: clock(), details: { protocol: 'saml', version: number } }
  const source = { network: '', organization: { orgCode: 'FIGURE' } }
  await stores.audit.record('provider-enabled', event, source)
  process.stdout.write(`${number}\n`)
}
