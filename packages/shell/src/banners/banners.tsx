import type { BannerApp, Banner as BannerData, Dismissals } from '@portico/contracts/banner'
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import { textStorage } from '@portico/contracts/text-storage'
import { dismissalOf, shownBanners } from '@portico/rules/banners'
import { Banner } from '@portico/ui/banner'
import { Stack } from '@portico/ui/stack'
import { useEffect, useState } from 'react'
import { useLoad } from '../use-call.ts'
import { BannerArea } from './banner-area.tsx'
import { readBanners, readDismissals, saveDismissal } from './read-banners.ts'

/** Local storage, shared by all tabs. */
const storage = textStorage(() => window.localStorage)

/** The announcements of an application (§4.3, §7.7): at most two, and nothing while loading or after an error. */
export function Banners({ app, url }: { app: BannerApp; url: string }) {
  const { result } = useLoad(
    (signal) => readBanners(url, { storage, signal }),
    (error) => window.reportError(error),
  )
  const [dismissed, dismiss] = useDismissals()
  const shown =
    result === undefined || 'error' in result
      ? []
      : shownBanners(result.banners, { app, dismissals: { ...result.dismissals, ...dismissed } })
  return (
    <BannerArea>
      {shown.length > 0 && (
        <section aria-label="Announcements">
          <Stack gap="inside">
            {shown.map((banner) => (
              <Banner
                key={banner.uuid}
                variant={banner.variant}
                message={banner.message}
                onDismiss={banner.dismissable ? () => dismiss(banner) : undefined}
              />
            ))}
          </Stack>
        </section>
      )}
    </BannerArea>
  )
}

/** The dismissals since the page was loaded, in this tab and in others. */
function useDismissals() {
  const [dismissed, setDismissed] = useState<Dismissals>({})
  useEffect(() => {
    const onStorage = ({ key }: StorageEvent) => {
      // Another tab may have loaded a newer file and pruned dismissals. Merge, so no banner reappears before a reload.
      if (key === STORAGE_KEYS.dismissedBanners)
        setDismissed(addDismissals(readDismissals(storage)))
    }
    window.addEventListener('storage', onStorage)
    return () => window.removeEventListener('storage', onStorage)
  }, [])
  const dismiss = (banner: BannerData) => {
    const dismissal = { [banner.uuid]: dismissalOf(banner, Date.now()) }
    setDismissed(addDismissals(dismissal))
    saveDismissal(storage, dismissal)
  }
  return [dismissed, dismiss] as const
}

function addDismissals(more: Dismissals) {
  return (before: Dismissals): Dismissals => ({ ...before, ...more })
}
