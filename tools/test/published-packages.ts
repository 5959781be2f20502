import path from 'node:path'
import { installFolder } from '../setup/install-folder.ts'
import { ROOT } from '../setup/processes.mjs'

const FOLDER = 'tests/interop'

/** The folder of the published packages, which are not part of the product. */
export const PUBLISHED_PACKAGES = path.join(ROOT, FOLDER)

export const installPublishedPackages = (): Promise<void> => installFolder(FOLDER)
