/** Builds the browser extension for each browser: an unpacked folder and a zip with the same files. */
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import react from '@vitejs/plugin-react'
import { build, type InlineConfig, type Plugin } from 'vite'
import packageFile from '../../package.json' with { type: 'json' }
import type { NetworkName } from '../../packages/keys/src/networks.ts'
import { cosmosTypes } from '../cosmos-types.ts'
import { ROOT } from '../setup/processes.mjs'
import { manifestFor, TARGETS } from './manifest.ts'
import { zip } from './zip.ts'

/** The names under which pages find the extension (protocol 13); they may change with the published library's. */
export interface BridgeNames {
  /** The property of `window`. */
  readonly property: string
  /** The event on `document`. */
  readonly event: string
}

export interface ExtensionOptions {
  /** The lender's origins, the main one first. */
  readonly origins: readonly string[]
  readonly bridgeNames: BridgeNames
  readonly network: NetworkName
  readonly outDir: string
}

export const DEFAULT_BRIDGE_NAMES: BridgeNames = {
  property: 'figureWalletExtension',
  event: 'figureWalletExtensionSendMessage',
}

const SOURCE = path.join(ROOT, 'apps/extension')

/** Where `npm run extension` builds to. */
export const EXTENSION_DIST = path.join(SOURCE, 'dist')

/** Builds both browsers' extensions and their zips, replacing earlier ones when all are complete. */
export async function buildExtension({
  origins,
  bridgeNames,
  network,
  outDir,
}: ExtensionOptions): Promise<void> {
  const fresh = `${outDir}.new`
  const files = path.join(fresh, 'files')
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(files, { recursive: true })
  const { version } = packageFile
  const define = {
    'process.env.NODE_ENV': '"production"',
    EXTENSION_VERSION: JSON.stringify(version),
    BRIDGE_NAMES: JSON.stringify(bridgeNames),
    // Different for another lender's extension, which may be installed in the same browser.
    ANNOUNCED_EVENT: JSON.stringify(`portico-announced ${origins[0]}`),
    NETWORK: JSON.stringify(network),
  }
  await build(windowsAndWorker(files, define))
  await build(script('announce', files, define))
  await build(script('bridge', files, define))
  mkdirSync(path.join(files, 'icons'))
  for (const name of readdirSync(path.join(SOURCE, 'icons')).filter(isPng)) {
    cpSync(path.join(SOURCE, 'icons', name), path.join(files, 'icons', name))
  }
  for (const target of TARGETS) {
    const folder = path.join(fresh, target)
    cpSync(files, folder, { recursive: true })
    const manifest = manifestFor(target, { version, origins })
    writeFileSync(path.join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
    const archive = zip(
      filesIn(folder).map((name) => ({ name, bytes: readFileSync(path.join(folder, name)) })),
    )
    writeFileSync(path.join(fresh, `portico-wallet-${version}-${target}.zip`), archive)
  }
  rmSync(files, { recursive: true })
  rmSync(outDir, { recursive: true, force: true })
  renameSync(fresh, outDir)
}

type Define = Readonly<Record<string, string>>

const WORKER = path.join(SOURCE, 'src/worker.ts')

/**
 * The worker, a module, and the pages of the popup and the approval window. They share one file, so the zip contains the
 * code once.
 */
function windowsAndWorker(outDir: string, define: Define): InlineConfig {
  const pages = ['popup.html', 'approval.html'].map((name) => path.join(SOURCE, name))
  let workerModules: ReadonlySet<string> | undefined
  function isInWorker(id: string, graph: ModuleGraph): boolean {
    workerModules ??= modulesFrom(WORKER, graph)
    return workerModules.has(id)
  }
  return {
    ...COMMON,
    base: './',
    define,
    plugins: [react(), cosmosTypes(), staticWorkerImports()],
    build: {
      ...COMMON.build,
      outDir,
      assetsDir: 'assets',
      assetsInlineLimit: 0,
      cssCodeSplit: false,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: [WORKER, ...pages],
        output: {
          // At the root, because a service worker controls only its own folder.
          entryFileNames: ({ facadeModuleId }) =>
            facadeModuleId === WORKER ? 'worker.js' : 'assets/[name]-[hash].js',
          codeSplitting: {
            groups: [
              {
                debugName: 'shared',
                minShareCount: 2,
                priority: 1,
                name: (id, graph) => (isInWorker(id, graph) ? 'shared' : null),
              },
              // One file for what the pages load first; otherwise the styles and their layers would not be in import order.
              {
                debugName: 'first',
                tags: ['$initial'],
                name: (id, graph) => (isInWorker(id, graph) ? null : 'first'),
              },
            ],
          },
        },
      },
    },
  }
}

interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

/** A module with everything that it imports, directly or indirectly. */
function modulesFrom(entry: string, graph: ModuleGraph): ReadonlySet<string> {
  const modules = new Set([entry])
  // Iterating over a set includes elements added during the iteration.
  for (const id of modules) {
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) modules.add(imported)
  }
  return modules
}

/** Service workers cannot import dynamically, so everything they need must be imported statically. */
function staticWorkerImports(): Plugin {
  return {
    name: 'static-worker-imports',
    generateBundle(_, bundle) {
      const files = new Set(['worker.js'])
      for (const file of files) {
        const chunk = bundle[file]
        if (chunk?.type !== 'chunk') throw new Error(`The worker has no script ${file}`)
        const [dynamic] = chunk.dynamicImports
        if (dynamic !== undefined) throw new Error(`The worker imports ${dynamic} dynamically`)
        for (const imported of chunk.imports) files.add(imported)
      }
    },
  }
}

/** One classic script, as content scripts require. */
function script(name: string, outDir: string, define: Define): InlineConfig {
  return {
    ...COMMON,
    define,
    build: {
      ...COMMON.build,
      outDir,
      lib: {
        entry: path.join(SOURCE, `src/${name}.ts`),
        formats: ['iife'],
        name,
        fileName: () => `${name}.js`,
      },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  }
}

const COMMON = {
  configFile: false,
  root: SOURCE,
  logLevel: 'warn',
  publicDir: false,
  build: { emptyOutDir: false, minify: true, target: 'es2024', copyPublicDir: false },
} as const satisfies InlineConfig

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .map((name) => name.replaceAll(path.sep, '/'))
}

function isPng(name: string): boolean {
  return name.endsWith('.png')
}
