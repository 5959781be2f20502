// `npm start`: installs and builds what is missing or outdated, then runs the server.
import './setup/node-version.mjs'
import { buildIfNeeded } from './setup/build.mjs'
import { fail } from './setup/failure.mjs'
import { installIfNeeded } from './setup/install.mjs'
import { run } from './setup/processes.mjs'
import { runtimeNode } from './setup/runtime.mjs'
import { SERVER_FLAGS } from './setup/server-flags.mjs'

if (process.argv.length > 2) {
  console.error(
    'npm start takes no arguments. Its settings are environment variables; docs/configuration.md lists them.',
  )
  process.exit(1)
}

try {
  await installIfNeeded()
  const node = await runtimeNode()
  await buildIfNeeded(node)
  process.exitCode = await run(node, [...SERVER_FLAGS, 'apps/server/dist/lib/server.js'], {
    ipc: true,
  })
} catch (error) {
  fail(error)
}
