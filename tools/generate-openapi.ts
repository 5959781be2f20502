// Generates docs/openapi.json from the declared calls.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseConfig } from '@portico/server/config'
import { openApi } from '@portico/server/openapi'
import { ROOT } from './setup/processes.mjs'

const FILE = 'docs/openapi.json'

const target = path.join(ROOT, FILE)
const fresh = `${JSON.stringify(openApi(parseConfig({}).version), null, 2)}\n`
if (process.argv.includes('--check')) {
  if (!existsSync(target) || readFileSync(target, 'utf8') !== fresh) {
    console.error(`${FILE} is stale: run "npm run generate" and commit it`)
    process.exitCode = 1
  }
} else {
  writeFileSync(target, fresh)
}
