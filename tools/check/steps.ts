import { spawn } from 'node:child_process'
import path from 'node:path'
import { ROOT } from '../setup/processes.mjs'

const BIN = path.join(ROOT, 'node_modules')

// Each step is a separate program, so that it can fail, crash or print independently.
const STEPS = {
  format: [`${BIN}/@biomejs/biome/bin/biome`, 'check', '--error-on-warnings'],
  lint: [`${BIN}/oxlint/bin/oxlint`, '--deny-warnings'],
  // With the results of the last run, an unchanged file takes no time.
  types: [
    `${BIN}/typescript/bin/tsc`,
    '--noEmit',
    '--incremental',
    '--tsBuildInfoFile',
    '.cache/types.tsbuildinfo',
  ],
  boundaries: ['tools/check-boundaries.ts'],
  unused: [`${BIN}/knip/bin/knip.js`],
  repository: ['tools/check-repository.ts'],
} as const

/** The steps of the check. */
export type Step = keyof typeof STEPS

export type Outcome = { readonly step: Step; readonly passed: boolean }

/** All steps in order. */
export const STEP_NAMES = Object.keys(STEPS) as Step[] // The literal's keys are its type's keys.

/** Runs all steps at the same time, even after a failure, to report all errors at once. */
export function runSteps(steps: readonly Step[] = STEP_NAMES): Promise<Outcome[]> {
  return Promise.all(steps.map(runStep))
}

async function runStep(step: Step): Promise<Outcome> {
  const began = performance.now()
  const { passed, output } = await runQuietly(STEPS[step])
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`${passed ? '✓' : '✗'} ${step} ${seconds} s`)
  if (!passed) console.log(output)
  return { step, passed }
}

/** Output is shown only on failure. */
function runQuietly(args: readonly string[]): Promise<{ passed: boolean; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const collect = (chunk: Buffer) => {
      output += chunk
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.once('close', (code) => resolve({ passed: code === 0, output }))
  })
}
