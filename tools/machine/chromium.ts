import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { chromium } from '@playwright/test'
import { ROOT } from '../setup/processes.mjs'
import { installDebianPackage } from './debian.ts'
import { executable, findProgram } from './find-program.ts'

/** Draws no windows or menus and keeps no spare processes, which saves a third of the CPU time. */
const HEADLESS_SHELL = 'chromium-headless-shell'

const NAMES = [
  HEADLESS_SHELL,
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
]

// The headless shell has no extensions, and branded Chrome no longer loads unpacked ones.
const WITH_EXTENSIONS = ['chromium', 'chromium-browser']

const ADVICE = [
  'Chromium was not found and could not be installed. Do one of the following:',
  '  - install the package chromium or google-chrome of your system',
  '  - npx playwright install chromium',
  '  - PORTICO_CHROMIUM=/path/to/chromium npm test',
].join('\n')

/** A container has no sandbox and no GPU; the other switches stop Chromium's own network requests. */
export const BROWSER_SWITCHES = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The browser for tests: the configured one, Playwright's, or the system's. */
export function findChromium(): string | undefined {
  const named = process.env.PORTICO_CHROMIUM
  if (named !== undefined) return named
  const playwrights = chromium.executablePath()
  return executable(playwrights) ? playwrights : findProgram(NAMES)
}

/** Finds or installs Chromium; if both fail, throws an error with instructions. */
export function requireChromium(): string {
  const found = installedShell() ?? findChromium() ?? installChromium()
  if (found === undefined) throw new Error(ADVICE)
  if (!executable(found)) throw new Error(`PORTICO_CHROMIUM is not an executable: ${found}`)
  return found
}

/** The headless shell if it can be installed, although there is another Chromium; undefined if one was chosen. */
function installedShell(): string | undefined {
  if (process.env.PORTICO_CHROMIUM !== undefined || executable(chromium.executablePath())) {
    return undefined
  }
  const installed = findProgram([HEADLESS_SHELL])
  return (
    installed ?? (installDebianPackage(HEADLESS_SHELL) ? findProgram([HEADLESS_SHELL]) : undefined)
  )
}

/** Finds or installs a Chromium that loads extensions; undefined if it is not installed afterwards. */
export function findExtensionChromium(): string | undefined {
  const playwrights = chromium.executablePath()
  if (executable(playwrights)) return playwrights
  return (
    findProgram(WITH_EXTENSIONS) ??
    (installDebianPackage('chromium') ? findProgram(WITH_EXTENSIONS) : undefined)
  )
}

function installChromium(): string | undefined {
  if (installDebianPackage('chromium')) return findProgram(NAMES)
  console.log('Downloading Playwright’s Chromium …')
  const cli = path.join(ROOT, 'node_modules/@playwright/test/cli.js')
  spawnSync(process.execPath, [cli, 'install', 'chromium'], { stdio: ['ignore', 2, 2] })
  return findChromium()
}
