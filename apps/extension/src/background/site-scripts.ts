import type { BrowserApi } from '../browser-api.ts'

/** The scripts of the manifest, for the sites on which the user has enabled the wallet. */
const SCRIPTS = [
  { id: 'announce', js: ['announce.js'], world: 'MAIN' },
  { id: 'bridge', js: ['bridge.js'], world: 'ISOLATED' },
] as const

/** Registers the content scripts on the sites that the user has granted, and on no others. */
export const registerSiteScripts = (api: BrowserApi): Promise<void> =>
  // One after the other: two changes of the permissions may come at once.
  navigator.locks.request('register-site-scripts', () => replaceSiteScripts(api))

async function replaceSiteScripts({ permissions, runtime, scripting }: BrowserApi): Promise<void> {
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

/** In session storage while open pages wait for the scripts, because the browser may stop the worker in between. */
const RESTORING = 'restoring-site-scripts'

/** Starts to replace the scripts of open pages, and continues when the worker is started again. */
export async function restoreSiteScripts(api: BrowserApi): Promise<void> {
  await api.storage.session.set({ [RESTORING]: true })
  await continueRestoring(api)
}

/** Replaces the scripts of open pages unless that was completed. */
export function continueRestoring({ storage, ...api }: BrowserApi): Promise<void> {
  return navigator.locks.request(RESTORING, async () => {
    if ((await storage.session.get(RESTORING))[RESTORING] === undefined) return
    await injectScripts(api)
    await storage.session.remove(RESTORING)
  })
}

/**
 * After an update, Chromium leaves open pages with the scripts of the earlier version, which no longer reach the extension. Firefox
 * replaces them itself.
 */
async function injectScripts({
  permissions,
  runtime,
  scripting,
  tabs,
}: Pick<BrowserApi, 'permissions' | 'runtime' | 'scripting' | 'tabs'>): Promise<void> {
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
