/** The packages in a release, bundled or as files: the production dependencies in the lockfile. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from '../setup/processes.mjs'

interface LockedPackage {
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  /** For a workspace: the folder that its entry in `node_modules` links to. */
  readonly resolved?: string
  readonly link?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

type Lock = Readonly<Record<string, LockedPackage>>

export interface ProductionPackage {
  /** Its folder, relative to the root of the repository. */
  readonly folder: string
  readonly name: string
  readonly version: string
  readonly license: string | undefined
  readonly integrity: string
  /** The folders of its dependencies. */
  readonly dependencies: readonly string[]
  /** Whether it contains a binary for one platform. */
  readonly isNative: boolean
}

/** Applications with code in a release. */
export const RELEASED_APPS = ['auth', 'console', 'portal', 'wallet'] as const

/** The platforms that a release supports. */
const PLATFORM = { os: 'linux', cpu: ['x64', 'arm64'], libc: 'glibc' }

/** The production packages ordered by folder, and the folders of our direct dependencies. */
export function productionPackages(lock: Lock = readLock()): {
  readonly packages: readonly ProductionPackage[]
  readonly direct: readonly string[]
} {
  const found = new Map<string, ProductionPackage>()
  const ours = new Set<string>()
  const direct = new Set<string>()

  const visitOurs = (folder: string) => {
    if (ours.has(folder)) return
    ours.add(folder)
    for (const each of dependenciesOf(lock, folder)) {
      const { resolved } = entryOf(lock, each)
      if (entryOf(lock, each).link && resolved !== undefined) visitOurs(resolved)
      else {
        direct.add(each)
        visit(each)
      }
    }
  }
  const visit = (folder: string) => {
    if (found.has(folder)) return
    const { version, license, integrity, os, cpu } = entryOf(lock, folder)
    if (version === undefined || integrity === undefined) {
      throw new Error(`package-lock.json has no version or integrity for ${folder}`)
    }
    const dependencies = dependenciesOf(lock, folder)
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const isNative = os !== undefined || cpu !== undefined
    found.set(folder, { folder, name, version, license, integrity, dependencies, isNative })
    for (const each of dependencies) visit(each)
  }

  for (const app of ['server', ...RELEASED_APPS]) visitOurs(`apps/${app}`)
  return {
    packages: [...found.values()].toSorted((a, b) => (a.folder < b.folder ? -1 : 1)),
    direct: [...direct].toSorted(),
  }
}

function readLock(): Lock {
  const { packages } = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Lock
  }
  return packages
}

function dependenciesOf(lock: Lock, folder: string): string[] {
  const { dependencies = {}, optionalDependencies = {} } = entryOf(lock, folder)
  return Object.keys({ ...dependencies, ...optionalDependencies })
    .flatMap((name) => {
      const found = locate(lock, folder, name)
      if (found !== undefined) return isForPlatform(entryOf(lock, found)) ? [found] : []
      if (name in optionalDependencies) return []
      throw new Error(`package-lock.json has no ${name}, which ${folder} depends on`)
    })
    .toSorted()
}

/** Resolves a package like Node: in `node_modules` of the folder, then of each parent folder. */
function locate(lock: Lock, folder: string, name: string): string | undefined {
  for (let at = folder; ; at = path.dirname(at) === '.' ? '' : path.dirname(at)) {
    const candidate = path.posix.join(at, 'node_modules', name)
    if (lock[candidate] !== undefined) return candidate
    if (at === '') return undefined
  }
}

function isForPlatform({ os, cpu, libc }: LockedPackage): boolean {
  return (
    (os?.includes(PLATFORM.os) ?? true) &&
    (cpu?.some((each) => PLATFORM.cpu.includes(each)) ?? true) &&
    (libc?.includes(PLATFORM.libc) ?? true)
  )
}

function entryOf(lock: Lock, folder: string): LockedPackage {
  const entry = lock[folder]
  if (entry === undefined) throw new Error(`package-lock.json has no ${folder}`)
  return entry
}
