import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { PACKAGE_DEPENDENCIES } from './boundary-rules.ts'
import { documentErrors } from './documents.ts'

/** The repository's text files by path. */
type Texts = ReadonlyMap<string, string>

type Rule = (texts: Texts) => string[]

/** Rules that no other tool checks; each function returns its errors. */
export const REPOSITORY_RULES: readonly Rule[] = [
  documentErrors,
  lockfileHasEveryPlatform,
  lockfileMatchesManifests,
  lockfilesPinContents,
  lockfilesHaveNoUrls,
  noMachinePaths,
  noOwnFormats,
  noFocusedTests,
  packagesHaveReadmes,
  packageDependenciesAreAllowed,
  versionsAreExact,
]

type Manifest = {
  readonly dependencies?: Record<string, string>
  readonly devDependencies?: Record<string, string>
  readonly optionalDependencies?: Record<string, string>
}

type LockedPackage = Manifest & {
  readonly version?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly os?: string | readonly string[]
  readonly cpu?: string | readonly string[]
  readonly libc?: string | readonly string[]
}

type Lockfile = { readonly packages?: Readonly<Record<string, LockedPackage>> }

type Platform = { readonly os: string; readonly cpu: string; readonly libc?: string }

/** Supported platforms. */
const PLATFORMS: readonly Platform[] = ['x64', 'arm64'].flatMap((cpu) => [
  { os: 'linux', cpu, libc: 'glibc' },
  { os: 'linux', cpu, libc: 'musl' },
  { os: 'darwin', cpu },
  { os: 'win32', cpu },
])

/** With an outdated lockfile, each machine would resolve its own versions. */
function lockfileMatchesManifests(texts: Texts): string[] {
  const packages = lockedPackages(texts, 'package-lock.json')
  return manifestsIn(texts)
    .filter((file) => {
      const locked = packages[file.replace(/\/?package\.json$/, '')]
      return !isDeepStrictEqual(dependenciesOf(manifest(texts, file)), dependenciesOf(locked ?? {}))
    })
    .map((file) => `package-lock.json does not match ${file}; run npm install`)
}

const FORMATS = 'packages/rules/src/format.ts'
const OWN_FORMAT =
  /\.toLocale\w*\(|\bIntl\.(?:DateTimeFormat|DisplayNames|NumberFormat)\b|\.localeCompare\(\w+(?:\.\w+)*\)/

/** The pages are in English, but without a locale these functions follow the browser's language and calendar. */
function noOwnFormats(texts: Texts): string[] {
  return [...texts]
    .filter(([file]) => /^(?:apps|packages)\/.*\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .filter(([file, text]) => file !== FORMATS && OWN_FORMAT.test(text))
    .map(
      ([file]) => `${file} formats a date or number; use @portico/rules/format, or name the locale`,
    )
}

/**
 * `npm ci` refuses a lockfile without an optional package, and a tool with one binary per platform is missing
 * where its binary is. A release cannot be pinned until all its binaries are published.
 */
function lockfileHasEveryPlatform(texts: Texts): string[] {
  const packages = lockedPackages(texts, 'package-lock.json')
  return Object.entries(packages).flatMap(([parent, { optionalDependencies = {} }]) => {
    const names = Object.keys(optionalDependencies)
    const found = names.map((name) => resolveLocked(packages, parent, name))
    const absent = names.filter((_, index) => found[index] === undefined)
    const binaries = found.filter((entry) => entry?.os !== undefined)
    const missing =
      binaries.length < 2
        ? []
        : PLATFORMS.filter((platform) => !binaries.some((entry) => runsOn(entry, platform)))
    return [
      ...absent.map((name) => `package-lock.json lacks ${name}, which ${parent} may need`),
      ...missing.map(
        (platform) =>
          `package-lock.json has no ${parent} for ${Object.values(platform).join(' ')}; pin a release that is published for it`,
      ),
    ]
  })
}

/** Node's resolution: in the dependent's folder, then in each parent folder. */
function resolveLocked(
  packages: Readonly<Record<string, LockedPackage>>,
  parent: string,
  name: string,
): LockedPackage | undefined {
  for (
    let folder = parent;
    ;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))
  ) {
    const found = packages[path.posix.join(folder, 'node_modules', name)]
    if (found !== undefined || folder === '') return found
  }
}

function runsOn(entry: LockedPackage | undefined, platform: Platform): boolean {
  const allows = (allowed: string | readonly string[] | undefined, value: string | undefined) =>
    allowed === undefined || value === undefined || [allowed].flat().includes(value)
  return (
    entry !== undefined &&
    allows(entry.os, platform.os) &&
    allows(entry.cpu, platform.cpu) &&
    allows(entry.libc, platform.libc)
  )
}

/** Only a hash in the lockfile guarantees the tested content. */
function lockfilesPinContents(texts: Texts): string[] {
  return lockfilesIn(texts).flatMap((file) =>
    Object.entries(lockedPackages(texts, file))
      .filter(([name]) => name.includes('node_modules/'))
      .filter(([, { link, integrity }]) => link !== true && !integrity?.startsWith('sha512-'))
      .map(([name]) => `${file} has no sha512 of ${name}`),
  )
}

/** Download URLs would tie every clone to one developer's registry. */
function lockfilesHaveNoUrls(texts: Texts): string[] {
  return lockfilesIn(texts).flatMap((file) =>
    (texts.get(file)?.match(/"resolved": "https?:.*"/g) ?? []).map(
      (line) => `${file} contains a download URL: ${line.trim()}`,
    ),
  )
}

function lockfilesIn(texts: Texts): string[] {
  return [...texts.keys()].filter((file) => /(?:^|\/)package-lock\.json$/.test(file))
}

/** npm wrote the file, so its type is trusted. */
function lockedPackages(texts: Texts, file: string): Readonly<Record<string, LockedPackage>> {
  return (JSON.parse(texts.get(file) ?? '{}') as Lockfile).packages ?? {}
}

function noMachinePaths(texts: Texts): string[] {
  const home = /(?<![\w.-])\/(?:home|Users|root|work)\/[\w.-]+/
  return linesLike(texts, home).map((place) => `${place} contains an absolute path of one machine`)
}

function noFocusedTests(texts: Texts): string[] {
  const tests = new Map([...texts].filter(([file]) => /\.test\.tsx?$/.test(file)))
  const only = /\b(?:test|it|describe)(?:\.\w+)*\.only\b/
  return linesLike(tests, only).map(
    (place) => `${place} has a focused test, so the others do not run`,
  )
}

function packagesHaveReadmes(texts: Texts): string[] {
  return packagesIn(texts)
    .filter((name) => !texts.has(`packages/${name}/README.md`))
    .map((name) => `packages/${name} has no README.md`)
}

function packageDependenciesAreAllowed(texts: Texts): string[] {
  return packagesIn(texts).flatMap((name) => {
    const allowed = PACKAGE_DEPENDENCIES[name]
    if (allowed === undefined) return [`packages/${name} is not in the table of packages`]
    const { dependencies = {} } = manifest(texts, `packages/${name}/package.json`)
    return Object.keys(dependencies)
      .filter((other) => other.startsWith('@portico/'))
      .filter((other) => !allowed.includes(other.slice('@portico/'.length)))
      .map((other) => `packages/${name} may not depend on ${other}`)
  })
}

function versionsAreExact(texts: Texts): string[] {
  return manifestsIn(texts).flatMap((file) =>
    Object.entries(dependenciesOf(manifest(texts, file)))
      .filter(([name, version]) => !name.startsWith('@portico/') && !/^\d/.test(version))
      .map(
        ([name, version]) => `${file} depends on ${name} ${version}, which is not an exact version`,
      ),
  )
}

function dependenciesOf(manifest: Manifest): Record<string, string> {
  const { dependencies, devDependencies, optionalDependencies } = manifest
  return { ...dependencies, ...devDependencies, ...optionalDependencies }
}

function manifestsIn(texts: Texts): string[] {
  return [...texts.keys()].filter((file) =>
    /^(?:(?:apps|examples|packages)\/[^/]+\/)?package\.json$/.test(file),
  )
}

function packagesIn(texts: Texts): string[] {
  return [...texts.keys()].flatMap(
    (file) => /^packages\/([^/]+)\/package\.json$/.exec(file)?.[1] ?? [],
  )
}

/** npm has already read the file, so its type is trusted. */
function manifest(texts: Texts, file: string): Manifest {
  return JSON.parse(texts.get(file) ?? '{}') as Manifest
}

function linesLike(texts: Texts, pattern: RegExp): string[] {
  return [...texts].flatMap(([file, text]) =>
    text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}`] : [])),
  )
}
