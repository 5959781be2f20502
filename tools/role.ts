// `npm run role -- grant EMAIL reviewer [ORGANIZATION]`, `revoke …`, `list`: who may review investor passports.
// docs/passport.md has the details.
import { changeRole, withRoles } from '@portico/server/change-role'
import { parseConfig } from '@portico/server/config'
import { ConfigError } from '@portico/server/config-error'

const USAGE = [
  'npm run role -- grant EMAIL reviewer [ORGANIZATION]',
  'npm run role -- revoke EMAIL reviewer [ORGANIZATION]',
  'npm run role -- list',
]

const [action, email, role, organizationCode, ...rest] = process.argv.slice(2)
try {
  if (action === 'list' && email === undefined) {
    await withRoles(parseConfig(process.env), async ({ stores }) => {
      for (const each of await stores.identityRoles.list()) {
        console.log(`${each.email}  ${each.role}  ${each.organizationCode}`)
      }
    })
  } else {
    const isAction = action === 'grant' || action === 'revoke'
    if (!isAction || email === undefined || role !== 'reviewer' || rest.length > 0) {
      throw new ConfigError(USAGE)
    }
    const change = { action, email, role, organizationCode } as const
    const changed = await withRoles(parseConfig(process.env), (deps) => changeRole(deps, change))
    const what = `${email} ${action === 'grant' ? 'is' : 'is no longer'} a ${role} of ${changed.organizationCode}`
    console.log(changed.isChanged ? `${what}.` : `Nothing to change: ${what}.`)
  }
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(['Nothing was changed. Fix the following:', ...error.errors].join('\n  - '))
  process.exitCode = 1
}
