import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/**
 * Installs a Debian package where this process may do so (root on Debian, Ubuntu or a relative), so
 * that a fresh machine needs no preparation; says whether it is there afterwards.
 */
export function installDebianPackage(name: string): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  console.log(`Installing the Debian package ${name} …`)
  const install = ['install', '-y', '--no-install-recommends', name]
  return aptGet(['update', '-qq']) && aptGet(install)
}

function aptGet(args: readonly string[]): boolean {
  // Output goes to stderr: the last line of our stdout is a result that machines read.
  const { status } = spawnSync('apt-get', ['-q', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 2, 2],
  })
  return status === 0
}
