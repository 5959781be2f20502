/**
 * Bundles the server and the operator's commands with their libraries into plain JavaScript, which starts in less than half
 * the time of the sources.
 */
import path from 'node:path'
import { build, type InlineConfig, type Plugin } from 'vite'
import { ROOT } from '../setup/processes.mjs'

/** The operator's commands, each in its own file in `tools`. */
export const COMMANDS = [
  'backup',
  'import-people',
  'migrate',
  'operator',
  'organization',
  'restore',
  'rotate-master-key',
  'scim-token',
  'service-token',
  'sso-link',
  'verify-audit',
  'webhooks',
] as const

/**
 * Packages that are not bundled: two with binaries, one for development only, and an optional dependency of a library.
 */
export const EXTERNAL = ['@node-rs/argon2', '@node-rs/bcrypt', 'vite', 'supports-color']

const WORKER = 'evidence-worker'

/**
 * Bundles a release: `lib/server.js`, a file in `lib` for each command, and their shared code.
 *
 * @returns the bundled modules, by path in the repository
 */
export async function bundleRelease(outDir: string): Promise<readonly string[]> {
  const commands = Object.fromEntries(
    COMMANDS.map((name) => [name, path.join(ROOT, `tools/${name}.ts`)]),
  )
  const config = serverBundle({ installationFolder: '../', commands })
  const output = await build({
    ...config,
    configFile: false,
    logLevel: 'warn',
    build: { ...config.build, outDir, emptyOutDir: false },
  })
  const chunks = [output].flat().flatMap((each) => ('output' in each ? each.output : []))
  return chunks
    .flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
    .filter((id) => path.isAbsolute(id))
    .map((id) => path.relative(ROOT, id))
}

/**
 * The configuration of a bundle: `lib/server.js`, a file for each command, and their shared code.
 *
 * @param options.installationFolder - the folder that contains `apps` and `config`, as seen from `lib`
 */
export function serverBundle({
  installationFolder,
  commands = {},
}: {
  readonly installationFolder: string
  readonly commands?: Readonly<Record<string, string>>
}): InlineConfig {
  return {
    root: ROOT,
    plugins: [
      moveReferences({
        'apps/server/src/installation-folder.ts': ["'../../../'", `'${installationFolder}'`],
        'apps/server/src/passport/evidence/check-in-worker.ts': [
          `'./${WORKER}.ts'`,
          `'./${WORKER}.js'`,
        ],
      }),
    ],
    ssr: { noExternal: true, external: EXTERNAL },
    build: {
      ssr: true,
      target: 'node24',
      // Readable code makes stack traces useful.
      minify: false,
      copyPublicDir: false,
      chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
      rolldownOptions: {
        input: {
          server: path.join(ROOT, 'apps/server/src/main.ts'),
          [WORKER]: path.join(ROOT, `apps/server/src/passport/evidence/${WORKER}.ts`),
          ...commands,
        },
        // A library calls `eval` only in old browsers.
        checks: { eval: false },
        output: {
          entryFileNames: 'lib/[name].js',
          chunkFileNames: 'lib/[name]-[hash].js',
        },
      },
    },
  }
}

/** Rewrites references to files whose relative path is different in a bundle, where all code is in `lib`. */
function moveReferences(
  moved: Readonly<Record<string, readonly [from: string, to: string]>>,
): Plugin {
  const expected = new Set(Object.keys(moved))
  return {
    name: 'move-references',
    enforce: 'pre',
    transform(code, id) {
      const file = path.relative(ROOT, id)
      const [from, to] = moved[file] ?? []
      if (from === undefined || to === undefined) return undefined
      if (code.split(from).length !== 2) throw new Error(`${file} does not contain ${from} once`)
      expected.delete(file)
      return code.replace(from, to)
    },
    buildEnd(error) {
      if (error === undefined && expected.size > 0) {
        throw new Error(`The bundles do not contain ${[...expected].join(', ')}`)
      }
    },
  }
}
