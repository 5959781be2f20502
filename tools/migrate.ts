// `npm run migrate`: applies the migrations of this version to the configured database. docs/upgrading.md has the steps.
import { parseConfig } from '@portico/server/config'
import { migrateDatabase } from '@portico/server/database'
import { operatorCommand } from './operator-command.ts'

if (process.argv.length > 2) {
  console.error('Usage: npm run migrate, with the settings of a node and without arguments')
  process.exit(1)
}

await operatorCommand('Nothing was migrated', async () => {
  const config = { ...parseConfig(process.env), migratesSeparately: false }
  const applied = await migrateDatabase(config)
  console.log(applied.length === 0 ? 'Nothing to migrate.' : `Applied ${applied.join(', ')}.`)
})
