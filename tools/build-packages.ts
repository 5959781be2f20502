// `npm run build:packages [-- --out FOLDER]`: builds the packages for applications outside this repository, by default in
// `release/packages`. docs/packages.md describes them.
import path from 'node:path'
import { parseArgs } from 'node:util'
import { buildPackages } from './packages/build.ts'
import { ROOT } from './setup/processes.mjs'

const { values } = parseArgs({
  options: { out: { type: 'string', default: path.join(ROOT, 'release/packages') } },
})
const outDir = path.resolve(values.out)
await buildPackages(outDir)
console.log(outDir)
