// `npm run backup -- FILE`: writes the whole database to a file, and uploaded files beside it; the server may be running.
// docs/operations.md says what else a restore needs.
import { writeBackup } from '@portico/server/backup'
import { parseConfig } from '@portico/server/config'
import { ConfigError } from '@portico/server/config-error'
import { postgresPrograms } from './machine/postgres-programs.ts'
import { operatorCommand, resolveFromCaller } from './operator-command.ts'

const [name, ...rest] = process.argv.slice(2)
await operatorCommand('No backup was written', async () => {
  if (name === undefined || rest.length > 0)
    throw new ConfigError(['Specify one file: npm run backup -- FILE'])
  const file = resolveFromCaller(name)
  const config = parseConfig(process.env)
  const { uploads } = await writeBackup(config, file, postgresPrograms)
  console.log(
    [
      `${file} contains the database.`,
      ...(uploads === undefined ? [] : [`${uploads} contains the uploaded files.`]),
      `The backup is useless without ${keyOf(config)}: store that separately.`,
    ].join('\n'),
  )
})

function keyOf({ masterKeys, dataDir }: ReturnType<typeof parseConfig>): string {
  return masterKeys === undefined ? `${dataDir}/master.key` : 'MASTER_KEY'
}
