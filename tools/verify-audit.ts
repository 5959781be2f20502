// `npm run verify-audit [-- SEQUENCE:HASH]`: checks that no entry of the audit log was changed or deleted since it was
// sealed. With a head from the log, also that the chain still contains it. docs/operations.md has the details.
import { parseConfig } from '@portico/server/config'
import { verifyAuditLog } from '@portico/server/verify-audit'
import { operatorCommand } from './operator-command.ts'

await operatorCommand('Nothing was checked', async () => {
  const report = await verifyAuditLog(parseConfig(process.env), process.argv[2])
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
