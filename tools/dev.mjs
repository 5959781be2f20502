// `npm run dev`: runs the server, restarted when an imported file changes, with hot reload in the
// browser by an embedded Vite while PORTICO_DEV is set.
import './setup/node-version.mjs'
import { fail } from './setup/failure.mjs'
import { installIfNeeded } from './setup/install.mjs'
import { run } from './setup/processes.mjs'
import { runtimeNode } from './setup/runtime.mjs'

try {
  await installIfNeeded()
  process.exitCode = await run(
    await runtimeNode(),
    ['--watch', '--watch-preserve-output', 'apps/server/src/main.ts'],
    { env: { ...process.env, PORTICO_DEV: '1' } },
  )
} catch (error) {
  fail(error)
}
