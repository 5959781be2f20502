// `npm run build`: builds every application, whether or not anything changed.
import './setup/node-version.mjs'
import { buildIfNeeded } from './setup/build.mjs'
import { fail } from './setup/failure.mjs'
import { installIfNeeded } from './setup/install.mjs'

try {
  await installIfNeeded()
  await buildIfNeeded({ force: true })
} catch (error) {
  fail(error)
}
