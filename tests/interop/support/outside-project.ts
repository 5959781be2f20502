/** A project outside the repository in which the packed packages are installed, from what this repository has installed. */
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { buildPackages } from '../../../tools/packages/build.ts'
import { ROOT } from '../../../tools/setup/processes.mjs'

const run = promisify(execFile)
const INTEROP = path.join(ROOT, 'tests/interop')

export type ReactVersion = '18' | '19'

/** The packages of a project that uses React, and where this repository has them. */
const REACT: Readonly<Record<ReactVersion, string>> = {
  '18': path.join(INTEROP, 'react-18'),
  '19': ROOT,
}
const WITH_REACT = ['react', 'react-dom', '@types/react']

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
}

export interface OutsideProject {
  readonly folder: string
  /** The packed packages by their names without the scope. */
  readonly tarballs: Readonly<Record<string, string>>
  /** Replaces the installed React. */
  readonly useReact: (version: ReactVersion) => void
  /** Runs a program of this Node in the project; resolves to its output. */
  readonly node: (
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ) => Promise<string>
}

/** Builds and packs the packages, and installs them in a folder. */
export async function outsideProject(folder: string): Promise<OutsideProject> {
  const built = path.join(folder, 'built')
  await buildPackages(built)
  const names = readdirSync(built)
  const packing = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]
  await run('npm', [...packing, ...names.map((name) => path.join(built, name))], { cwd: folder })
  const tarballOf = (name: string) => {
    const { version } = readManifest(path.join(built, name))
    return path.join(folder, `portico-${name}-${version}.tgz`)
  }
  const tarballs = Object.fromEntries(names.map((name) => [name, tarballOf(name)]))

  const modules = path.join(folder, 'node_modules')
  for (const [name, tarball] of Object.entries(tarballs)) {
    const to = path.join(modules, '@portico', name)
    mkdirSync(to, { recursive: true })
    await run('tar', ['-xzf', tarball, '-C', to, '--strip-components=1'])
  }
  for (const name of names)
    installDependencies(path.join(built, name), path.join(ROOT, 'packages', name))
  install('@types/node', ROOT)
  rmSync(built, { recursive: true })

  function install(name: string, from: string): void {
    const source = installedFolder(name, from)
    const to = path.join(modules, name)
    if (existsSync(to)) {
      if (readManifest(to).version === readManifest(source).version) return
      throw new Error(`The packages depend on two versions of ${name}`)
    }
    cpSync(source, to, { recursive: true, filter: (file) => !file.endsWith('.map') })
    installDependencies(source, source)
  }

  /** Installs what a package depends on, as the package at `from` finds it. */
  function installDependencies(packed: string, from: string): void {
    for (const name of Object.keys(readManifest(packed).dependencies ?? {})) {
      if (!name.startsWith('@portico/')) install(name, from)
    }
  }

  return {
    folder,
    tarballs,
    useReact(version) {
      const replaced = [...WITH_REACT, 'scheduler', 'csstype', 'loose-envify', '@types/prop-types']
      for (const name of replaced)
        rmSync(path.join(modules, name), { recursive: true, force: true })
      for (const name of WITH_REACT) install(name, REACT[version])
    },
    async node(args, env = {}) {
      const { PATH } = process.env
      const options = { cwd: folder, env: { PATH, ...env } }
      // The compiler reports errors on its output.
      const { stdout } = await run(process.execPath, args, options).catch(
        (error: Error & { stdout: string }) => {
          if (error.stdout === '') throw error
          return error
        },
      )
      return stdout
    },
  }
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
}

/** Finds an installed package as Node does: in `node_modules` of a folder or of one above it. */
function installedFolder(name: string, from: string): string {
  const found = path.join(from, 'node_modules', name)
  if (existsSync(found)) return found
  const above = path.dirname(from)
  if (above === from) throw new Error(`${name} is not installed`)
  return installedFolder(name, above)
}
