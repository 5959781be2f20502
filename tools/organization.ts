// `npm run organization -- history ORGANIZATION`, `undo ORGANIZATION [VERSION]`, `export ORGANIZATION FOLDER`,
// `import FOLDER`. docs/white-label.md has the details.
import { parseConfig } from '@portico/server/config'
import { ConfigError } from '@portico/server/config-error'
import { requestOrganizations } from '@portico/server/manage-organizations'

try {
  console.log(await requestOrganizations(parseConfig(process.env), process.argv.slice(2)))
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(['Nothing was changed. Fix the following:', ...error.errors].join('\n  - '))
  process.exitCode = 1
}
