// `npm run restore -- FILE`: fills an empty data folder, or an empty database, from a backup.
import { restoreBackup } from '@portico/server/backup'
import { parseConfig } from '@portico/server/config'
import { ConfigError } from '@portico/server/config-error'
import { postgresPrograms } from './machine/postgres-programs.ts'
import { operatorCommand, resolveFromCaller } from './operator-command.ts'

const [name, ...rest] = process.argv.slice(2)
await operatorCommand('Nothing was restored', async () => {
  if (name === undefined || rest.length > 0)
    throw new ConfigError(['Specify one file: npm run restore -- FILE'])
  const file = resolveFromCaller(name)
  const config = parseConfig(process.env)
  const { keyOpens } = await restoreBackup(config, file, postgresPrograms)
  if (keyOpens) console.log('Restored. The next start runs any missing migrations.')
  else {
    const key =
      config.masterKeys === undefined
        ? `master.key into ${config.dataDir}`
        : 'that backup’s MASTER_KEY into the environment'
    console.error(
      `The current master key does not decrypt the restored data. Put ${key} before you start the server.`,
    )
    process.exitCode = 1
  }
})
