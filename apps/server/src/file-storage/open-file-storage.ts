import { join } from 'node:path'
import type { Config } from '../config.ts'
import { diskStorage } from './disk-storage.ts'
import type { FileStorage } from './file-storage.ts'

/** The folder for uploaded files within the data folder. */
export const UPLOADS_FOLDER = 'uploads'

/** Opens the bucket if one is configured, otherwise the data folder. */
export async function openFileStorage({
  dataDir,
  uploadsBucket,
}: Pick<Config, 'dataDir' | 'uploadsBucket'>): Promise<FileStorage> {
  if (uploadsBucket === undefined) return diskStorage(join(dataDir, UPLOADS_FOLDER))
  // Loaded only where it is used.
  const { s3Storage } = await import('./s3-storage.ts')
  return s3Storage(uploadsBucket)
}
