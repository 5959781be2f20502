// `npm run webhooks -- list`, `history ENDPOINT`, `replay ENDPOINT SINCE [UNTIL]`, `enable ENDPOINT`.
// docs/webhooks.md has the details.
import { parseConfig } from '@portico/server/config'
import { ConfigError } from '@portico/server/config-error'
import { requestWebhooks } from '@portico/server/manage-webhooks'

try {
  console.log(await requestWebhooks(parseConfig(process.env), process.argv.slice(2)))
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(['Nothing was changed. Fix the following:', ...error.errors].join('\n  - '))
  process.exitCode = 1
}
