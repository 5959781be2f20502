import type { BrowserApi } from '../browser-api.ts'

/** The scripts of the manifest, for the sites on which the user has enabled the wallet. */
const SCRIPTS = [
  { id: 'announce', js: ['announce.js'], world: 'MAIN' },
  { id: 'bridge', js: ['bridge.js'], world: 'ISOLATED' },
] as const

/** Registers the content scripts on the sites that the user has granted, and on no others. */
export async function registerSiteScripts({ permissions, runtime, scripting }: BrowserApi) {
  const fixed = runtime.getManifest().host_permissions ?? []
  const { origins = [] } = await permissions.getAll()
  const matches = origins.filter((origin) => !fixed.includes(origin))
  const registered = await scripting.getRegisteredContentScripts()
  if (registered.length > 0) await scripting.unregisterContentScripts()
  if (matches.length === 0) return
  await scripting.registerContentScripts(
    SCRIPTS.map(({ id, js, world }) => ({
      id,
      js: [...js],
      matches,
      world,
      runAt: 'document_start',
      allFrames: true,
    })),
  )
}

/**
 * After an update, Chromium leaves open pages with the scripts of the earlier version, which no longer reach the extension. Firefox
 * replaces them itself.
 */
export async function restoreSiteScripts({ permissions, runtime, scripting, tabs }: BrowserApi) {
  if (!runtime.getURL('').startsWith('chrome-extension:')) return
  const { origins = [] } = await permissions.getAll()
  const pages = origins.length === 0 ? [] : await tabs.query({ url: origins })
  const injections = pages.flatMap(({ id: tabId }) =>
    tabId === undefined
      ? []
      : SCRIPTS.map(({ js, world }) =>
          scripting.executeScript({ target: { tabId, allFrames: true }, files: [...js], world }),
        ),
  )
  // A page that could not be loaded takes no scripts.
  await Promise.allSettled(injections)
}
