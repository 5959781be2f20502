import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from '../setup/processes.mjs'

/** Writes a generated document; with `--check` it only reports a stale one. */
export function writeOrCheck(file: string, text: string): void {
  const target = path.join(ROOT, file)
  if (!process.argv.includes('--check')) writeFileSync(target, text)
  else if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
    console.error(`${file} is stale: run "npm run generate" and commit it`)
    process.exitCode = 1
  }
}
