import { installDebianPackage } from './debian.ts'
import { findProgram } from './find-program.ts'

/** The programs that run WebKitGTK without a screen. */
export interface WebkitPrograms {
  /** The driver, which starts the browser that belongs to it. */
  readonly driver: string
  /** The X server that draws into memory. */
  readonly display: string
}

/** Finds or installs WebKitGTK's driver and a display for it; undefined if one is not installed afterwards. */
export function findWebkit(): WebkitPrograms | undefined {
  const driver = findOrInstall('WebKitWebDriver', 'webkit2gtk-driver')
  const display = findOrInstall('Xvfb', 'xvfb')
  return driver && display ? { driver, display } : undefined
}

function findOrInstall(program: string, debianPackage: string): string | undefined {
  return (
    findProgram([program]) ??
    (installDebianPackage(debianPackage) ? findProgram([program]) : undefined)
  )
}
