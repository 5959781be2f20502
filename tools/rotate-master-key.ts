// `npm run rotate-master-key`: wraps everything that is stored under the first key of MASTER_KEY anew. It can be stopped
// and repeated; docs/wallets.md says in which order keys are given to the nodes.

import { parseConfig } from '@portico/server/config'
import { ConfigError } from '@portico/server/config-error'
import { rotateMasterKey } from '@portico/server/rotate-master-key'

try {
  const count = await rotateMasterKey(parseConfig(process.env), ({ table, count: done }) => {
    console.log(`${table}: ${done} wrapped anew`)
  })
  console.log(`Done: ${count} in all. Nothing is wrapped by another key than the first.`)
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
