import { PublishedBanners } from '@portico/contracts/banner'
import { errorText, fieldErrors, parseData } from '../data-files/data-files.ts'

/** Limited because every visitor downloads the whole file. */
export const MAX_BANNER_FILE_BYTES = 256 * 1024

const MAX_LISTED_ERRORS = 10

/** The text of a valid banner file and its number of active banners, or its errors. */
export type BannerContent =
  | { readonly text: string; readonly active: number }
  | { readonly errors: readonly string[] }

export function bannerContent(bytes: Uint8Array): BannerContent {
  if (bytes.length > MAX_BANNER_FILE_BYTES) {
    return { errors: [`has more than ${MAX_BANNER_FILE_BYTES} bytes`] }
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const parsed = parseData(PublishedBanners, JSON.parse(text))
    if (parsed.success) {
      return { text, active: parsed.data.filter(({ active }) => active).length }
    }
    return {
      errors: fieldErrors(parsed.error.issues.slice(0, MAX_LISTED_ERRORS), 'docs/banners.md').map(
        errorText,
      ),
    }
  } catch (error) {
    return { errors: [`is not JSON: ${error instanceof Error ? error.message : String(error)}`] }
  }
}
