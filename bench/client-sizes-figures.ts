import path from 'node:path'
import { ROOT } from '../tools/setup/processes.mjs'
import { builtKilobytes } from './built-kilobytes.ts'
import { bundledKilobytes, type Uses } from './bundled-kilobytes.ts'
import { type Figure, figure, short } from './figure.ts'

export const EXPERIMENTS_BUDGET_KB = 3

const EXPERIMENTS: Uses = { from: '@portico/telemetry/experiments', names: ['recordExposure'] }
/** The library for deciding in the page. */
const DECIDING: Uses = { from: '@growthbook/growthbook', names: ['GrowthBook'] }

const PAGE = 'src/main.tsx'
const BANNERS = '../../packages/shell/src/banners/banners.tsx'
const TELEMETRY = '../../packages/telemetry/src/engine.ts'

/** The parts of the built login page whose sizes are measured here. */
export const MEASURED_PARTS: readonly string[] = [PAGE, BANNERS, TELEMETRY]

/** The size of what a page loads to take part in experiments, in kB after gzip. */
export const experimentsKilobytes = () =>
  bundledKilobytes(path.join(ROOT, 'packages/telemetry'), EXPERIMENTS)

/**
 * What the pages load to take part in experiments, against the library that would decide in the page; and for
 * announcements and telemetry, once the page is usable, against what it takes until then.
 */
export async function clientSizesFigures(): Promise<Figure[]> {
  return [
    figure({
      figure: `Experiments in a page, total; ${DECIDING.from}, if the page decided`,
      on: 'bundled page, gzip',
      ours: [await experimentsKilobytes()],
      baseline: [await bundledKilobytes(path.join(ROOT, 'apps/server'), DECIDING)],
      write: (size) => `${short(size)} kB`,
      budget: {
        text: `${EXPERIMENTS_BUDGET_KB} kB`,
        isMet: ({ ours }) => ours <= EXPERIMENTS_BUDGET_KB,
      },
    }),
    figure({
      figure: 'Announcements, fetched when the login page is usable and idle; the page until then',
      on: 'built page, gzip',
      ours: [builtKilobytes('auth', BANNERS, [PAGE])],
      baseline: [builtKilobytes('auth', PAGE)],
      write: (size) => `${short(size)} kB`,
    }),
    figure({
      figure: 'Telemetry, fetched when the login page is usable and idle; the page until then',
      on: 'built page, gzip',
      ours: [builtKilobytes('auth', TELEMETRY, [PAGE])],
      baseline: [builtKilobytes('auth', PAGE)],
      write: (size) => `${short(size)} kB`,
    }),
  ]
}
