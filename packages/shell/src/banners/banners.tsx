import type { BannerApp } from '@portico/contracts/banner'
import { textStorage } from '@portico/contracts/text-storage'
import { useFlow } from '@portico/flow/react'
import { BannerArea } from './banner-area.tsx'
import { banners } from './banners.flow.ts'
import { type BannersDeps, bannersServices } from './banners.services.ts'
import { BannersView } from './banners.view.tsx'

/** The announcements of an application (§4.3, §7.7). */
export function Banners({ app, url }: { app: BannerApp; url: string }) {
  const [state, send] = useFlow(banners, {
    input: null,
    services: bannersServices(browserDeps(window, url)),
    report: (error) => window.reportError(error),
  })
  return (
    <BannerArea>
      <BannersView
        state={state}
        app={app}
        onDismiss={(banner) => send({ type: 'dismissed', banner, at: Date.now() })}
      />
    </BannerArea>
  )
}

function browserDeps(window: Window, url: string): BannersDeps {
  return {
    url,
    fetch: (...parameters) => fetch(...parameters),
    storage: textStorage(() => window.localStorage),
    watchStorage(listener) {
      const onStorage = ({ key }: StorageEvent) => listener(key)
      window.addEventListener('storage', onStorage)
      return () => window.removeEventListener('storage', onStorage)
    },
  }
}
