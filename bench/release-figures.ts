import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { buildRelease } from '../tools/release/build.ts'
import { ROOT } from '../tools/setup/processes.mjs'
import { type Figure, figure, short } from './figure.ts'
import { measureAlternately } from './pairs.ts'
import { ENGINES } from './seeds.ts'
import { aSite } from './sites.ts'
import { megabytes, runMain } from './start-figures.ts'

const IDENTITIES = 10_000
const START_BUDGET_MS = 1000
const SIZE_BUDGET_MB = 200

/** The start of a release on existing data, against the start from sources, and its size. */
export async function releaseFigures(rounds: number): Promise<Figure[]> {
  const { folder, archive } = await buildRelease(path.join(ROOT, '.cache/bench-release'))
  const program = path.join(folder, 'bin/server.js')
  const figures: Figure[] = []
  for (const engine of ENGINES) {
    await using site = await aSite(engine, IDENTITIES)
    const start = async (file: string) => {
      await using running = await runMain(site.environment, file)
      return running.startedInMs
    }
    const { release, sources } = await measureAlternately(rounds, {
      sources: () => start(path.join(ROOT, 'apps/server/src/main.ts')),
      release: () => start(program),
    })
    figures.push(
      figure({
        figure: 'Start of a release to ready on existing data; from sources',
        on: engine,
        ours: release,
        baseline: sources,
        write: (ms) => `${short(ms)} ms`,
        budget: { text: 'under 1 s', isMet: ({ ours }) => ours < START_BUDGET_MS },
      }),
    )
  }
  const unpacked = sizeOf(folder)
  // Debian's libraries in the base image add 20 MB.
  const withNode = unpacked + statSync(process.execPath).size / 1e6
  return [
    ...figures,
    figure({
      figure: 'Release with Node, unpacked; its archive without Node',
      on: 'release',
      ours: [withNode],
      baseline: [statSync(archive).size / 1e6],
      write: megabytes,
      budget: { text: 'under 200 MB', isMet: ({ ours }) => ours < SIZE_BUDGET_MB },
    }),
  ]
}

/** The size of the files in a folder, in megabytes. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size / 1e6,
      0,
    )
}
