// `npm run build:release [-- --out FOLDER]`: builds the release, by default in `release`. docs/deployment.md says how to
// deploy it.
import { statSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { buildRelease } from './release/build.ts'
import { buildIfNeeded } from './setup/build.mjs'
import { ROOT } from './setup/processes.mjs'

const { values } = parseArgs({
  options: { out: { type: 'string', default: path.join(ROOT, 'release') } },
})
await buildIfNeeded(process.execPath)
const { folder, archive } = await buildRelease(path.resolve(values.out))
const megabytes = (statSync(archive).size / 1e6).toFixed(1)
console.log(`${folder}\n${archive} (${megabytes} MB)`)
