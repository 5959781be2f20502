// `npm start`: installs and builds what is missing or outdated, then is the server.
import './setup/node-version.mjs'
import { buildIfNeeded } from './setup/build.mjs'
import { fail } from './setup/failure.mjs'
import { installIfNeeded } from './setup/install.mjs'
import { ownNode, run } from './setup/processes.mjs'
import { SERVER_FLAGS } from './setup/server-flags.mjs'

try {
  await installIfNeeded()
  await buildIfNeeded()
  process.exitCode = await run(ownNode(), [...SERVER_FLAGS, 'apps/server/src/main.ts'])
} catch (error) {
  fail(error)
}
