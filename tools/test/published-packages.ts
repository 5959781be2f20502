import path from 'node:path'
import { installFolder } from '../setup/install-folder.ts'
import { ROOT } from '../setup/processes.mjs'

const FOLDER = 'tests/interop'

/** The folder of the published packages, which are not part of the product. */
export const PUBLISHED_PACKAGES = path.join(ROOT, FOLDER)

export async function installPublishedPackages(): Promise<void> {
  await installFolder(FOLDER)
  // In a separate folder, so that only the test that uses it finds an older React.
  await installFolder(`${FOLDER}/react-18`)
}
