import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { builtExtension } from '../tests/extension/support/built-extension.ts'
import { ROOT } from '../tools/setup/processes.mjs'
import { bundledKilobytes } from './bundled-kilobytes.ts'
import { type Figure, figure, short } from './figure.ts'
import { reactAlone } from './script-sizes.ts'

export const ZIP_BUDGET_KB = 250
export const WORKER_BUDGET_KB = 75

const kilobytes = (size: number) => `${short(size)} kB`
const atMost = (limit: number) => ({
  text: `${limit} kB`,
  isMet: ({ ours }: { readonly ours: number }) => ours <= limit,
})

/** The sizes of the extension's packages and of its worker. */
export async function extensionSizeFigures(): Promise<Figure[]> {
  using built = await builtExtension(['https://app.lender.example'])
  return await sizes(path.dirname(built.chromium))
}

async function sizes(outDir: string): Promise<Figure[]> {
  const react = await reactAlone()
  const stretching = { from: 'hash-wasm', names: ['argon2id'] }
  const zips = readdirSync(outDir).filter((name) => name.endsWith('.zip'))
  return [
    ...zips.map((name) =>
      figure({
        figure: 'Extension, zip; React and ReactDOM alone',
        on: /-(\w+)\.zip$/.exec(name)?.[1] ?? name,
        ours: [statSync(path.join(outDir, name)).size / 1000],
        baseline: [react],
        write: kilobytes,
        budget: atMost(ZIP_BUDGET_KB),
      }),
    ),
    figure({
      figure: "Extension's worker, gzip; argon2id of hash-wasm alone",
      on: 'built scripts',
      ours: [workerKilobytes(path.join(outDir, 'chromium'))],
      baseline: [await bundledKilobytes(path.join(ROOT, 'packages/self-custody'), stretching)],
      write: kilobytes,
      budget: atMost(WORKER_BUDGET_KB),
    }),
  ]
}

/** The worker with everything that it imports. */
export function workerKilobytes(folder: string): number {
  const files = new Set([path.join(folder, 'worker.js')])
  let bytes = 0
  for (const file of files) {
    const script = readFileSync(file, 'utf8')
    bytes += gzipSync(script, { level: 9 }).length
    for (const [, imported = ''] of script.matchAll(/\b(?:from|import)\s*["'](\.[^"']+)["']/g)) {
      files.add(path.join(path.dirname(file), imported))
    }
  }
  return bytes / 1000
}
