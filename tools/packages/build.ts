/** Builds the packages for applications outside this repository: ES modules with types, each in a folder that npm can publish. */
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ROOT } from '../setup/processes.mjs'
import { bundleScripts } from './bundle-scripts.ts'
import { bundleTypes, emitTypes } from './bundle-types.ts'
import { publishedManifest } from './manifest.ts'
import { PUBLISHED } from './published-packages.ts'

/** Builds each package into a folder of its name in `outDir`, which the build replaces. */
export async function buildPackages(outDir: string): Promise<void> {
  // Outside the repository, where imports resolve to sources.
  const declarations = mkdtempSync(path.join(tmpdir(), 'portico-declarations-'))
  try {
    await emitTypes(declarations)
    rmSync(outDir, { recursive: true, force: true })
    for (const name of PUBLISHED) {
      const folder = path.join(outDir, name)
      const dist = path.join(folder, 'dist')
      const imports = [
        ...(await bundleScripts(name, dist)),
        ...(await bundleTypes(name, declarations, dist)),
      ]
      const styles = readdirSync(dist).filter((file) => file.endsWith('.css'))
      const manifest = publishedManifest(name, { imports, styles: styles.toSorted() })
      writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
      for (const file of ['README.md', 'CHANGELOG.md']) {
        cpSync(path.join(ROOT, 'packages', name, file), path.join(folder, file))
      }
    }
  } finally {
    rmSync(declarations, { recursive: true })
  }
}
