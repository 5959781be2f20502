// `npm run service-token -- create NAME PERMISSION… --reason TEXT [--organizations CODES] [--days NUMBER]`, `list`,
// `revoke ID --reason TEXT`: the tokens with which programs call the admin API. docs/admin-api.md has the details.
import { parseArgs } from 'node:util'
import { MAX_TOKEN_DAYS } from '@portico/contracts/admin/operators'
import { PERMISSIONS, PERSON_PERMISSIONS } from '@portico/contracts/admin/permissions'
import { parseConfig } from '@portico/server/config'
import { ConfigError } from '@portico/server/config-error'
import { withServiceTokens } from '@portico/server/manage-service-tokens'
import { operatorCommand } from './operator-command.ts'

const PERMISSION_HINT = `PERMISSION is one of ${PERMISSIONS.filter((each) => !PERSON_PERMISSIONS.includes(each)).join(', ')}. By default the token is for all organizations, and valid for 90 days`

const USAGE = [
  'npm run service-token -- create NAME PERMISSION… --reason TEXT [--organizations CODE,CODE] [--days NUMBER]',
  'npm run service-token -- list',
  'npm run service-token -- revoke ID --reason TEXT',
  PERMISSION_HINT,
]

const dateOf = (at: number | null) => (at === null ? 'never' : new Date(at).toISOString())

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        days: { type: 'string', default: '90' },
        organizations: { type: 'string', default: '*' },
        reason: { type: 'string', default: '' },
      },
    })
  } catch {
    throw new ConfigError(USAGE)
  }
}

await operatorCommand('Nothing was changed', async () => {
  const { positionals, values } = parse()
  const [action, name, ...permissions] = positionals
  const { reason } = values
  await withServiceTokens(parseConfig(process.env), async (tokens) => {
    if (action === 'create' && name !== undefined && permissions.length > 0) {
      const organizationCodes = values.organizations.split(',')
      const days = Number(values.days)
      if (!(Number.isInteger(days) && days >= 1 && days <= MAX_TOKEN_DAYS)) {
        throw new ConfigError([`--days must be a whole number from 1 to ${MAX_TOKEN_DAYS}`])
      }
      const unknown = permissions.filter((each) => !PERMISSIONS.some((known) => known === each))
      if (unknown.length > 0) {
        throw new ConfigError([
          ...unknown.map((each) => `${each} is not a permission`),
          PERMISSION_HINT,
        ])
      }
      const created = await tokens.create({ name, permissions, organizationCodes, days, reason })
      console.error(`The token is valid until ${dateOf(created.expiresAt)}. It is shown only once:`)
      console.log(created.token)
    } else if (action === 'list' && name === undefined) {
      for (const each of (await tokens.list()).items) {
        const state = each.revokedAt === null ? `until ${dateOf(each.expiresAt)}` : 'revoked'
        const used = `last used ${dateOf(each.lastUsedAt)}`
        const scope = `${each.permissions.join(' ')} for ${each.organizationCodes.join(' ')}`
        console.log(`${each.tokenUuid}  ${each.name}  ${state}  ${used}  ${scope}`)
      }
    } else if (action === 'revoke' && name !== undefined && permissions.length === 0) {
      if (reason.trim() === '') throw new ConfigError(['Enter a reason: --reason TEXT'])
      const { changed } = await tokens.revoke(name, reason)
      console.log(changed ? 'The token is revoked.' : 'The token was already revoked.')
    } else throw new ConfigError(USAGE)
  })
})
