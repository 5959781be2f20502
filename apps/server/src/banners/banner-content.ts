import { PublishedBanners } from '@portico/contracts/banner'
import { errorText, fieldErrors, parseData } from '../data-files/data-files.ts'

/** Limited because every visitor downloads the whole file. */
export const BANNER_FILE_BYTES_MAXIMUM = 256 * 1024

const LISTED_ERRORS_MAXIMUM = 10

/** The text of a valid banner file and its number of active banners, or its errors. */
export type BannerContent =
  | { readonly text: string; readonly active: number }
  | { readonly errors: readonly string[] }

export function bannerContent(bytes: Uint8Array): BannerContent {
  if (bytes.length > BANNER_FILE_BYTES_MAXIMUM) {
    return { errors: [`has more than ${BANNER_FILE_BYTES_MAXIMUM} bytes`] }
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const parsed = parseData(PublishedBanners, JSON.parse(text))
    if (parsed.success) {
      return { text, active: parsed.data.filter(({ active }) => active).length }
    }
    return {
      errors: fieldErrors(
        parsed.error.issues.slice(0, LISTED_ERRORS_MAXIMUM),
        'docs/banners.md',
      ).map(errorText),
    }
  } catch (error) {
    return { errors: [`is not JSON: ${error instanceof Error ? error.message : String(error)}`] }
  }
}
