// Generates a diagram of every flow in docs/flows from its table and samples.
import { existsSync, globSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Flow } from '../packages/flow/src/flow.ts'
import { diagram, moves, type Samples } from '../packages/flow/src/testing.ts'
import { writeOrCheck } from './generate/write-or-check.ts'
import { ROOT } from './setup/processes.mjs'

type AnyState = { readonly step: string }
type AnyEvent = { readonly type: string }
type AnyFlow = Flow<AnyState, AnyEvent, AnyEvent, unknown>

const FOLDER = 'docs/flows'

const pages = new Map<string, string>()
for (const file of globSync('{apps,packages}/*/src/**/*.samples.ts', { cwd: ROOT }).sort()) {
  const source = file.replace(/\.samples\.ts$/, '.flow.ts')
  // Samples of a screen without a flow are answers of the server.
  if (!existsSync(path.join(ROOT, source))) continue
  const samples = await exportsOf<Samples<unknown, AnyEvent>>(file)
  const flow = flowIn(await exportsOf(source), source)
  if (pages.has(flow.name)) throw new Error(`Two flows are called ${flow.name}; ${source} is one`)
  pages.set(flow.name, `${diagram(flow.name, moves(flow, samples))}\nThe table: \`${source}\`.\n`)
}
if (pages.size === 0) throw new Error('No flow was found; look at the pattern of *.samples.ts')

const folder = path.join(ROOT, FOLDER)
mkdirSync(folder, { recursive: true })
for (const name of readdirSync(folder)) {
  if (!name.endsWith('.md') || pages.has(name.replace(/\.md$/, ''))) continue
  if (!process.argv.includes('--check')) rmSync(path.join(folder, name))
  else {
    console.error(`${FOLDER}/${name} is stale: run "npm run generate" and commit it`)
    process.exitCode = 1
  }
}
for (const [name, text] of pages) writeOrCheck(`${FOLDER}/${name}.md`, text)

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
