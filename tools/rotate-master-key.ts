// `npm run rotate-master-key`: re-encrypts all stored secrets with the first key of MASTER_KEY. It can be interrupted
// and repeated; docs/wallets.md has the steps for several nodes.

import { parseConfig } from '@portico/server/config'
import { rotateMasterKey } from '@portico/server/rotate-master-key'
import { operatorCommand } from './operator-command.ts'

if (process.argv.length > 2) {
  console.error(
    'Usage: npm run rotate-master-key, with the settings of a node and without arguments',
  )
  process.exit(1)
}

await operatorCommand('No more secrets were re-encrypted', async () => {
  const count = await rotateMasterKey(parseConfig(process.env), ({ table, count: done }) => {
    console.log(`${table}: ${done} re-encrypted`)
  })
  console.log(`Done: ${count} in total. All secrets are encrypted with the first key.`)
})
