/**
 * Checks the banner file of a bucket the way visitors' browsers fetch it (§7.7) and logs errors for the operator.
 * Browsers load the file from the bucket directly, so this check does not affect them.
 */
import { HTTP_TIMEOUT_MS } from '@portico/contracts/limits'
import type { Logger } from 'pino'
import { readBoundedBytes } from '../http/bounded-bytes.ts'
import { type BannerContent, bannerContent, MAX_BANNER_FILE_BYTES } from './banner-content.ts'

export interface BannerBucket {
  /** Fetches the file and logs its state if that has changed. */
  readonly check: () => Promise<void>
}

/**
 * @param url - the address of the banner file
 * @param origin - the origin of the pages that fetch it, if known
 */
export function bannerBucket({
  url,
  origin,
  log,
}: {
  readonly url: string
  readonly origin: string | undefined
  readonly log: Pick<Logger, 'info' | 'warn'>
}): BannerBucket {
  let logged: string | undefined
  return {
    async check() {
      const found = await fetchBanners(url, origin)
      const state = JSON.stringify(found)
      if (state === logged) return
      logged = state
      if ('errors' in found) {
        const { errors } = found
        log.warn(
          { url, errors },
          'the banner file in the bucket is invalid: pages may show no banners',
        )
      } else log.info({ url, active: found.active }, 'banners published')
    },
  }
}

async function fetchBanners(url: string, origin: string | undefined): Promise<BannerContent> {
  try {
    const response = await fetch(url, {
      headers: { 'cache-control': 'no-cache', ...(origin === undefined ? {} : { origin }) },
      // The pages' Content-Security-Policy does not allow another origin.
      redirect: 'manual',
      signal: AbortSignal.timeout(HTTP_TIMEOUT_MS),
    })
    if (response.status !== 200) {
      await response.body?.cancel()
      return { errors: [`cannot be fetched: the bucket answered ${response.status}`] }
    }
    const allowed = response.headers.get('access-control-allow-origin')
    const content = bannerContent(await readBoundedBytes(response, MAX_BANNER_FILE_BYTES))
    if (origin === undefined || 'errors' in content || [origin, '*'].includes(allowed ?? '')) {
      return content
    }
    return {
      errors: [
        `cannot be read by pages of ${origin}: add this origin to Access-Control-Allow-Origin`,
      ],
    }
  } catch (error) {
    return { errors: [`cannot be fetched: ${errorReason(error)}`] }
  }
}

/** `fetch` puts the connection error into the cause. */
function errorReason(error: unknown): string {
  const { message, cause } = error as { message?: unknown; cause?: { code?: unknown } }
  return String(cause?.code ?? message)
}
