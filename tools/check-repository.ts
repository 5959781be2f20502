// The step `repository` of the check: rules that no other tool checks, and up-to-date generated files.
import { globSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { REPOSITORY_RULES } from './check/repository.ts'
import { ROOT, run } from './setup/processes.mjs'

const EXCLUDED = [
  'node_modules',
  'dist',
  'data',
  '.cache',
  '.git',
  'test-results',
  'playwright-report',
]
const TEXT =
  /\.(?:ts|tsx|mjs|js|json|md|css|html|svg|ya?ml)$|(?:^|\/)(?:\.npmrc|\.gitignore|\.ci\/run)$/

const files = globSync(['**/*', '.*', '.ci/*'], {
  cwd: ROOT,
  exclude: (name) => EXCLUDED.includes(path.basename(name)),
}).filter((file) => !file.startsWith(`release${path.sep}`))
// Only the names of other files are checked.
const texts = new Map(
  files
    .filter((file) => statSync(path.join(ROOT, file)).isFile())
    .map((file) => [file, TEXT.test(file) ? readFileSync(path.join(ROOT, file), 'utf8') : '']),
)
const errors = REPOSITORY_RULES.flatMap((rule) => rule(texts))
for (const error of errors) console.error(error)
const generated = await run(process.execPath, ['tools/generate.ts', '--check'])
process.exitCode = errors.length === 0 && generated === 0 ? 0 : 1
