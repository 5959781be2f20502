import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileStorage } from './file-storage.ts'

const OWNER_ONLY_FOLDER = 0o700
const OWNER_ONLY = 0o600

/** Stores each part as a separate file, in one folder per uploaded file, readable only by the server's user. */
export function diskStorage(root: string): FileStorage {
  const folderOf = (fileId: string) => join(root, fileId)

  return {
    async write(fileId, part, bytes) {
      const folder = folderOf(fileId)
      const created = await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER })
      const draft = join(folder, `${part}.partial`)
      try {
        const file = await open(draft, 'wx', OWNER_ONLY)
        try {
          await file.writeFile(bytes)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(draft, join(folder, part))
        await syncFolder(folder)
        if (created !== undefined) await syncFolder(root)
      } catch (error) {
        await rm(draft, { force: true })
        await removeIfEmpty(folder)
        throw error
      }
    },

    read: (fileId, part) => readFile(join(folderOf(fileId), part)),

    async *listFiles() {
      yield* await namesIn(root)
    },

    async listParts(fileId) {
      const folder = folderOf(fileId)
      const parts = await Promise.all(
        (await namesIn(folder)).map(async (name) => {
          const found = await ifPresent(stat(join(folder, name)))
          return found === undefined ? [] : [{ name, modifiedAt: found.mtimeMs }]
        }),
      )
      return parts.flat()
    },

    async removeParts(fileId, parts) {
      const folder = folderOf(fileId)
      for (const part of parts) await rm(join(folder, part), { force: true })
      await removeIfEmpty(folder)
    },
  }
}

const namesIn = async (folder: string) => (await ifPresent(readdir(folder))) ?? []

async function ifPresent<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  try {
    return await reading
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(code)) throw error
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
