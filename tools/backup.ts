// `npm run backup -- FILE`: writes the whole database to a file, and uploaded files beside it; the server may be running.
// docs/operations.md says what else a restore needs.
import { resolve } from 'node:path'
import { writeBackup } from '@portico/server/backup'
import { parseConfig } from '@portico/server/config'
import { ConfigError } from '@portico/server/config-error'
import { postgresPrograms } from './machine/postgres-programs.ts'

const [name, ...rest] = process.argv.slice(2)
try {
  if (name === undefined || rest.length > 0)
    throw new ConfigError(['Name one file: npm run backup -- FILE'])
  // npm runs this in the repository's root, whatever the caller's folder.
  const file = resolve(process.env.INIT_CWD ?? '', name)
  const config = parseConfig(process.env)
  const { uploads } = await writeBackup(config, file, postgresPrograms)
  console.log(
    [
      `${file} contains the database.`,
      ...(uploads === undefined ? [] : [`${uploads} contains the uploaded files.`]),
      `The backup is useless without ${keyOf(config)}: store that separately.`,
    ].join('\n'),
  )
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(['No backup was written. Fix the following:', ...error.errors].join('\n  - '))
  process.exitCode = 1
}

function keyOf({ masterKeys, dataDir }: ReturnType<typeof parseConfig>): string {
  return masterKeys === undefined ? `${dataDir}/master.key` : 'MASTER_KEY'
}
