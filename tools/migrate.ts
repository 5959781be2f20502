// `npm run migrate`: applies the migrations of this version to the configured database. docs/upgrading.md has the steps.
import { parseConfig } from '@portico/server/config'
import { ConfigError } from '@portico/server/config-error'
import { migrateDatabase } from '@portico/server/database'

if (process.argv.length > 2) {
  console.error('Usage: npm run migrate, with the settings of a node and without arguments')
  process.exit(1)
}

try {
  const config = { ...parseConfig(process.env), migratesSeparately: false }
  const applied = await migrateDatabase(config)
  console.log(applied.length === 0 ? 'Nothing to migrate.' : `Applied ${applied.join(', ')}.`)
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(['Nothing was migrated. Fix the following:', ...error.errors].join('\n  - '))
  process.exitCode = 1
}
