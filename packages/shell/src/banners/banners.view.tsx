import type { BannerApp, Banner as BannerData } from '@portico/contracts/banner'
import { shownBanners } from '@portico/rules/banners'
import { Banner } from '@portico/ui/banner'
import { Stack } from '@portico/ui/stack'
import type { State } from './banners.flow.ts'

/** Shows at most two banners (§4.3), and nothing while loading or after an error. */
export function BannersView({
  state,
  app,
  onDismiss,
}: {
  state: State
  app: BannerApp
  onDismiss: (banner: BannerData) => void
}) {
  if (state.step !== 'loaded') return null
  const shown = shownBanners(state.banners, { app, dismissals: state.dismissals })
  if (shown.length === 0) return null
  return (
    <section aria-label="Announcements">
      <Stack gap="inside">
        {shown.map((banner) => (
          <Banner
            key={banner.uuid}
            variant={banner.variant}
            message={banner.message}
            onDismiss={banner.dismissable ? () => onDismiss(banner) : undefined}
          />
        ))}
      </Stack>
    </section>
  )
}
