import { isDeepStrictEqual } from 'node:util'
import { LEANS_ON } from './boundary-rules.ts'
import { coverageFaults } from './coverage.ts'

/** The text files of the repository by their path. */
type Texts = ReadonlyMap<string, string>

type Rule = (texts: Texts) => string[]

/** What no other tool looks at, one function to a rule; each gives the faults it found. */
export const REPOSITORY_RULES: readonly Rule[] = [
  coverageFaults,
  lockfileIsInStep,
  lockfileNamesNoAddresses,
  noMachinePaths,
  noTestIsSingledOut,
  packagesIntroduceThemselves,
  packagesLeanAsAgreed,
  versionsAreExact,
]

type Manifest = {
  readonly dependencies?: Record<string, string>
  readonly devDependencies?: Record<string, string>
  readonly optionalDependencies?: Record<string, string>
}

type Lockfile = { readonly packages?: Readonly<Record<string, Manifest>> }

/** Where the lockfile lags behind a manifest, every machine would choose versions for itself. */
function lockfileIsInStep(texts: Texts): string[] {
  const lockfile = JSON.parse(texts.get('package-lock.json') ?? '{}') as Lockfile
  return manifestsIn(texts)
    .filter((file) => {
      const locked = lockfile.packages?.[file.replace(/\/?package\.json$/, '')]
      return !isDeepStrictEqual(dependenciesOf(manifest(texts, file)), dependenciesOf(locked ?? {}))
    })
    .map((file) => `package-lock.json does not agree with ${file}; run npm install`)
}

/** Addresses would bind every clone to the server that one developer installed from. */
function lockfileNamesNoAddresses(texts: Texts): string[] {
  return [...texts]
    .filter(([file]) => /(?:^|\/)package-lock\.json$/.test(file))
    .flatMap(([file, text]) =>
      (text.match(/"resolved": "https?:.*"/g) ?? []).map(
        (address) => `${file} holds a download address: ${address}`,
      ),
    )
}

function noMachinePaths(texts: Texts): string[] {
  const home = /(?<![\w.-])\/(?:home|Users|root|work)\/[\w.-]+/
  return linesLike(texts, home).map((place) => `${place} names a folder of one machine`)
}

function noTestIsSingledOut(texts: Texts): string[] {
  const tests = new Map([...texts].filter(([file]) => /\.test\.tsx?$/.test(file)))
  const only = /\b(?:test|it|describe)(?:\.\w+)*\.only\b/
  return linesLike(tests, only).map((place) => `${place} keeps every other test from running`)
}

function packagesIntroduceThemselves(texts: Texts): string[] {
  return packagesIn(texts)
    .filter((name) => !texts.has(`packages/${name}/README.md`))
    .map((name) => `packages/${name} has no README.md`)
}

function packagesLeanAsAgreed(texts: Texts): string[] {
  return packagesIn(texts).flatMap((name) => {
    const agreed = LEANS_ON[name]
    if (agreed === undefined) return [`packages/${name} is not in the table of packages`]
    const { dependencies = {} } = manifest(texts, `packages/${name}/package.json`)
    return Object.keys(dependencies)
      .filter((other) => other.startsWith('@portico/'))
      .filter((other) => !agreed.includes(other.slice('@portico/'.length)))
      .map((other) => `packages/${name} may not lean on ${other}`)
  })
}

function versionsAreExact(texts: Texts): string[] {
  return manifestsIn(texts).flatMap((file) =>
    Object.entries(dependenciesOf(manifest(texts, file)))
      .filter(([name, version]) => !name.startsWith('@portico/') && !/^\d/.test(version))
      .map(([name, version]) => `${file} asks for ${name} ${version}, which is no exact version`),
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

/** npm has read the same file before us, so its form is trusted. */
function manifest(texts: Texts, file: string): Manifest {
  return JSON.parse(texts.get(file) ?? '{}') as Manifest
}

function linesLike(texts: Texts, pattern: RegExp): string[] {
  return [...texts].flatMap(([file, text]) =>
    text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}`] : [])),
  )
}
