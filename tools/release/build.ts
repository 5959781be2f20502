/** Builds a release: a folder and its archive, which run without a build step, a package registry or this repository. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import packageFile from '../../package.json' with { type: 'json' }
import { ROOT } from '../setup/processes.mjs'
import { SERVER_FLAGS } from '../setup/server-flags.mjs'
import { tarGz } from './archive.ts'
import { billOfMaterials } from './bill-of-materials.ts'
import { bundleRelease, COMMANDS, EXTERNAL } from './bundle.ts'
import { packageFolder } from './native-packages.ts'
import { type ProductionPackage, productionPackages, RELEASED_APPS } from './production-packages.ts'

export interface Release {
  readonly folder: string
  readonly archive: string
}

const MIN_NODE_VERSION = 24

/** Package files that are never loaded. */
const UNUSED = /\.(?:d\.[cm]?ts|map|md)$/

/** Builds the release from the built applications. It replaces a previous release once it is complete. */
export async function buildRelease(outDir: string): Promise<Release> {
  const { version } = packageFile
  const name = `portico-${version}`
  const fresh = path.join(outDir, `${name}.new`)
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { recursive: true })

  const { packages, direct } = productionPackages()
  requireProductionOnly(await bundleRelease(fresh), packages)
  for (const each of packages.filter(isExternal)) await copyPackage(each, fresh)
  for (const app of RELEASED_APPS) {
    const dist = path.join('apps', app, 'dist')
    for (const part of ['client', 'render', 'gallery', 'mobile', 'mobile-worker']) {
      if (existsSync(path.join(ROOT, dist, part))) copy(path.join(dist, part), fresh)
    }
  }
  for (const each of [...withoutExamples(), 'deploy', 'CHANGELOG.md']) copy(each, fresh)
  const write = (file: string, text: string) => writeFileSync(path.join(fresh, file), text)
  mkdirSync(path.join(fresh, 'bin'))
  for (const name of ['server', ...COMMANDS]) write(`bin/${name}.js`, program(name))
  write('package.json', `${JSON.stringify(manifest(version), null, 2)}\n`)
  write('sbom.cdx.json', await billOfMaterials({ version, packages, direct }))
  write('THIRD-PARTY-LICENSES.txt', await licenseTexts(packages))

  const entries = filesIn(fresh).map((file) => ({
    name: `${name}/${file}`,
    bytes: readFileSync(path.join(fresh, file)),
  }))
  const folder = path.join(outDir, name)
  const archive = path.join(outDir, `${name}.tar.gz`)
  writeFileSync(archive, tarGz(entries))
  rmSync(folder, { recursive: true, force: true })
  renameSync(fresh, folder)
  return { folder, archive }
}

/** With an older Node, prints a message instead of failing on a missing module. */
const program = (name: string) => `const { node } = process.versions
if (Number(node.split('.')[0]) < ${MIN_NODE_VERSION}) {
  console.error(\`Portico needs Node ${MIN_NODE_VERSION} or newer; this is Node \${node}.\`)
  process.exit(1)
}
await import('../lib/${name}.js')
`

function manifest(version: string) {
  const commands = COMMANDS.map((name) => [name, `node bin/${name}.js`])
  return {
    name: 'portico',
    version,
    private: true,
    type: 'module',
    engines: { node: `>=${MIN_NODE_VERSION}` },
    scripts: {
      start: ['node', ...SERVER_FLAGS, 'bin/server.js'].join(' '),
      ...Object.fromEntries(commands),
    },
  }
}

/** @throws Error - when a bundle contains a package that is not a production dependency */
function requireProductionOnly(
  modules: readonly string[],
  packages: readonly ProductionPackage[],
): void {
  const folders = new Set(packages.map(({ folder }) => folder))
  const others = modules
    .filter((file) => file.includes('node_modules/'))
    .map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? file)
    .filter((folder) => !folders.has(folder))
  if (others.length > 0) {
    throw new Error(`Not production dependencies: ${[...new Set(others)].join(', ')}`)
  }
}

const isExternal = ({ name, isNative }: ProductionPackage) => isNative || EXTERNAL.includes(name)

/** Copies a package to the release's own `node_modules`. */
async function copyPackage(each: ProductionPackage, release: string): Promise<void> {
  const to = path.join(release, 'node_modules', each.name)
  if (existsSync(to)) throw new Error(`The release would contain two versions of ${each.name}`)
  cpSync(await packageFolder(each), to, {
    recursive: true,
    filter: (file) => !UNUSED.test(file),
  })
}

/** Copies a file or folder of the repository to the same place in the release. */
function copy(relative: string, to: string): void {
  cpSync(path.join(ROOT, relative), path.join(to, relative), { recursive: true })
}

/** The data files of every installation. The organizations, their logos and their clients are examples. */
function withoutExamples(): readonly string[] {
  const labels = readdirSync(path.join(ROOT, 'config/labels'))
  const logos = labels.flatMap((file) => {
    const text = readFileSync(path.join(ROOT, 'config/labels', file), 'utf8')
    return [...text.matchAll(/"\/brand\/([^"]+)"/g)].map(([, logo]) => `config/logos/${logo}`)
  })
  return ['config/labels', 'config/experiments', 'config/banners', ...logos]
}

async function licenseTexts(packages: readonly ProductionPackage[]): Promise<string> {
  const texts = new Map<string, string[]>()
  for (const each of packages) {
    const folder = await packageFolder(each)
    const file = readdirSync(folder).find((entry) => /^(?:licen[cs]e|copying)\b/i.test(entry))
    const text =
      file === undefined
        ? `License: ${each.license ?? 'unknown'}`
        : readFileSync(path.join(folder, file), 'utf8').trim()
    texts.set(text, [...(texts.get(text) ?? []), `${each.name} ${each.version}`])
  }
  return [...texts]
    .map(([text, names]) => `${names.join(', ')}\n\n${text}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`)
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .map((file) => file.split(path.sep).join('/'))
    .toSorted()
}
