import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { ROOT, run } from '../setup/processes.mjs'
import {
  BUNDLED,
  bundledSource,
  isPart,
  PUBLISHED,
  type PublishedName,
  packageFolder,
  publicExports,
  sourceManifest,
} from './published-packages.ts'

/**
 * Writes the declarations of all sources that the published packages contain. It names every source, because the compiler
 * loads files in parallel and writes no declarations for those that it first reaches through `node_modules`.
 *
 * @throws Error - if the compiler reports an error
 */
export async function emitTypes(outDir: string): Promise<void> {
  const include = [...PUBLISHED, ...BUNDLED].map((name) => path.join(packageFolder(name), 'src'))
  const project = path.join(outDir, 'tsconfig.json')
  const exclude = [path.join(ROOT, 'packages/**/*.test.*')]
  const compilerOptions = {
    noEmit: false,
    incremental: false,
    tsBuildInfoFile: null,
    allowJs: false,
    checkJs: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: ROOT,
    outDir,
    typeRoots: [path.join(ROOT, 'node_modules/@types')],
    types: ['node', path.join(ROOT, 'node_modules/vite/client.d.ts')],
  }
  const base = path.join(ROOT, 'tsconfig.json')
  writeFileSync(project, JSON.stringify({ extends: base, compilerOptions, include, exclude }))
  const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc')
  const code = await run(process.execPath, [compiler, '--project', project])
  if (code !== 0) throw new Error('The declarations of the packages could not be written.')
}

/**
 * Bundles the declarations of a package: a file for each public export, and files that several exports share.
 *
 * @returns the imports that remain
 */
export async function bundleTypes(
  name: PublishedName,
  declarations: string,
  outDir: string,
): Promise<readonly string[]> {
  const declarationOf = (source: string) =>
    path.join(declarations, path.relative(ROOT, source)).replace(/\.tsx?$/, '.d.ts')
  const { imports = {} } = sourceManifest(name)
  const resolveId = (id: string, importer: string | undefined) => {
    // Declarations keep the names of their sources in imports. The bundler sometimes fails to find such a file.
    if (id.startsWith('.') && importer !== undefined) {
      return path.resolve(path.dirname(importer), id).replace(/\.tsx?$/, '.d.ts')
    }
    const forPlatforms = imports[id]?.default
    const source = forPlatforms ? path.join(packageFolder(name), forPlatforms) : bundledSource(id)
    return source && declarationOf(source)
  }
  const { output } = await build({
    input: Object.fromEntries(
      publicExports(name).scripts.map(([each, source]) => [`${each}.d`, declarationOf(source)]),
    ),
    external: (id) => !isPart(id) && !(id in imports),
    // Without a generator, because the compiler has written the declarations.
    plugins: [
      { name: 'resolve-declarations', resolveId },
      dts({ dtsInput: true, generator: 'oxc', tsconfig: false }),
    ],
    output: { dir: outDir, chunkFileNames: 'internal/[name].ts' },
  })
  const chunks = output.filter((each) => each.type === 'chunk')
  const written = new Set(chunks.map(({ fileName }) => fileName))
  return chunks.flatMap(({ imports: ids }) => ids).filter((id) => !written.has(id))
}
