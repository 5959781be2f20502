import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { chromium } from '@playwright/test'
import { ROOT } from '../setup/processes.mjs'
import { installDebianPackage } from './debian.ts'
import { executable, findProgram } from './find-program.ts'

// The shell has no windows, bars and menus to draw, which takes a third less of the processor.
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
]

const ADVICE = [
  'No Chromium was found and none could be installed. Any one of these helps:',
  '  - install the package chromium or google-chrome of your system',
  '  - npx playwright install chromium',
  '  - PORTICO_CHROMIUM=/path/to/chromium npm test',
].join('\n')

/** The browser for the tests: the one that was named, Playwright's own, or the system's. */
export function findChromium(): string | undefined {
  const named = process.env.PORTICO_CHROMIUM
  if (named !== undefined) return named
  const playwrights = chromium.executablePath()
  return executable(playwrights) ? playwrights : findProgram(NAMES)
}

/** Finds a Chromium, or installs one; where neither works, throws with the steps that would help. */
export function requireChromium(): string {
  const found = findChromium() ?? installChromium()
  if (found === undefined) throw new Error(ADVICE)
  if (!executable(found)) throw new Error(`PORTICO_CHROMIUM names no program: ${found}`)
  return found
}

function installChromium(): string | undefined {
  if (NAMES.slice(0, 2).some(installDebianPackage)) return findProgram(NAMES)
  console.log('Fetching the Chromium that Playwright offers …')
  const cli = path.join(ROOT, 'node_modules/@playwright/test/cli.js')
  spawnSync(process.execPath, [cli, 'install', 'chromium'], { stdio: ['ignore', 2, 2] })
  return findChromium()
}
