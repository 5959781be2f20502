import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { findProgram } from './find-program.ts'

const VERSIONS = '/usr/lib/postgresql'

/** A PostgreSQL program: from the newest of Debian's parallel versions, or from the path. */
function postgresProgram(name: string): string | undefined {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS) : []
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a))
  const folders = newestFirst.map((version) => path.join(VERSIONS, version, 'bin'))
  return findProgram([name], folders) ?? findProgram([name])
}

export const postgresPrograms = { find: postgresProgram, environment: process.env }
