// `npm run sso-link -- ORGANIZATION customer|agent EMAIL`: mails an administrator the link to set up the organization's
// identity provider. With `end` instead of the address, the open sessions and links of the setup end. The running server sends the mail; docs/identity-providers.md has the steps.

import { parseConfig } from '@portico/server/config'
import { ConfigError } from '@portico/server/config-error'
import { requestSetupLink } from '@portico/server/create-setup-link'
import { operatorCommand } from './operator-command.ts'

const [organization, userType, email, ...rest] = process.argv.slice(2)
await operatorCommand('No link was mailed', async () => {
  if (
    organization === undefined ||
    userType === undefined ||
    email === undefined ||
    rest.length > 0
  )
    throw new ConfigError(['Usage: npm run sso-link -- ORGANIZATION customer|agent EMAIL|end'])
  await requestSetupLink(parseConfig(process.env), [organization, userType, email])
  console.log(
    email === 'end'
      ? 'The open sessions and links of the setup have ended.'
      : `The link was mailed to ${email}.`,
  )
})
