// `npm run scim-token -- PROVIDER_ID`: creates a token for the directory of an identity provider (SCIM), and prints it once.
// docs/scim.md has the steps.

import { parseConfig } from '@portico/server/config'
import { ConfigError } from '@portico/server/config-error'
import { scimToken } from '@portico/server/scim-token'

try {
  const [providerId] = process.argv.slice(2)
  if (providerId === undefined) {
    throw new ConfigError(['Name the identity provider: npm run scim-token -- PROVIDER_ID'])
  }
  console.log(await scimToken(parseConfig(process.env), providerId))
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(['No token was created. Fix the following:', ...error.errors].join('\n  - '))
  process.exitCode = 1
}
