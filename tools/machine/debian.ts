import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/**
 * Installs a Debian package if this process may (root on Debian, Ubuntu or a derivative), so
 * that a fresh machine needs no preparation; returns whether it is installed afterwards.
 */
export function installDebianPackage(name: string): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  console.log(`Installing the Debian package ${name} …`)
  // Never removes an installed package for another.
  const install = ['install', '-y', '--no-install-recommends', '--no-remove', name]
  return aptGet(['update', '-qq']) && aptGet(install)
}

/** Without a network, tests that do not need the package should start soon. */
const QUICK_FAILURE = ['-o', 'Acquire::Retries=1', '-o', 'Acquire::http::Timeout=10']

function aptGet(args: readonly string[]): boolean {
  // Output goes to stderr, because the last line of stdout is a machine-readable result.
  const { status } = spawnSync('apt-get', ['-q', ...QUICK_FAILURE, ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 2, 2],
  })
  return status === 0
}
