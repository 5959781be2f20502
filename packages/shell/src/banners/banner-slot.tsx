import type { BannerApp } from '@portico/contracts/banner'
import { type ComponentType, useEffect, useState } from 'react'

/** Which application's banners are shown, and where they come from. */
export type BannersProps = { app: BannerApp; url: string }

/** Where a browser does not say when it is idle, this long after the page is usable, in milliseconds. */
const IDLE_MS = 200
/** Announcements are not kept waiting longer than this by a page that is never idle. */
const BUSY_MAXIMUM_MS = 2000

/**
 * Where announcements appear. Nothing is fetched before the page is usable and idle; not even the code for it, and
 * where that cannot be loaded there are no announcements and nobody is told.
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
  // Safari has no such call.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(work, IDLE_MS)
    return () => clearTimeout(timer)
  }
  const idle = window.requestIdleCallback(work, { timeout: BUSY_MAXIMUM_MS })
  return () => window.cancelIdleCallback(idle)
}
