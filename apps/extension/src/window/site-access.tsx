import { useCall } from '@portico/shell/use-call'
import { useEffect, useState } from 'react'
import type { BrowserApi } from '../browser-api.ts'
import styles from './window.module.css'

/** The site of the current tab on which the wallet is not enabled yet. */
interface OtherSite {
  readonly host: string
  readonly pattern: string
  readonly tabId: number
}

/** Offers to enable the wallet on the site of the current tab. */
export function SiteAccess({
  api,
  reportError,
}: {
  api: BrowserApi
  reportError: (error: unknown) => void
}) {
  const [site, setSite] = useState<OtherSite>()
  const grant = useCall(reportError)
  useEffect(() => {
    otherSite(api).then(setSite, reportError)
  }, [api, reportError])
  if (site === undefined) return null
  return (
    <button
      type="button"
      className={styles.grant}
      onClick={() =>
        grant.run(
          () => enable(api, site),
          (isEnabled) => isEnabled && setSite(undefined),
        )
      }
    >
      Use on {site.host}
    </button>
  )
}

async function otherSite({ permissions, tabs }: BrowserApi): Promise<OtherSite | undefined> {
  const [tab] = await tabs.query({ active: true, currentWindow: true })
  const url = tab?.url === undefined ? undefined : new URL(tab.url)
  if (tab?.id === undefined || url === undefined || !/^https?:$/.test(url.protocol))
    return undefined
  // Match patterns cannot contain ports in Firefox.
  const pattern = `${url.protocol}//${url.hostname}/*`
  const isEnabled = await permissions.contains({ origins: [pattern] })
  return isEnabled ? undefined : { host: url.host, pattern, tabId: tab.id }
}

/** Requests the permission. The worker registers the scripts for later pages; the open one gets them now. */
async function enable(
  { permissions, scripting }: BrowserApi,
  { pattern, tabId }: OtherSite,
): Promise<boolean> {
  if (!(await permissions.request({ origins: [pattern] }))) return false
  const target = { tabId, allFrames: true }
  await scripting.executeScript({ target, files: ['announce.js'], world: 'MAIN' })
  await scripting.executeScript({ target, files: ['bridge.js'] })
  return true
}
