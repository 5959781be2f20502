// `npm run generate`: regenerates every generated document; with --check it only reports stale ones.
import { globSync } from 'node:fs'
import { ROOT, run } from './setup/processes.mjs'

const check = process.argv.includes('--check') ? ['--check'] : []
for (const tool of globSync('tools/generate-*.ts', { cwd: ROOT }).sort()) {
  const code = await run(process.execPath, [tool, ...check])
  if (code !== 0) process.exitCode = code
}
