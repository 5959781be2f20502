import { PublishedBanners } from '@portico/contracts/banner'

/** The largest file that is published: every visitor fetches it whole. */
export const BANNER_FILE_BYTES_MAXIMUM = 256 * 1024

const FAULTS_NAMED = 10

/** What a banner file says, with how many of its banners are active; or what keeps it from being published. */
export type BannerContent =
  | { readonly text: string; readonly active: number }
  | { readonly faults: readonly string[] }

/** Reads the bytes of a banner file. */
export function bannerContent(bytes: Uint8Array): BannerContent {
  if (bytes.length > BANNER_FILE_BYTES_MAXIMUM) {
    return { faults: [`holds more than ${BANNER_FILE_BYTES_MAXIMUM} bytes`] }
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const parsed = PublishedBanners.safeParse(JSON.parse(text))
    if (parsed.success) {
      return { text, active: parsed.data.filter(({ active }) => active).length }
    }
    return {
      faults: parsed.error.issues
        .slice(0, FAULTS_NAMED)
        .map(({ path: field, message }) => `${field.join('.')} ${message}`.trim()),
    }
  } catch (error) {
    return { faults: [error instanceof Error ? error.message : String(error)] }
  }
}
