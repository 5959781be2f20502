// `npm run operator -- grant EMAIL ROLE [ORGANIZATION …|--all]`, `revoke …`, `list`: who may use the operator console.
// docs/console.md has the details.
import {
  ALL_ORGANIZATIONS,
  OPERATOR_ROLES,
  type OperatorRole,
} from '@portico/contracts/admin/permissions'
import { changeGrants, withGrants } from '@portico/server/change-grants'
import { parseConfig } from '@portico/server/config'
import { ConfigError } from '@portico/server/config-error'
import { operatorCommand } from './operator-command.ts'

const USAGE = [
  'npm run operator -- grant EMAIL ROLE [ORGANIZATION …|--all]',
  'npm run operator -- revoke EMAIL ROLE [ORGANIZATION …|--all]',
  'npm run operator -- list',
  `ROLE is one of ${OPERATOR_ROLES.join(', ')}. Without an organization, the role is for the account's own; that of an admin is for all`,
]

const isRole = (text: string | undefined): text is OperatorRole =>
  OPERATOR_ROLES.some((role) => role === text)

const nameOf = (code: string) => (code === ALL_ORGANIZATIONS ? 'all organizations' : code)

const [action, email, role, ...rest] = process.argv.slice(2)
await operatorCommand('Nothing was changed', async () => {
  if (action === 'list' && email === undefined) {
    await withGrants(parseConfig(process.env), async ({ stores }) => {
      for (const each of await stores.identityRoles.list()) {
        console.log(`${each.email}  ${each.role}  ${nameOf(each.organizationCode)}`)
      }
    })
  } else {
    const isAction = action === 'grant' || action === 'revoke'
    const isAll = rest.includes('--all')
    if (!isAction || email === undefined || !isRole(role) || (isAll && rest.length > 1)) {
      throw new ConfigError(USAGE)
    }
    const organizationCodes = isAll ? [ALL_ORGANIZATIONS] : rest
    const change = {
      action,
      email,
      role,
      ...(organizationCodes.length === 0 ? {} : { organizationCodes }),
    } as const
    const result = await withGrants(parseConfig(process.env), (deps) => changeGrants(deps, change))
    for (const code of result.organizationCodes) {
      const what = `${email} ${action === 'grant' ? 'has' : 'no longer has'} the role ${role} for ${nameOf(code)}`
      console.log(result.changed.includes(code) ? `${what}.` : `Nothing to change: ${what}.`)
    }
    if (action === 'grant' && !result.hasFactor) {
      console.log(
        `${email} has no passkey or authenticator app yet. To use the console, they must add one at /dashboard/security.`,
      )
    }
  }
})
