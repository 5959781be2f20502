import { PublishedBanners } from '@portico/contracts/banner'

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
    const parsed = PublishedBanners.safeParse(JSON.parse(text))
    if (parsed.success) {
      return { text, active: parsed.data.filter(({ active }) => active).length }
    }
    return {
      errors: parsed.error.issues
        .slice(0, LISTED_ERRORS_MAXIMUM)
        .map(({ path: field, message }) => `${field.join('.')} ${message}`.trim()),
    }
  } catch (error) {
    return { errors: [error instanceof Error ? error.message : String(error)] }
  }
}
