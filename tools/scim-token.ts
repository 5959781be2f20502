// `npm run scim-token -- PROVIDER_ID`: creates a token for the directory of an identity provider (SCIM), and prints it once.
// docs/scim.md has the steps.

import { parseConfig } from '@portico/server/config'
import { ConfigError } from '@portico/server/config-error'
import { scimToken } from '@portico/server/scim-token'
import { operatorCommand } from './operator-command.ts'

await operatorCommand('No token was created', async () => {
  const [providerId] = process.argv.slice(2)
  if (providerId === undefined) {
    throw new ConfigError(['Specify the identity provider: npm run scim-token -- PROVIDER_ID'])
  }
  console.log(await scimToken(parseConfig(process.env), providerId))
})
