// `npm run organization -- history ORGANIZATION`, `undo ORGANIZATION [VERSION]`, `export ORGANIZATION FOLDER`,
// `import FOLDER`. docs/white-label.md has the details.
import { parseConfig } from '@portico/server/config'
import { requestOrganizations } from '@portico/server/manage-organizations'
import { operatorCommand } from './operator-command.ts'

await operatorCommand('Nothing was changed', async () => {
  console.log(await requestOrganizations(parseConfig(process.env), process.argv.slice(2)))
})
