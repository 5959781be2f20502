// `npm run build:release [-- --out FOLDER] [-- --allow-changes]`: builds the release, by default in `release`, from
// committed files only. docs/deployment.md says how to deploy it.
import { statSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { buildRelease } from './release/build.ts'
import { uncommittedChanges } from './release/uncommitted-changes.ts'
import { buildIfNeeded } from './setup/build.mjs'
import { ROOT } from './setup/processes.mjs'

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: path.join(ROOT, 'release') },
    'allow-changes': { type: 'boolean', default: false },
  },
})
const changes = uncommittedChanges(ROOT)
if (changes.length > 0 && !values['allow-changes']) {
  console.error(
    `These files differ from the last commit, so no one could build the same release again:\n${changes.map((line) => `  ${line}`).join('\n')}\nCommit or remove them, or build with -- --allow-changes.`,
  )
  process.exit(1)
}
await buildIfNeeded(process.execPath)
const { folder, archive } = await buildRelease(path.resolve(values.out))
const megabytes = (statSync(archive).size / 1e6).toFixed(1)
console.log(`${folder}\n${archive} (${megabytes} MB)`)
