import type { BannerApp } from '@portico/contracts/banner'
import { type ComponentType, useEffect, useState } from 'react'

export type BannersProps = { app: BannerApp; url: string }

/** The delay in browsers without `requestIdleCallback`. */
const FALLBACK_DELAY_MS = 200
/** Announcements load after this time even if the page is never idle. */
const IDLE_TIMEOUT_MS = 2000

/**
 * Shows announcements. Nothing, including their code, is loaded before the page is interactive and idle. If the code
 * fails to load, there are no announcements and no error.
 */
export function BannerSlot(props: BannersProps) {
  const [Banners, setBanners] = useState<ComponentType<BannersProps>>()
  useEffect(
    () =>
      whenIdle(() => {
        import('./banners.tsx').then(
          ({ Banners }) => setBanners(() => Banners),
          () => undefined,
        )
      }),
    [],
  )
  return Banners && <Banners {...props} />
}

function whenIdle(work: () => void): () => void {
  // Safari does not support requestIdleCallback.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(work, FALLBACK_DELAY_MS)
    return () => clearTimeout(timer)
  }
  const idle = window.requestIdleCallback(work, { timeout: IDLE_TIMEOUT_MS })
  return () => window.cancelIdleCallback(idle)
}
