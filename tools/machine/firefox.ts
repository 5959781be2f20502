import { installDebianPackage } from './debian.ts'
import { findProgram } from './find-program.ts'

const NAMES = ['firefox-esr', 'firefox']

/** Finds or installs Firefox; undefined if it is not installed afterwards. */
export function findFirefox(): string | undefined {
  return (
    findProgram(NAMES) ?? (installDebianPackage('firefox-esr') ? findProgram(NAMES) : undefined)
  )
}
