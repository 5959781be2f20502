import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os'
import type { Figure } from './figure.ts'

const HEAD = [
  'Figure; its baseline',
  'On',
  'Portico',
  'Baseline',
  'Ratio',
  'Budget',
  'Met',
  'Measured',
] as const

/** The figures as a Markdown table; the last column is the date and the number of rounds. */
export function table(figures: readonly Figure[], rounds: number): string {
  const measured = `${new Date().toISOString().slice(0, 10)}, ${rounds} ${rounds === 1 ? 'round' : 'rounds'}`
  const rows = figures.map(({ figure, on, ours, baseline, ratio, budget, met }) => [
    figure,
    on,
    ours,
    baseline,
    ratio,
    budget,
    met === undefined ? '' : met ? 'yes' : '**no**',
    measured,
  ])
  return [HEAD, HEAD.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

/** The machine, and the load average before, which shows whether it was idle. */
export function conditions(loadBefore: readonly number[]): string {
  const processor = cpus()[0]?.model.trim() || 'unnamed processor'
  const load = (averages: readonly number[]) => averages.map((each) => each.toFixed(2)).join(' ')
  return [
    `- Machine: ${availableParallelism()} cores (${processor}), ${Math.round(totalmem() / 2 ** 30)} GB memory, ${system()}, Node ${process.versions.node}`,
    `- Load average before the latest run ${load(loadBefore)}, at its end ${load(loadavg())}`,
  ].join('\n')
}

function system(): string {
  const file = '/etc/os-release'
  const named = existsSync(file)
    ? /^PRETTY_NAME="(.*)"$/m.exec(readFileSync(file, 'utf8'))?.[1]
    : undefined
  return `${named ?? process.platform} (kernel ${release()})`
}
