// Generates a diagram of every flow in docs/flows from its table and samples.
// With --check it only reports stale pages.
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Flow } from '../packages/flow/src/flow.ts'
import { diagram, moves, type Samples } from '../packages/flow/src/testing.ts'
import { ROOT } from './setup/processes.mjs'

type AnyState = { readonly step: string }
type AnyEvent = { readonly type: string }
type AnyFlow = Flow<AnyState, AnyEvent, AnyEvent, unknown>

const FOLDER = path.join(ROOT, 'docs/flows')

const pages = new Map<string, string>()
for (const file of globSync('{apps,packages}/*/src/**/*.samples.ts', { cwd: ROOT }).sort()) {
  const samples = await exportsOf<Samples<unknown, AnyEvent>>(file)
  const source = file.replace(/\.samples\.ts$/, '.flow.ts')
  const drawn = flowIn(await exportsOf(source), source)
  if (pages.has(drawn.name)) throw new Error(`Two flows are called ${drawn.name}; ${source} is one`)
  pages.set(
    drawn.name,
    `${diagram(drawn.name, moves(drawn, samples))}\nThe table: \`${source}\`.\n`,
  )
}
if (pages.size === 0) throw new Error('No flow was found; look at the pattern of *.samples.ts')

const present = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith('.md')) : []
const gone = present.filter((name) => !pages.has(name.replace(/\.md$/, '')))
const stale = [...pages].filter(([name, text]) => read(`${name}.md`) !== text)

if (process.argv.includes('--check')) {
  for (const name of [...gone, ...stale.map(([name]) => `${name}.md`)]) {
    console.error(`docs/flows/${name} is stale: run "npm run generate" and commit it`)
    process.exitCode = 1
  }
} else {
  mkdirSync(FOLDER, { recursive: true })
  for (const name of gone) rmSync(path.join(FOLDER, name))
  for (const [name, text] of stale) writeFileSync(path.join(FOLDER, `${name}.md`), text)
}

/** The module's types are checked by its own tests. */
async function exportsOf<Exports = Record<string, unknown>>(file: string): Promise<Exports> {
  return (await import(pathToFileURL(path.join(ROOT, file)).href)) as Exports
}

function flowIn(exports: Record<string, unknown>, file: string): AnyFlow {
  const found = Object.values(exports).find(
    (each) => typeof each === 'object' && each !== null && 'begin' in each && 'on' in each,
  )
  if (found === undefined) throw new Error(`${file} exports no flow`)
  return found as AnyFlow
}

function read(name: string): string | undefined {
  const file = path.join(FOLDER, name)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
