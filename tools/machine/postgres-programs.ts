import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { findProgram } from './find-program.ts'

const VERSIONS = '/usr/lib/postgresql'

/** One of PostgreSQL's programs: of the newest version that Debian keeps beside each other, or on the path. */
function postgresProgram(name: string): string | undefined {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS) : []
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a))
  const folders = newestFirst.map((version) => path.join(VERSIONS, version, 'bin'))
  return findProgram([name], folders) ?? findProgram([name])
}

/** PostgreSQL's programs as this machine has them. */
export const postgresPrograms = { find: postgresProgram, environment: process.env }
