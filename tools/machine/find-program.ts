import { accessSync, constants } from 'node:fs'
import path from 'node:path'

/** The first executable of these programs in these folders; dangling links are skipped. */
export function findProgram(
  names: readonly string[],
  folders: readonly string[] = foldersOnPath(),
): string | undefined {
  return names
    .flatMap((name) => folders.map((folder) => path.join(folder, name)))
    .find((file) => executable(file))
}

/** Whether the file exists and is executable. */
export function executable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false // It does not exist or is not executable.
  }
}

function foldersOnPath(): string[] {
  return (process.env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '')
}
