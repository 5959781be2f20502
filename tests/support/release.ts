import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { MIGRATIONS } from '@portico/server/migrations'
import { buildRelease, type Release } from '../../tools/release/build.ts'
import { buildIfNeeded } from '../../tools/setup/build.mjs'
import { ROOT } from '../../tools/setup/processes.mjs'

/** Builds this version's release, in a folder for tests. */
export async function thisRelease(): Promise<Release> {
  await buildIfNeeded(process.execPath)
  return buildRelease(join(ROOT, '.cache/test-release'))
}

/**
 * The newest version before this one that has another schema: the commit before the newest migration. It is checked out
 * and built once, in a folder of its own.
 *
 * @returns the folder, or undefined if this checkout has no history
 */
export function previousVersion(): string | undefined {
  const newest = Object.keys(MIGRATIONS).at(-1)
  const file = `apps/server/src/database/migrations/${newest}.ts`
  const added = git('log', '-1', '--diff-filter=A', '--format=%H', '--', file)
  if (added === undefined) return undefined
  // A migration that is not committed yet comes after the last commit.
  const commit = git('rev-parse', '--verify', '--quiet', added === '' ? 'HEAD' : `${added}^`)
  if (commit === undefined) return undefined
  const folder = join(ROOT, '.cache/previous-version', commit)
  // Forced, because git still lists a folder that was deleted with the cache.
  if (!existsSync(folder)) run('git', 'worktree', 'add', '--force', '--detach', folder, commit)
  if (!existsSync(join(folder, 'apps/wallet/dist/.inputs'))) {
    run(process.execPath, join(folder, 'tools/build.mjs'))
  }
  return folder
}

/** Git's answer; undefined if the command fails, as in a copy of the sources without a repository. */
function git(...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

function run(command: string, ...args: readonly string[]): void {
  const { status } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`)
}
