// `node tools/run.mjs FILE …`: runs a TypeScript file of this repository on a Node that can.
import './setup/node-version.mjs'
import { fail } from './setup/failure.mjs'
import { installIfMissing } from './setup/install.mjs'
import { run } from './setup/processes.mjs'
import { runtimeNode } from './setup/runtime.mjs'

try {
  await installIfMissing()
  process.exitCode = await run(await runtimeNode(), process.argv.slice(2))
} catch (error) {
  fail(error)
}
