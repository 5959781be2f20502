// `npm run verify-audit [-- SEQUENCE:HASH … --log FILE]`: checks that no entry of the audit log was changed or deleted since
// it was sealed. With heads, or a log that contains them, also that the chain still contains each. docs/operations.md has the
// details.
import { parseArgs } from 'node:util'
import { parseConfig } from '@portico/server/config'
import { ConfigError } from '@portico/server/config-error'
import { verifyAuditLog } from '@portico/server/verify-audit'
import { operatorCommand, resolveFromCaller } from './operator-command.ts'

await operatorCommand('Nothing was checked', async () => {
  const report = await verifyAuditLog(parseConfig(process.env), parseArguments())
  const { errors, entries, head, sealedAt, hasUnsealed } = report
  if (errors.length > 0) {
    console.error(['The audit log was changed:', ...errors].join('\n  - '))
    process.exitCode = 1
  } else {
    const until = sealedAt === undefined ? '' : `, sealed until ${new Date(sealedAt).toISOString()}`
    console.log(`No change found: ${entries} entries${until}.`)
  }
  if (head !== undefined) console.log(`Head: ${head.sequence}:${head.hash}`)
  if (hasUnsealed) console.log('Entries that are not sealed yet were not checked.')
})

function parseArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: { log: { type: 'string' } },
      allowPositionals: true,
    })
    const logFile = values.log === undefined ? undefined : resolveFromCaller(values.log)
    return { noted: positionals, logFile }
  } catch (error) {
    throw new ConfigError([(error as Error).message])
  }
}
