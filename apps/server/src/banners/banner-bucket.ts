/**
 * Looks at the banner file of a bucket as visitors' browsers do (§7.7), so that an operator hears of a slip from the log.
 * What browsers get is the bucket's alone: nothing here changes it, and no page waits for it.
 */
import { HTTP_TIMEOUT_MS } from '@portico/contracts/limits'
import type { Logger } from 'pino'
import { boundedBytes } from '../http/bounded-bytes.ts'
import { BANNER_FILE_BYTES_MAXIMUM, type BannerContent, bannerContent } from './banner-content.ts'

/** The file of a bucket. */
export interface BannerBucket {
  /** Looks at it, and tells the log what is new: what is in it, or what is wrong with it. */
  readonly look: () => Promise<void>
}

/** Watches the file at an address; `origin` is that of the pages which fetch it, where it is known. */
export function bannerBucket({
  url,
  origin,
  log,
}: {
  readonly url: string
  readonly origin: string | undefined
  readonly log: Pick<Logger, 'info' | 'warn'>
}): BannerBucket {
  let told: string | undefined
  return {
    async look() {
      const found = await fetched(url, origin)
      const news = JSON.stringify(found)
      if (news === told) return
      told = news
      if ('faults' in found) {
        const { faults } = found
        log.warn({ url, faults }, 'the banner file in the bucket is at fault: pages may show none')
      } else log.info({ url, active: found.active }, 'banners published')
    },
  }
}

async function fetched(url: string, origin: string | undefined): Promise<BannerContent> {
  try {
    const response = await fetch(url, {
      headers: { 'cache-control': 'no-cache', ...(origin === undefined ? {} : { origin }) },
      // Elsewhere is not where the pages' policy lets them go.
      redirect: 'manual',
      signal: AbortSignal.timeout(HTTP_TIMEOUT_MS),
    })
    if (response.status !== 200) {
      await response.body?.cancel()
      return { faults: [`cannot be had: the bucket answered ${response.status}`] }
    }
    const allowed = response.headers.get('access-control-allow-origin')
    const content = bannerContent(await boundedBytes(response, BANNER_FILE_BYTES_MAXIMUM))
    if (origin === undefined || 'faults' in content || [origin, '*'].includes(allowed ?? '')) {
      return content
    }
    return {
      faults: [`may not be read by pages of ${origin}: let Access-Control-Allow-Origin name it`],
    }
  } catch (error) {
    return { faults: [`cannot be had: ${reasonOf(error)}`] }
  }
}

/** What went wrong with a connection stands in the cause of what is thrown. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: unknown; cause?: { code?: unknown } }
  return String(cause?.code ?? message)
}
