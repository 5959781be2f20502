// `npm run check`: format, lint, types, boundaries, unused code, repository; or only the named steps.
import { runSteps, STEP_NAMES } from './check/steps.ts'

const args = process.argv.slice(2)
const unknown = args.filter((arg) => !STEP_NAMES.some((step) => step === arg))
if (unknown.length > 0) {
  console.error(`Unknown step ${unknown.join(', ')}. Use ${STEP_NAMES.join(', ')}.`)
  process.exit(2)
}
const named = STEP_NAMES.filter((step) => args.includes(step))
const outcomes = await runSteps(named.length === 0 ? STEP_NAMES : named)
process.exitCode = outcomes.every((outcome) => outcome.passed) ? 0 : 1
