// `npm test`: installs and builds what is missing, then runs every suite, or only the named ones.
import './setup/node-version.mjs'
import { buildIfNeeded } from './setup/build.mjs'
import { fail } from './setup/failure.mjs'
import { installIfNeeded } from './setup/install.mjs'
import { run } from './setup/processes.mjs'
import { runtimeNode } from './setup/runtime.mjs'

try {
  await installIfNeeded()
  const node = await runtimeNode()
  await buildIfNeeded(node)
  process.exitCode = await run(node, ['tools/test/run.ts', ...process.argv.slice(2)])
} catch (error) {
  fail(error)
  console.log('0 passed, 1 failed')
}
