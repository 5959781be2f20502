import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../tests/support/temporary-folder.ts'
import { uncommittedChanges } from './uncommitted-changes.ts'

test('a release notices changed and new files, and ignores those that git ignores', () => {
  using folder = temporaryFolder()
  const write = (name: string, text: string) => writeFileSync(path.join(folder.path, name), text)
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@portico.example', ...args], {
      cwd: folder.path,
    })
  expect(uncommittedChanges(folder.path)).toEqual([])
  git('init', '--quiet')
  write('.gitignore', 'dist\n')
  write('server.ts', '1')
  git('add', '.')
  git('commit', '--quiet', '--message=first')
  write('dist', 'built')
  expect(uncommittedChanges(folder.path)).toEqual([])
  write('server.ts', '2')
  write('note.txt', 'new')
  expect(uncommittedChanges(folder.path)).toEqual([' M server.ts', '?? note.txt'])
})
