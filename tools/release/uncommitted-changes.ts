import { spawnSync } from 'node:child_process'

/**
 * The files that differ from the last commit, as `git status` lists them: changed, added and not ignored. Empty in a copy of
 * the sources without a repository.
 */
export function uncommittedChanges(folder: string): readonly string[] {
  const { status, stdout } = spawnSync('git', ['status', '--porcelain'], {
    cwd: folder,
    encoding: 'utf8',
  })
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : []
}
