// Generates docs/coverage.md from tools/generate/specification-sentences.md and the titles of the tests.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { titlesIn } from './check/test-titles.ts'
import { coverageOf } from './generate/coverage.ts'
import { writeOrCheck } from './generate/write-or-check.ts'
import { ROOT } from './setup/processes.mjs'

const SOURCE = 'tools/generate/specification-sentences.md'

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
const tests = globSync('{apps,bench,examples,packages,tests,tools}/**/*.test.{ts,tsx}', {
  cwd: ROOT,
  exclude: (name) => name.endsWith('node_modules'),
}).sort()
const titles = new Map(tests.map((file) => [file, titlesIn(read(file))]))

const { text, errors } = coverageOf(read(SOURCE), titles)
for (const error of errors) console.error(`${SOURCE}: ${error}`)
if (errors.length > 0) process.exitCode = 1
else writeOrCheck('docs/coverage.md', text)
