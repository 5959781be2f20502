// `npm run build`: builds every application, even without changes.
import './setup/node-version.mjs'
import { buildIfNeeded } from './setup/build.mjs'
import { fail } from './setup/failure.mjs'
import { installIfNeeded } from './setup/install.mjs'
import { runtimeNode } from './setup/runtime.mjs'

try {
  await installIfNeeded()
  await buildIfNeeded(await runtimeNode(), { force: true })
} catch (error) {
  fail(error)
}
