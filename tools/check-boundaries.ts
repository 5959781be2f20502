// The step `boundaries` of the check.
import { checkBoundaries } from './check/boundaries.ts'
import { ROOT } from './setup/processes.mjs'

// With fewer files the check has not read the project.
const MINIMUM_FILES = 40

const { violations, seen, unseen } = await checkBoundaries(ROOT)
const errors = [
  ...violations,
  ...unseen.map((file) => `not read by the boundary check: ${file}`),
  ...(seen < MINIMUM_FILES
    ? [`only ${seen} files were read; at least ${MINIMUM_FILES} exist`]
    : []),
]
for (const error of errors) console.error(error)
console.log(`${seen} files read`)
process.exitCode = errors.length === 0 ? 0 : 1
