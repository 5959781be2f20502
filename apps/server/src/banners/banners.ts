import { BANNER_FILES, BANNERS_PATH } from '@portico/contracts/banner'
import type { Config } from '../config.ts'

/** The URL of a page's banners (§7.7): the production or -test file, on this server or in a bucket. */
export function bannersAddress({
  bannersUrl,
  production,
}: Pick<Config, 'bannersUrl' | 'production'>): string {
  return `${bannersUrl ?? BANNERS_PATH}/${production ? BANNER_FILES.production : BANNER_FILES.test}`
}
