import { accessSync, constants } from 'node:fs'
import path from 'node:path'

/** The first of these programs in these folders that can be executed; a dangling link is none. */
export function findProgram(
  names: readonly string[],
  folders: readonly string[] = foldersOnPath(),
): string | undefined {
  return names
    .flatMap((name) => folders.map((folder) => path.join(folder, name)))
    .find((file) => executable(file))
}

/** Whether the file exists and may be executed by us. */
export function executable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false // The question was whether it is there.
  }
}

function foldersOnPath(): string[] {
  return (process.env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '')
}
