// `npm run webhooks -- list`, `history ENDPOINT`, `replay ENDPOINT SINCE [UNTIL]`, `enable ENDPOINT`.
// docs/webhooks.md has the details.
import { parseConfig } from '@portico/server/config'
import { requestWebhooks } from '@portico/server/manage-webhooks'
import { operatorCommand } from './operator-command.ts'

await operatorCommand('Nothing was changed', async () => {
  console.log(await requestWebhooks(parseConfig(process.env), process.argv.slice(2)))
})
