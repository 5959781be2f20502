import { isBuiltin } from 'node:module'
import path from 'node:path'
import product from '../../package.json' with { type: 'json' }
import {
  BUNDLED,
  PUBLISHED,
  type PublishedName,
  publicExports,
  type SourceManifest,
  sourceManifest,
} from './published-packages.ts'

const REACT_RANGE = '^18.2.0 || ^19.0.0'

/** Supplied by the application, so that it has only one React. */
const PEERS = ['react', 'react-dom'] as const

/** Packages with exports that work without React. */
const WITHOUT_REACT: readonly PublishedName[] = ['wallet-connect']

/** The output of a package's build. */
export interface Built {
  /** Everything that its files import from other packages. */
  readonly imports: readonly string[]
  /** The names of its style sheets. */
  readonly styles: readonly string[]
}

/** The package.json of a published package. */
export function publishedManifest(name: PublishedName, { imports, styles }: Built) {
  const source = sourceManifest(name)
  const scripts = publicExports(name).scripts.map(([each]) => each)
  const peers = PEERS.filter((peer) => peer in (source.dependencies ?? {}))
  return {
    name: source.name,
    version: product.version,
    description: source.description,
    license: product.license,
    type: 'module',
    engines: { node: '>=22' },
    sideEffects: styles.length > 0 ? ['*.css'] : false,
    files: ['dist', 'CHANGELOG.md'],
    bin: builtBin(source),
    imports: builtImports(source),
    exports: {
      ...Object.fromEntries(
        scripts.map((each) => [
          `./${each}`,
          { types: `./dist/${each}.d.ts`, default: `./dist/${each}.js` },
        ]),
      ),
      ...Object.fromEntries(styles.map((each) => [`./${each}`, `./dist/${each}`])),
      './package.json': './package.json',
    },
    dependencies: dependenciesOf(name, imports),
    ...(peers.length > 0 && {
      peerDependencies: Object.fromEntries(
        ['@types/react', ...peers].map((peer) => [peer, REACT_RANGE]),
      ),
      peerDependenciesMeta: {
        '@types/react': { optional: true },
        ...(WITHOUT_REACT.includes(name) && { react: { optional: true } }),
      },
    }),
  }
}

function builtBin({ bin }: SourceManifest) {
  if (bin === undefined) return undefined
  return Object.fromEntries(
    Object.entries(bin).map(([name, source]) => [name, `./dist/${path.parse(source).name}.js`]),
  )
}

/** Modules that a package has for each platform. */
function builtImports({ imports }: SourceManifest) {
  if (imports === undefined) return undefined
  const built = (source: string) => `./dist/${path.parse(source).name}.js`
  return Object.fromEntries(
    Object.entries(imports).map(([id, { node, default: others }]) => [
      id,
      { node: built(node), default: built(others) },
    ]),
  )
}

/**
 * The imported packages, with the versions that this repository uses or compatible newer ones.
 *
 * @throws Error - if a package is not declared, or an import is not a public export of a package of ours
 */
function dependenciesOf(name: PublishedName, imports: readonly string[]): Record<string, string> {
  const declared = Object.assign(
    {},
    ...[...BUNDLED, name].map((each) => sourceManifest(each).dependencies),
  ) as Readonly<Record<string, string>>
  const dependencies: Record<string, string> = {}
  for (const id of imports.toSorted()) {
    if (isBuiltin(id) || id.startsWith('#')) continue
    const [, from = '', ours] = /^((?:@[^/]+\/)?[^/]+)(?:\/(.+))?/.exec(id) ?? []
    if (PEERS.some((peer) => peer === from)) continue
    const version = declared[from]
    if (version === undefined) throw new Error(`${name} imports ${id} without declaring it`)
    const other = PUBLISHED.find((each) => sourceManifest(each).name === from)
    if (other && !publicExports(other).scripts.some(([each]) => each === ours)) {
      throw new Error(`${name} imports ${id}, which is not public`)
    }
    // Our packages are released together.
    dependencies[from] = other ? product.version : `^${version}`
  }
  return dependencies
}
