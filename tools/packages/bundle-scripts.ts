import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { build } from 'vite'
import { ROOT } from '../setup/processes.mjs'
import {
  isPart,
  type PublishedName,
  packageFolder,
  publicExports,
  sourceManifest,
} from './published-packages.ts'

const STYLES = 'styles'

/**
 * Writes a package's modules, one per source file, so that an application's bundler drops what its pages do not use. The
 * style sheets of components become `styles.css`, because neither Node nor every framework can import one from a package's
 * script.
 *
 * @returns the imports that remain
 */
export async function bundleScripts(
  name: PublishedName,
  outDir: string,
): Promise<readonly string[]> {
  const folder = packageFolder(name)
  const { scripts, styles, internalStyles } = publicExports(name)
  const entries = new Map(scripts.map(([each, source]) => [source, each]))
  const { bin = {}, imports: platforms = {} } = sourceManifest(name)
  for (const source of [
    ...Object.values(platforms).flatMap(Object.values),
    ...Object.values(bin),
  ]) {
    entries.set(path.join(folder, source), path.parse(source).name)
  }
  const built = await build({
    root: folder,
    configFile: false,
    logLevel: 'warn',
    css: {
      modules: {
        // The same in every build, and readable in the browser's inspector.
        generateScopedName: (local, file) =>
          `portico-${path.basename(file, '.module.css')}-${local}`,
      },
    },
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2023',
      minify: false,
      cssMinify: false,
      cssCodeSplit: false,
      lib: { entry: [...entries.keys()], formats: ['es'], cssFileName: STYLES },
      rolldownOptions: {
        external: (id) => !isPart(id),
        output: {
          preserveModules: true,
          preserveModulesRoot: path.join(ROOT, 'packages'),
          entryFileNames: ({ facadeModuleId, name: source }) =>
            `${entries.get(facadeModuleId ?? '') ?? `internal/${source.replace('/src/', '/')}`}.js`,
          // Frameworks with server components run only marked modules in the browser.
          banner: ({ imports }) => (imports.some(isReact) ? "'use client';" : ''),
        },
      },
    },
  })
  for (const [, source] of styles) writeStyles(source, outDir)
  const sheet = path.join(outDir, `${STYLES}.css`)
  if (existsSync(sheet)) {
    const sheets = [...internalStyles, sheet].map((file) => readFileSync(file, 'utf8'))
    writeFileSync(sheet, sheets.join('\n'))
  }
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []))
  const chunks = outputs.filter((each) => each.type === 'chunk')
  const written = new Set(chunks.map(({ fileName }) => fileName))
  return chunks
    .flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
    .filter((id) => !written.has(id))
}

const isReact = (id: string) => /^react(?:\/|$)/.test(id)

/** Copies a style sheet with the files of other packages that it refers to, and their licenses. */
function writeStyles(source: string, outDir: string): void {
  const { resolve } = createRequire(source)
  const text = readFileSync(source, 'utf8').replaceAll(
    /url\("(@[^/]+\/[^/]+)\/([^"]+)"\)/g,
    (_, from, file) => {
      const folder = path.dirname(resolve(`${from}/package.json`))
      const to = path.join('files', path.basename(file))
      mkdirSync(path.join(outDir, 'files'), { recursive: true })
      copyFileSync(path.join(folder, file), path.join(outDir, to))
      copyFileSync(path.join(folder, 'LICENSE'), path.join(outDir, `${to}.LICENSE`))
      return `url("./${to}")`
    },
  )
  writeFileSync(path.join(outDir, path.basename(source)), text)
}
