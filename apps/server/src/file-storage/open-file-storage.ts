import { join } from 'node:path'
import type { Config } from '../config.ts'
import { diskStorage } from './disk-storage.ts'
import type { FileStorage } from './file-storage.ts'

/** The folder of uploaded files in the data folder. */
const UPLOADS_FOLDER = 'uploads'

export function openFileStorage({ dataDir }: Pick<Config, 'dataDir'>): FileStorage {
  return diskStorage(join(dataDir, UPLOADS_FOLDER))
}
