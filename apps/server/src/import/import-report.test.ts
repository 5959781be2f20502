import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../../tests/support/temporary-folder.ts'
import { openReport } from './import-report.ts'

const OF_FILE = { digest: 'ab'.repeat(32), isDryRun: false }

test('import: a report that was cut anywhere in a line continues with that line', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'report.ndjson')
  const lines = [1, 2].map((line) => ({ line, status: 'imported', identityId: `${line}` }) as const)
  const write = async () => {
    using report = await openReport(path, OF_FILE)
    const { doneLine } = report
    report.add(lines.filter(({ line }) => line > doneLine))
    return doneLine
  }
  expect(await write()).toBe(0)
  const whole = readFileSync(path, 'utf8')
  const lastLength = JSON.stringify(lines[1]).length
  for (let cut = 1; cut <= lastLength; cut += 1) {
    truncateSync(path, whole.length - cut)
    expect(await write(), `without the last ${cut} bytes`).toBe(1)
    expect(readFileSync(path, 'utf8')).toBe(whole)
  }
})

test('import: a dry run checks every line again, and replaces no report but that of a dry run', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'report.ndjson')
  const dryRun = { ...OF_FILE, isDryRun: true }
  for (const digest of [OF_FILE.digest, OF_FILE.digest, 'cd'.repeat(32)]) {
    using report = await openReport(path, { ...dryRun, digest })
    expect(report.doneLine).toBe(0)
    report.add([{ line: 1, status: 'refused', error: 'organization is NOWHERE' }])
    expect(report.counts.refused).toBe(1)
  }
  for (const other of ['{"sha256":"x","dryRun":false}\n', 'a file of the operator']) {
    writeFileSync(path, other)
    await expect(openReport(path, dryRun)).rejects.toThrow('the report of another file')
    expect(readFileSync(path, 'utf8')).toBe(other)
  }
})

test('import: a report that cannot be written stops the import with its path', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'missing', 'report.ndjson')
  await expect(openReport(path, OF_FILE)).rejects.toThrow(`${path} cannot be written: ENOENT`)
})

test('import: a folder is refused as a report', async () => {
  using folder = temporaryFolder()
  await expect(openReport(folder.path, OF_FILE)).rejects.toThrow('Specify a file with --report')
})
