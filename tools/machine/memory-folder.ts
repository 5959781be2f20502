import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const IN_MEMORY = '/dev/shm'

/** What the databases and browsers of a test run need at most, with room to spare. */
const BYTES_NEEDED = 4 * 1024 ** 3

/**
 * The parent for temporary folders of tests: in memory if there is enough of it, because creating a PostgreSQL database
 * takes ten times as long on a disk; otherwise the system's temporary folder.
 */
export function memoryFolder(): string {
  if (!existsSync(IN_MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(IN_MEMORY)
  return bavail * bsize >= BYTES_NEEDED ? IN_MEMORY : tmpdir()
}
