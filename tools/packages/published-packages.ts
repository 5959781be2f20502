import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from '../setup/processes.mjs'

/**
 * The packages for applications outside this repository, and their exports that only this repository uses. All other exports are
 * public: the version policy of docs/packages.md applies to them. `styles.css` begins with the style sheets in this list.
 */
const INTERNAL_EXPORTS = {
  admin: [],
  client: ['./testing'],
  keys: [],
  sdk: [],
  ui: ['./tokens.css', './base.css', './not-found-animation'],
  'wallet-connect': ['./describe-request', './testing'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type PublishedName = keyof typeof INTERNAL_EXPORTS

export const PUBLISHED = Object.keys(INTERNAL_EXPORTS) as readonly PublishedName[]

/** Packages that are bundled into the published ones. */
export const BUNDLED = ['contracts', 'flow', 'rules'] as const

const BUNDLED_IMPORT = new RegExp(`^@portico/(${BUNDLED.join('|')})(/.+)?$`)

/** A package.json of this repository; its exports are sources. */
export interface SourceManifest {
  readonly name: string
  readonly version: string
  readonly description?: string
  readonly bin?: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string>>
  readonly imports?: Readonly<Record<string, { readonly node: string; readonly default: string }>>
  readonly dependencies?: Readonly<Record<string, string>>
}

export const packageFolder = (name: string): string => path.join(ROOT, 'packages', name)

export function sourceManifest(name: string): SourceManifest {
  return JSON.parse(readFileSync(path.join(packageFolder(name), 'package.json'), 'utf8'))
}

/** A package's exports, as names without './' with the paths of their sources. */
export interface PackageExports {
  readonly scripts: readonly (readonly [name: string, source: string])[]
  readonly styles: readonly (readonly [name: string, source: string])[]
  /** The style sheets that `styles.css` begins with. */
  readonly internalStyles: readonly string[]
}

export function publicExports(name: PublishedName): PackageExports {
  const internal: readonly string[] = INTERNAL_EXPORTS[name]
  const sources = sourceManifest(name).exports
  const sourceOf = (each: string) => {
    const source = sources[each]
    if (source === undefined) throw new Error(`packages/${name} has no export ${each}`)
    return path.join(packageFolder(name), source)
  }
  const isStyles = (each: string) => each.endsWith('.css')
  const offered = Object.keys(sources).filter((each) => !internal.includes(each))
  // Checks all of them, because a misnamed internal export would become public.
  const internalStyles = internal.map(sourceOf).filter(isStyles)
  const named = (each: string) => [each.slice('./'.length), sourceOf(each)] as const
  return {
    scripts: offered.filter((each) => !isStyles(each)).map(named),
    styles: offered.filter(isStyles).map(named),
    internalStyles,
  }
}

/** Whether a module is bundled into the package that imports it. */
export const isPart = (id: string): boolean => /^[./\0]/.test(id) || BUNDLED_IMPORT.test(id)

/** The source of an import of a bundled package. */
export function bundledSource(id: string): string | undefined {
  const [, name, subpath = ''] = BUNDLED_IMPORT.exec(id) ?? []
  if (name === undefined) return undefined
  const source = sourceManifest(name).exports[`.${subpath}`]
  if (source === undefined) throw new Error(`${id} is not an export of its package`)
  return path.join(packageFolder(name), source)
}
