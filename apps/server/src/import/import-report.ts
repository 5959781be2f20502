/** The report of an import: one JSON line per line of the file. It also records where an interrupted import continues. */
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  statSync,
  writeSync,
} from 'node:fs'
import { ConfigError } from '../config-error.ts'
import { createOwnerOnly } from '../database/sqlite.ts'
import { readLines } from './lines.ts'

export interface ReportLine {
  readonly line: number
  /** `exists`: the address has an account; `duplicate`: an earlier line has the address. */
  readonly status: 'imported' | 'exists' | 'duplicate' | 'refused'
  readonly identityId?: string
  readonly error?: string
}

interface ImportReport extends Disposable {
  /** The last completed line of the file. */
  readonly doneLine: number
  readonly counts: Record<ReportLine['status'], number>
  /** Adds lines and waits until they are on disk. */
  readonly add: (lines: readonly ReportLine[]) => void
}

/**
 * Creates or continues a file's report. The report of a dry run is replaced, because the organizations or the database may have
 * changed.
 *
 * @param digest - of the file, because line numbers are meaningless after it has changed
 * @throws ConfigError - when the report belongs to another file, or cannot be written; `add` throws the same
 */
export async function openReport(
  path: string,
  { digest, isDryRun }: { readonly digest: string; readonly isDryRun: boolean },
): Promise<ImportReport> {
  const header = JSON.stringify({ sha256: digest, dryRun: isDryRun })
  const counts = { imported: 0, exists: 0, duplicate: 0, refused: 0 }
  let doneLine = 0
  let bytes = 0
  if (existsSync(path) && statSync(path).isDirectory()) {
    throw new ConfigError([`${path} is a folder. Specify a file with --report`])
  }
  if (existsSync(path) && !(isDryRun && (await isOfDryRun(path)))) {
    const { size } = statSync(path)
    for await (const { number, text = '' } of readLines(path)) {
      if (number === 1 && text !== header) {
        throw new ConfigError([
          `${path} is the report of another file or of a dry run. Remove it, or specify another one with --report`,
        ])
      }
      const line = number === 1 ? undefined : parseLine(text)
      const end = bytes + Buffer.byteLength(text) + 1
      // A line that a killed process wrote partially, perhaps without its line break, is written again.
      if (end > size || (number > 1 && line === undefined)) break
      bytes = end
      if (line === undefined) continue
      doneLine = line.line
      counts[line.status] += 1
    }
  }
  const orUnwritable = <Result>(act: () => Result): Result => {
    try {
      return act()
    } catch (error) {
      throw new ConfigError([`${path} cannot be written: ${(error as Error).message}`])
    }
  }
  const file = orUnwritable(() => {
    createOwnerOnly(path)
    return openSync(path, 'r+')
  })
  let position = bytes
  const write = (text: string) =>
    orUnwritable(() => {
      position += writeSync(file, text, position)
      fdatasyncSync(file)
    })
  ftruncateSync(file, bytes)
  if (bytes === 0) write(`${header}\n`)
  return {
    doneLine,
    counts,
    add(lines) {
      write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
      for (const { status } of lines) counts[status] += 1
    },
    [Symbol.dispose]: () => closeSync(file),
  }
}

async function isOfDryRun(path: string): Promise<boolean> {
  for await (const { text = '' } of readLines(path)) {
    return /^\{"sha256":"[0-9a-f]{64}","dryRun":true\}$/.test(text)
  }
  return false
}

function parseLine(text: string): ReportLine | undefined {
  try {
    return JSON.parse(text) as ReportLine // Written by this module.
  } catch {
    return undefined
  }
}
