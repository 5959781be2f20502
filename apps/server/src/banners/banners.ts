import { BANNER_FILES, BANNERS_PATH } from '@portico/contracts/banner'
import type { Config } from '../config.ts'

/** Where a page gets its banners from (§7.7): the production file or the -test file, here or in a bucket. */
export function bannersAddress({
  bannersUrl,
  production,
}: Pick<Config, 'bannersUrl' | 'production'>): string {
  return `${bannersUrl ?? BANNERS_PATH}/${production ? BANNER_FILES.production : BANNER_FILES.test}`
}
