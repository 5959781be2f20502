import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { findProgram } from './find-program.ts'

const VERSIONS = '/usr/lib/postgresql'

/** The folders of Debian's parallel PostgreSQL versions, newest first. */
export function versionedFolders(): string[] {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS) : []
  return versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => path.join(VERSIONS, version, 'bin'))
}

/** A PostgreSQL program: from the newest of Debian's parallel versions, or from the path. */
function postgresProgram(name: string): string | undefined {
  return findProgram([name], versionedFolders()) ?? findProgram([name])
}

export const postgresPrograms = { find: postgresProgram, environment: process.env }
