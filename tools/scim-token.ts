// `npm run scim-token -- PROVIDER_ID`: makes a token with which the directory of an identity provider calls /scim/v2, and
// prints it once. docs/scim.md has the steps.

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
  console.error(error.message)
  process.exitCode = 1
}
