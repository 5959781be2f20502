import { fileURLToPath } from 'node:url'

/**
 * The folder that Portico is installed in: the repository, or a release. It contains `apps` and `config`.
 * `tools/release/bundle.ts` replaces this path, because bundled code is at another depth.
 */
export const INSTALLATION_FOLDER = fileURLToPath(new URL('../../../', import.meta.url))
