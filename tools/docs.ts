// `npm run docs`: serves the documentation site and shows changes at once. `npm run docs:build` writes it to docs/site/dist.
import path from 'node:path'
import { fail } from './setup/failure.mjs'
import { installFolder } from './setup/install-folder.ts'
import { ROOT, run } from './setup/processes.mjs'

const SITE = path.join(ROOT, 'docs/site')

try {
  await installFolder('docs/site')
  const vitepress = path.join(SITE, 'node_modules/vitepress/bin/vitepress.js')
  const [command = '', ...options] = process.argv.slice(2)
  process.exitCode = await run(process.execPath, [vitepress, command, '.', ...options], {
    cwd: SITE,
  })
} catch (error) {
  fail(error)
}
