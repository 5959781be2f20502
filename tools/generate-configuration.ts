// Generates docs/configuration.md from the server's settings.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { SETTINGS, type Setting } from '@portico/server/settings'
import { ROOT } from './setup/processes.mjs'

const FILE = 'docs/configuration.md'

const INTRODUCTION = `# Configuration

The server reads its settings from the environment at start-up. It lists all errors together and does not start while there are
any: an invalid value, an unknown variable that begins with \`PORTICO_\`, or, with \`NODE_ENV=production\`, a missing required
setting. An empty value counts as unset.

This page is generated from the settings by \`npm run generate\`.
`

const target = path.join(ROOT, FILE)
const fresh = `${INTRODUCTION}\n${table()}\n`
if (process.argv.includes('--check')) {
  if (!existsSync(target) || readFileSync(target, 'utf8') !== fresh) {
    console.error(`${FILE} is stale: run "npm run generate" and commit it`)
    process.exitCode = 1
  }
} else {
  writeFileSync(target, fresh)
}

function table(): string {
  const rows = Object.entries<Setting>(SETTINGS).map(([name, setting]) => {
    const needed = setting.requiredInProduction ? 'yes' : ''
    return row([`\`${name}\``, setting.defaultText, needed, setting.meaning])
  })
  const head = row(['Variable', 'Default', 'Required in production', 'Meaning'])
  return [head, row(['---', '---', '---', '---']), ...rows].join('\n')
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}
