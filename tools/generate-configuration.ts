// Generates docs/configuration.md from the server's settings.
import { SETTINGS, type Setting } from '@portico/server/settings'
import { writeOrCheck } from './generate/write-or-check.ts'

const INTRODUCTION = `# Configuration

The server reads its settings from the environment at start-up. It lists all errors together and does not start while there are
any: an invalid value, an unknown variable that begins with \`PORTICO_\`, or, with \`NODE_ENV=production\`, a missing required
setting. An empty value counts as unset.

This page is generated from the settings by \`npm run generate\`.
`

writeOrCheck('docs/configuration.md', `${INTRODUCTION}\n${table()}\n`)

function table(): string {
  const rows = Object.entries<Setting>(SETTINGS).map(([name, setting]) => {
    const required = setting.requiredInProduction ? 'yes' : ''
    return row([`\`${name}\``, setting.defaultText, required, setting.meaning])
  })
  const head = row(['Variable', 'Default', 'Required in production', 'Meaning'])
  return [head, row(['---', '---', '---', '---']), ...rows].join('\n')
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}
