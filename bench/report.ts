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
] as const

/** The figures as a Markdown table. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ figure, on, ours, baseline, ratio, budget, met }) => [
    figure,
    on,
    ours,
    baseline,
    ratio,
    budget,
    met === undefined ? '' : met ? 'yes' : '**no**',
  ])
  return [HEAD, HEAD.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

/** The command, machine and date; the load average before shows whether the machine was idle. */
export function circumstances(
  command: string,
  rounds: number,
  loadBefore: readonly number[],
): string {
  const processor = cpus()[0]?.model.trim() || 'unnamed processor'
  const load = (averages: readonly number[]) => averages.map((each) => each.toFixed(2)).join(' ')
  return [
    `- Command: \`${command}\`, ${rounds} rounds`,
    `- Machine: ${availableParallelism()} cores (${processor}), ${Math.round(totalmem() / 2 ** 30)} GB memory, ${system()}, Node ${process.versions.node}`,
    `- Date: ${new Date().toISOString().slice(0, 10)}; load average before ${load(loadBefore)}, at the end ${load(loadavg())}`,
  ].join('\n')
}

function system(): string {
  const file = '/etc/os-release'
  const named = existsSync(file)
    ? /^PRETTY_NAME="(.*)"$/m.exec(readFileSync(file, 'utf8'))?.[1]
    : undefined
  return `${named ?? process.platform} (kernel ${release()})`
}
